#!/usr/bin/env bash
# Schemathesis with all checks, as two users, against the real program: 20 seconds of one seed; `make test-contract-fuzz` takes
# its time and a fresh one. Needs python3 with venv; schemathesis comes from PyPI.
# Covers: openapi/openapi.yaml Sources/AuctionContract Sources/AuctionServer/Routes Sources/AuctionServer/Requests
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ -z "${SECONDS_LIMIT:-}" ]; then export SECONDS_LIMIT=20 SEED="${SEED:-1}"; fi
exec python3 Tests/scripts/live/contract_fuzz.py "$@"
