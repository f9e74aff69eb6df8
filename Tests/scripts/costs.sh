#!/usr/bin/env bash
# What one request may cost at most, as a table with bounds: `make test-costs`. Needs python3 and a release build.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 -u Tests/scripts/live/costs.py
