#!/usr/bin/env bash
# A sale of lots of all formats runs from its scheduled second to its end by itself while it is killed, restarted and reordered: on
# SQLite, then on three nodes over PostgreSQL. See live/sale.py for the variables.
set -euo pipefail
exec "$(dirname "$0")/../../.ci/with-postgres.sh" python3 "$(dirname "$0")/live/sale.py"
