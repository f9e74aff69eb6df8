#!/usr/bin/env bash
# The checks to run while working: lint, a debug build and the unit tests that are fast. `make test` is what must pass before a merge.
#
# FILTER: only the tests whose name matches this expression, slow ones too. CHECK_SECONDS (600): `swift test` is ended after that.
set -euo pipefail
cd "$(dirname "$0")/.."

build_options=(--explicit-target-dependency-import-check error)
# Some of the remaining tests try random cases, too.
export AUCTION_RANDOM_PERCENT=${AUCTION_RANDOM_PERCENT:-10}
# Thousands of random auctions, the simulator with its planted bugs, the server fuzzer, and the replay of the corpora.
slow='PropertyTests|MaximumSecrecyTests|RandomAuctionTests|SimulationTests|ServerFuzzTests|CorpusTests'

.ci/lint.sh changed &
lint=$!
# Not the tools and benchmarks, of which some have no test.
swift build --product auction-roomPackageTests "${build_options[@]}"
wait "$lint"
selection=(--skip "$slow")
if [ -n "${FILTER:-}" ]; then selection=(--filter "$FILTER"); fi
timeout --kill-after=10 "${CHECK_SECONDS:-600}" .ci/with-postgres.sh swift test --skip-build "${build_options[@]}" "${selection[@]}"
