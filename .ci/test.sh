#!/usr/bin/env bash
# All checks that must pass before a change is merged, the fastest first. A stage that fails does not stop the later ones, unless they
# need its output. The last line is "N passed, N failed".
#
# SCRIPT_CONFIGURATION: debug or release, the build that Tests/scripts run.
# SCRIPTS_AT_ONCE: how many of them run at the same time. Those with a line "# Runs alone" measure something, and do so after the others.
# SCRIPT_SECONDS, UNIT_SECONDS: time limits of one script, and of all of `swift test`; after that it counts as hanging and is killed.
set -euo pipefail
cd "$(dirname "$0")/.."

configuration=${SCRIPT_CONFIGURATION:-debug}
scripts_at_once=${SCRIPTS_AT_ONCE:-2}
script_seconds=${SCRIPT_SECONDS:-720}
unit_seconds=${UNIT_SECONDS:-600}
# An import of a target that is not a declared dependency is an error, so that Package.swift shows all dependencies.
build_options=(--explicit-target-dependency-import-check error)

passed=0
failed=0
failures=()
started=$SECONDS

stage() {
    printf '\n== %s (%d s)\n' "$1" $((SECONDS - started))
}
pass() {
    passed=$((passed + 1))
}
fail() {
    failed=$((failed + 1))
    failures+=("$1")
    printf 'FAILED: %s\n' "$1" >&2
}
# bounded SECONDS COMMAND…: timeout gives the command its own process group, which is killed as a whole when the time is up
# but does not get the terminal's interrupt, so the trap forwards it.
bounded() {
    local process status=0
    timeout --kill-after=10 "$@" &
    process=$!
    trap 'kill "$process" 2>/dev/null; exit 130' INT TERM
    wait "$process" || status=$?
    trap 'exit 130' INT TERM
    if [ "$status" -eq 124 ]; then printf 'still running after %d s, ended\n' "$1" >&2; fi
    return "$status"
}
trap 'exit 130' INT TERM
check() { # check NAME COMMAND…
    local name=$1
    shift
    if "$@"; then pass; else fail "$name"; fi
}
# run_scripts MOST SCRIPT…: at most so many at once. What a script prints is shown when it has ended.
declare -A running=()
run_scripts() {
    local most=$1 script
    shift
    for script in "$@"; do
        [ -x "$script" ] || { fail "$script is not executable"; continue; }
        [ ${#running[@]} -lt "$most" ] || script_ended
        bounded "$script_seconds" "$script" >"$logs/${script##*/}" 2>&1 &
        running[$!]="$script $SECONDS"
    done
    while [ ${#running[@]} -gt 0 ]; do script_ended; done
}
script_ended() {
    local process='' status=0 script began
    wait -n -p process "${!running[@]}" || status=$?
    read -r script began <<<"${running[$process]}"
    unset "running[$process]"
    stage "$script, took $((SECONDS - began)) s"
    cat "$logs/${script##*/}"
    if [ "$status" -eq 0 ]; then pass; else fail "$script"; fi
}
finish() {
    printf '\n'
    if [ ${#failures[@]} -gt 0 ]; then printf 'failed: %s\n' "${failures[@]}"; fi
    printf '%d passed, %d failed\n' "$passed" "$failed"
    if [ "$failed" -gt 0 ]; then exit 1; fi
    exit 0
}

# With its own PostgreSQL server. Adds the counts of the run to the total; a run that ends without a summary is one failure.
swift_test() {
    local log summary total broken status=0
    log=$(mktemp)
    bounded "$unit_seconds" .ci/with-postgres.sh swift test --skip-build "${build_options[@]}" 2>&1 | tee "$log" || status=$?
    summary=$(grep -aE 'Test run with [0-9]+ tests?' "$log" | tail -n 1 || true)
    total=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*/\1/p' <<<"$summary")
    broken=$(grep -aE '^\S+ +Test .* failed after [0-9.]+ seconds' "$log" | grep -acv 'Test run with' || true)
    rm -f "$log"
    if [ "$status" -ne 0 ] || [ -z "$total" ]; then
        if [ "$broken" -eq 0 ]; then broken=1; fi
        failures+=("swift test")
    fi
    failed=$((failed + broken))
    if [ "${total:-0}" -gt "$broken" ]; then passed=$((passed + total - broken)); fi
}

stage "lint"
check "lint" .ci/lint.sh

stage "build"
if swift build --build-tests "${build_options[@]}"; then
    pass
else
    fail "swift build"
    finish
fi

# What the contract tests receive; test-generated-clients.sh has generated clients parse it.
RECORDED_RESPONSES=$PWD/.build/recorded-responses.ndjson
export RECORDED_RESPONSES
rm -f "$RECORDED_RESPONSES"
stage "swift test"
AUCTION_ROOM_RECORDED_RESPONSES=$RECORDED_RESPONSES swift_test

stage "simulator"
check "simulator" bounded 1500 .ci/simulate.sh

stage "release build of auction-work"
# Here, because a script has less time than this build takes on a slow machine.
# shellcheck disable=SC2086 — several words on purpose, from the Makefile.
if swift build ${RELEASE:--c release} --product auction-work; then pass; else fail "swift build auction-work"; finish; fi

shopt -s nullglob
scripts=(Tests/scripts/test-*.sh)
if [ ${#scripts[@]} -gt 0 ]; then
    if [ "$configuration" = release ]; then
        stage "release build for the scripts"
        for product in auction-room auction-bench; do
            # shellcheck disable=SC2086 — several words on purpose, from the Makefile.
            swift build ${RELEASE:--c release} --product "$product" || { fail "swift build -c release"; finish; }
        done
    fi
    # The scripts find the program here, independent of how it was built.
    AUCTION_ROOM_BIN="$(swift build -c "$configuration" --show-bin-path)/auction-room"
    export AUCTION_ROOM_BIN
fi
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
trap 'kill "${!running[@]}" 2>/dev/null; exit 130' INT TERM
alone=()
together=()
for script in "${scripts[@]}"; do
    if grep -q '^# Runs alone' "$script"; then alone+=("$script"); else together+=("$script"); fi
done
run_scripts "$scripts_at_once" "${together[@]}"
run_scripts 1 "${alone[@]}"

finish
