#!/usr/bin/env bash
# Two nodes over one PostgreSQL pause webhooks at the same time, and are killed meanwhile: readers of the feed at both nodes get each pause once, in
# one order, and go on at the other node with their cursor.
# Covers: Sources/AuctionServer/Webhooks Sources/AuctionServer/Admin Sources/EventLogPostgres
set -euo pipefail
exec "$(dirname "$0")/../../.ci/with-postgres.sh" python3 "$(dirname "$0")/live/notice_nodes.py"
