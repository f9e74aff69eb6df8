#!/usr/bin/env bash
# Silent, dripping and polling connections of one address and of many, more than the server takes: bids on new connections of others
# get through. `make test-address-attack` does it with 1,000 of each, several times, and compares the bids' p99. Needs python3.
# Runs alone: what it measures depends on the machine's load.
# Covers: Sources/MicroHTTP/Server Sources/MicroHTTP/Connections Sources/AuctionServer/Addresses
set -euo pipefail
cd "$(dirname "$0")/../.."
EACH=${EACH:-100} ROUNDS=${ROUNDS:-1} SECONDS_EACH=${SECONDS_EACH:-3} COMPARE=${COMPARE:-0}
export EACH ROUNDS COMPARE
exec env SECONDS="$SECONDS_EACH" python3 Tests/scripts/live/address_attack.py
