#!/usr/bin/env bash
# The wall clock is set back by an hour and forward by 25, under the running program, across a restart and into a copy: a countdown takes
# its seconds, and keys, tokens and tickets live on. Needs Debian's faketime, which changes the wall clock of one process.
# Covers: Sources/AuctionService/Time Sources/CScheduling Sources/AuctionServer/Identity
set -euo pipefail
exec python3 "$(dirname "$0")/live/clock.py"
