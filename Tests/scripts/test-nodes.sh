#!/usr/bin/env bash
# Three real nodes over one real PostgreSQL, under load from many clients, while nodes and the database are killed and come
# back. See live/nodes.py for the variables.
# Covers: Sources/EventLogPostgres Sources/AuctionService/Cluster
set -euo pipefail
python3 "$(dirname "$0")/live/linear_check.py"
exec "$(dirname "$0")/../../.ci/with-postgres.sh" python3 "$(dirname "$0")/live/nodes.py"
