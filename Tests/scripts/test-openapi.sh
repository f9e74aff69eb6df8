#!/usr/bin/env bash
# The contract is valid OpenAPI. Needs python3 with venv; openapi-spec-validator comes from PyPI.
set -euo pipefail
cd "$(dirname "$0")/../.."

validator=openapi-spec-validator==0.9.0
environment=.cache/openapi
if [ ! -f "$environment/$validator" ]; then
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet "$validator"
    touch "$environment/$validator"
fi
# On an error the validator prints the whole meta-schema on one line, so it is cut.
"$environment/bin/openapi-spec-validator" openapi/openapi.yaml 2>&1 | cut -c -240
