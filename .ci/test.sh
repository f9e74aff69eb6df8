#!/usr/bin/env bash
# The checks of `make test`: what the service promises, shown in some ten minutes. .ci/test-all.sh has the rest. A stage that fails does not
# stop the later ones, unless they need its output. The last line is "N passed, N failed".
#
# Beyond the scripts listed here, those run that cover sources which differ from origin/main (.ci/covering.sh): in a clean clone, none.
#
# SCRIPT_CONFIGURATION: debug or release, the build that Tests/scripts run. SCRIPTS_AT_ONCE (2): how many of them run at the same time.
# SCRIPT_SECONDS (720), UNIT_SECONDS (600): time limits of one script, and of `swift test`; after that it counts as hanging and is killed.
# AUCTION_RANDOM_PERCENT (10): how many cases the random tests try, of those of `make test-all`.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=stages.sh
source .ci/stages.sh
calibration=$(.ci/budget.py calibrate)

configuration=${SCRIPT_CONFIGURATION:-debug}
export AUCTION_RANDOM_PERCENT=${AUCTION_RANDOM_PERCENT:-10} CRASH_ROUNDS=${CRASH_ROUNDS:-10}
# The longest first, so that two at a time end together.
scripts=(page serve websocket postgres crash generated-clients readme openapi deployment rings)
scripts=("${scripts[@]/#/Tests/scripts/test-}")
scripts=("${scripts[@]/%/.sh}")
begun_tree=$(tree)
rm -f .build/tested

# Only what the tests need: the benchmarks and the other tools would be linked as well.
build() {
    swift build --product auction-roomPackageTests "${build_options[@]}" &&
        swift build --product auction-room "${build_options[@]}" &&
        swift build --product websocket-echo "${build_options[@]}" || return 1
    if [ "$configuration" = release ]; then release_builds auction-room; fi
}
tools() {
    swift build "${build_options[@]}" && if [ "$configuration" = release ]; then release_builds auction-bench; fi
}

# Lint beside the build, which often has work for one processor only.
job lint .ci/lint.sh
stage build build || { all_jobs_ended; finish; }
all_jobs_ended
AUCTION_ROOM_BIN="$(swift build -c "$configuration" --show-bin-path)/auction-room"
export AUCTION_ROOM_BIN

# What the contract tests receive; test-generated-clients.sh has generated clients parse it.
export RECORDED_RESPONSES=$PWD/.build/recorded-responses.ndjson
rm -f "$RECORDED_RESPONSES"
AUCTION_ROOM_RECORDED_RESPONSES=$RECORDED_RESPONSES swift_test "swift test"

SEEDS=${SEEDS_QUICK:-1500} SIMULATION_SECONDS=240 stage simulator bounded 900 .ci/simulate.sh || true
stage auditor release_builds audit-events || true
AUDIT_EVENTS=$(auditor)
export AUDIT_EVENTS

chosen=()
mapfile -t more < <(.ci/changed.sh | .ci/covering.sh Tests/scripts/test-*.sh)
for script in "${more[@]}"; do
    case " ${scripts[*]} " in *" $script "*) continue ;; esac
    # It needs a release build: `make test-all`.
    case $script in *test-work.sh) continue ;; esac
    chosen+=("$script")
done
if [ ${#chosen[@]} -gt 0 ]; then
    # Some of them need a tool.
    stage "build of the tools" tools || true
    scripts+=("${chosen[@]}")
fi
run_all_scripts "${scripts[@]}"

if finish; then
    # `make test-all` on the same tree does not repeat these.
    { printf '%s %d\n' "$begun_tree" "$passed"; printf '%s\n' "${proven[@]}"; } >.build/tested
else
    exit 1
fi
