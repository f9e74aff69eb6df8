#!/usr/bin/env bash
# The contract is valid OpenAPI, what it says of idempotency keys is so, and the page at /docs reads it as other readers of YAML do.
# Needs node, and python3 with venv; openapi-spec-validator comes from PyPI.
# Covers: openapi/openapi.yaml openapi/asyncapi.yaml Sources/AuctionContract Sources/AuctionServer/Routes Sources/Page/docs/yaml.js
set -euo pipefail
cd "$(dirname "$0")/../.."

programs=$(.ci/python.sh openapi openapi-spec-validator==0.9.0)
# On an error the validator prints the whole meta-schema on one line, so it is cut.
"$programs/openapi-spec-validator" openapi/openapi.yaml 2>&1 | cut -c -240
"$programs/python" Tests/scripts/live/idempotency_keys.py
"$programs/python" Tests/scripts/live/contract_reader.py
