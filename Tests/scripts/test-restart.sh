#!/usr/bin/env bash
# A program that was killed is ready again soon: with many rooms, thousands of them open, and with as many bids behind the last
# flush as there may be. See live/restart.py for the variables; the bound of a second is for a release build.
# Runs alone: what it measures depends on the machine's load.
# Covers: Sources/EventLogSQLite/Reading Sources/AuctionService/Rooms Sources/AuctionService/Runtime
set -euo pipefail
exec python3 "$(dirname "$0")/live/restart.py"
