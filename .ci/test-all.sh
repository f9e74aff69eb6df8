#!/usr/bin/env bash
# The checks of `make test-all`: those of `make test`, unless they have passed on the same tree, and all others. The last line is
# "N passed, N failed", with those of `make test`.
#
# Variables as for .ci/test.sh. SEEDS (10000), SIMULATION_SECONDS (300): of the simulator.
set -euo pipefail
cd "$(dirname "$0")/.."
# .build/tested: the tree that passed, how many passed, and their names.
tested=
state() { (source .ci/stages.sh; tree); }
if [ -f .build/tested ]; then read -r tested _ <.build/tested; fi
if [ "$tested" != "$(state)" ]; then .ci/test.sh; fi

# shellcheck source=stages.sh
source .ci/stages.sh
calibration=$(.ci/budget.py calibrate)
read -r _ passed <.build/tested
mapfile -t done_before < <(tail -n +2 .build/tested)

# Everything, also the tools and benchmarks that nothing in `make test` needs.
everything() {
    swift build --build-tests "${build_options[@]}" || return 1
    # Here, because a script has less time than this build takes on a slow machine.
    release_builds auction-work audit-events || return 1
    if [ "${SCRIPT_CONFIGURATION:-debug}" = release ]; then release_builds auction-room auction-bench; fi
}
stage "build of everything" everything || finish
AUCTION_ROOM_BIN="$(swift build -c "${SCRIPT_CONFIGURATION:-debug}" --show-bin-path)/auction-room"
AUDIT_EVENTS=$(auditor)
export AUCTION_ROOM_BIN AUDIT_EVENTS RECORDED_RESPONSES=$PWD/.build/recorded-responses.ndjson

AUCTION_RANDOM_PERCENT=100 swift_test "random tests" \
    --filter 'PropertyTests|MaximumSecrecyTests|BidHistoryTests|RandomAuctionTests|SimulationTests|FuzzTests'
stage "simulator, all seeds" bounded 1500 .ci/simulate.sh || true

scripts=()
for script in Tests/scripts/test-*.sh; do
    case $script in
    # Ten kills of it were in `make test`.
    *test-crash.sh) scripts+=("$script") ;;
    *) case $'\n'$(printf '%s\n' "${done_before[@]}")$'\n' in *$'\n'"$script"$'\n'*) ;; *) scripts+=("$script") ;; esac ;;
    esac
done
run_all_scripts "${scripts[@]}"
finish
