#!/usr/bin/env bash
# A node's link to PostgreSQL is cut in every way and healed, while two other nodes go on. See live/links.py for the variables.
# Covers: Sources/EventLogPostgres Sources/AuctionService/Cluster
set -euo pipefail
exec "$(dirname "$0")/../../.ci/with-postgres.sh" python3 "$(dirname "$0")/live/links.py"
