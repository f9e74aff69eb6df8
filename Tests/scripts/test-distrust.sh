#!/usr/bin/env bash
# A PostgreSQL server that must not be trusted with bids: commits that a crash may lose, a full disk, TLS. See live/distrust.py.
# Covers: Sources/EventLogPostgres/Sessions Sources/EventLogPostgres/Appending
set -euo pipefail
exec "$(dirname "$0")/../../.ci/with-postgres.sh" python3 "$(dirname "$0")/live/distrust.py"
