#!/usr/bin/env bash
# How `make test` chooses scripts by changed paths, and how it judges the seconds of its stages.
# Covers: .ci
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 Tests/scripts/live/rings.py
