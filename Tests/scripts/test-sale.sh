#!/usr/bin/env bash
# A sale of lots of all formats runs from its scheduled second to its end by itself while it is killed, restarted and reordered, and
# pages in a headless Chromium show it: on SQLite, then on three nodes over PostgreSQL. See live/sale.py for the variables.
#
# Runs alone, because the pages have to show everything within three seconds, beside nodes that restart.
# Covers: Sources/AuctionDomain/Sale Sources/AuctionService/Cluster Sources/Page/views
set -euo pipefail
cd "$(dirname "$0")/../.."

for program in "${CHROMIUM:-chromium}" "${CHROMEDRIVER:-chromedriver}"; do
    command -v "$program" >/dev/null || { printf 'test-sale: %s is missing; `make setup-test` installs it\n' "$program" >&2; exit 1; }
done

programs=$(.ci/python.sh selenium selenium==4.51.0)
exec .ci/with-postgres.sh "$programs/python" Tests/scripts/live/sale.py
