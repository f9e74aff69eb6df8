#!/usr/bin/env bash
# Of two nodes over one PostgreSQL the one that calls the RTC service is killed, again and again: the other calls from then on, and both sides agree
# within 30 seconds, whatever was not sent.
# Covers: Sources/AuctionServer/Voice Sources/EventLogPostgres
set -euo pipefail
exec "$(dirname "$0")/../../.ci/with-postgres.sh" python3 "$(dirname "$0")/live/voice_nodes.py"
