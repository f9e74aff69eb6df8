#!/usr/bin/env bash
# `auction-room export` and `verify` beside a running server, after a kill -9, and on a log that was broken on purpose.
set -euo pipefail
exec python3 "$(dirname "$0")/live/archive.py"
