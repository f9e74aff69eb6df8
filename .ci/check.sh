#!/usr/bin/env bash
# The checks to run while working: lint, a debug build, and the fast unit tests of what differs from origin/main and of what depends on it
# (.ci/affected.py). `make test` is what must pass before a merge.
#
# FILTER: only the tests whose name matches this expression, slow ones too; FILTER=. runs all. CHECK_SECONDS (600): the tests are ended
# after that.
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
concerned=$(.ci/changed.sh | .ci/affected.py)
if [ -n "${FILTER:-}" ]; then
    selection=(--filter "$FILTER")
elif [ -n "$concerned" ]; then
    printf 'check: only the tests %s\n' "$concerned"
    selection+=(--filter "$concerned")
fi
timeout --kill-after=10 "${CHECK_SECONDS:-600}" .ci/with-postgres.sh .ci/unit-tests.sh "${selection[@]}"
