#!/usr/bin/env bash
# Clients that openapi-python-client and datamodel-code-generator make from the contract, without a warning: one plays an auction with the
# real program, refusals included, and both parse every response that the contract tests get. Needs python3 with venv; both generators
# come from PyPI.
#
# RECORDED_RESPONSES: the responses, if the unit tests have recorded them already (AUCTION_ROOM_RECORDED_RESPONSES); else some of the tests
# are run here.
# Covers: openapi/openapi.yaml Sources/AuctionContract Sources/AuctionServer/Representations Sources/AuctionServer/AuctionServer.docc/PythonClient.md
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 Tests/scripts/live/generated_clients.py
