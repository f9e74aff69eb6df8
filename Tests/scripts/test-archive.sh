#!/usr/bin/env bash
# `auction-room export` and `verify` beside a running server, after a kill -9, and on a log that was broken on purpose.
# Covers: Sources/EventLog/Audit Sources/auction-room/Commands Sources/EventLogSQLite/Reading
set -euo pipefail
exec python3 "$(dirname "$0")/live/archive.py"
