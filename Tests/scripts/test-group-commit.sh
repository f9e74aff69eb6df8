#!/usr/bin/env bash
# The log is synced before every acknowledgement, and under load once for many. Needs strace and leave to use it.
# Runs alone: what it measures depends on the machine's load.
# Covers: Sources/AuctionService/Commit Sources/EventLogSQLite/Writing
set -euo pipefail
exec python3 "$(dirname "$0")/live/group_commit.py"
