#!/usr/bin/env bash
# kill -9 at random moments under load, 50 times (ten in `make test`): nothing that was acknowledged is lost, doubled or changed. The last log is
# then damaged in several ways, which the same checks must detect. See live/crash.py for the variables.
# Covers: Sources/EventLogSQLite Sources/AuctionService/Commit Sources/AuctionService/Sequencer
set -euo pipefail
exec python3 "$(dirname "$0")/live/crash.py"
