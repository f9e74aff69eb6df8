#!/usr/bin/env bash
# A user leaves for good, with SQLite and with PostgreSQL: no byte of the nickname stays, also after kill -9 in the middle; verify, export, copy, backup.
# Covers: Sources/EventLog/Erasure Sources/AuctionServer/Erasure
set -euo pipefail
exec "$(dirname "$0")/../../.ci/with-postgres.sh" python3 "$(dirname "$0")/live/erasure.py"
