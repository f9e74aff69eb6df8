#!/usr/bin/env bash
# Backups under bids, with SQLite and with PostgreSQL's own tools: killed, damaged, restored, and served from. See live/backup.py.
# Covers: Sources/EventLogSQLite/Backup Sources/EventLogSQLite/Files Sources/EventLogPostgres/Reading Sources/auction-room/Commands
set -euo pipefail
exec "$(dirname "$0")/../../.ci/with-postgres.sh" python3 "$(dirname "$0")/live/backup.py"
