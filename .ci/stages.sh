# What .ci/test.sh and .ci/test-all.sh share; sourced by both. Stages are counted as passed or failed, and their seconds are printed at
# their ends, of the clock and of the processor. The processor's are compared with .ci/budget when all have ended (.ci/budget.py).
# shellcheck shell=bash

# An import of a target that is not a declared dependency is an error, so that Package.swift shows all dependencies.
build_options=(--explicit-target-dependency-import-check error)
scripts_at_once=${SCRIPTS_AT_ONCE:-2}
script_seconds=${SCRIPT_SECONDS:-720}
unit_seconds=${UNIT_SECONDS:-600}

passed=0
failed=0
failures=()
proven=()
started=$SECONDS
# Of the processor before the stages, set by those who judge them (`finish`).
calibration=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declare -A running=()
# Scripts whose first failure is not counted: empty, or `failed`.
declare -A repeats=()
trap 'stop_running; exit 130' INT TERM

stop_running() {
    [ ${#running[@]} -eq 0 ] || kill "${!running[@]}" 2>/dev/null || true
}
pass() {
    passed=$((passed + 1))
    proven+=("$1")
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
    trap 'stop_running; exit 130' INT TERM
    if [ "$status" -eq 124 ]; then printf 'still running after %d s, ended\n' "$1" >&2; fi
    return "$status"
}
# measured NAME COMMAND…: runs the command in a shell of its own, which notes its seconds.
measured() (
    name=${1//\//-}
    shift
    status=0
    begun=$SECONDS
    "$@" || status=$?
    # Not through a pipe: its shells have times of their own.
    times >"$work/$name.times"
    awk -v clock=$((SECONDS - begun)) '
        { for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); spent += part[1] * 60 + part[2] } }
        END { printf "%d %.1f\n", clock, spent }' "$work/$name.times" >"$work/$name.seconds"
    exit "$status"
)
# ended NAME: prints the seconds of a stage, and keeps those of the processor for the comparison.
ended() {
    local clock='?' processor='?'
    if [ -f "$work/${1//\//-}.seconds" ]; then
        read -r clock processor <"$work/${1//\//-}.seconds"
        printf '%s %s\n' "$processor" "$1" >>"$work/measured"
    fi
    printf '== %s: %s s, %s s of processor time (%d s since the start)\n' "$1" "$clock" "$processor" $((SECONDS - started))
}
# stage NAME COMMAND…: runs it, prints what it prints, and counts it.
stage() {
    local status=0
    printf '\n== %s\n' "$1"
    measured "$@" || status=$?
    ended "$1"
    if [ "$status" -eq 0 ]; then pass "$1"; else fail "$1"; fi
    return "$status"
}
# job NAME COMMAND…: begins it beside others. What it prints is shown by `job_ended`.
job() {
    measured "$@" >"$work/${1//\//-}.log" 2>&1 &
    running[$!]=$1
}
# job_ended: waits for one of the jobs, and counts it; one that `repeats` has, if it failed, later (run_all_scripts).
job_ended() {
    local process='' status=0 name
    wait -n -p process "${!running[@]}" || status=$?
    name=${running[$process]}
    unset "running[$process]"
    printf '\n'
    cat "$work/${name//\//-}.log"
    ended "$name"
    if [ "$status" -eq 0 ]; then
        pass "$name"
    elif [ -v "repeats[$name]" ]; then
        repeats[$name]=failed
        printf 'FAILED beside another script, runs again alone: %s\n' "$name" >&2
    else
        fail "$name"
    fi
}
all_jobs_ended() {
    while [ ${#running[@]} -gt 0 ]; do job_ended; done
}
release_builds() { # release_builds PRODUCT…
    local product
    for product in "$@"; do
        # shellcheck disable=SC2086 — several words on purpose, from the Makefile.
        swift build ${RELEASE:--c release} --product "$product" || return 1
    done
}
# The program with which scripts audit events. A release build, for the simulator has its modules, and in debug it takes as long as the
# program that it audits.
auditor() { printf '%s/audit-events' "$(swift build -c release --show-bin-path)"; }
# run_scripts MOST SCRIPT…: at most so many jobs at once.
run_scripts() {
    local most=$1 script
    shift
    for script in "$@"; do
        [ -x "$script" ] || { fail "$script is not executable"; continue; }
        while [ ${#running[@]} -ge "$most" ]; do job_ended; done
        job "$script" bounded "$script_seconds" "$script"
    done
}
# run_all_scripts SCRIPT…: two at once; then, one by one, those with a line "# Runs alone", which measure something, and those that failed
# beside another: a machine that is too slow for two at once is no fault of the tree.
run_all_scripts() {
    local script alone=() together=()
    for script in "$@"; do
        if grep -q '^# Runs alone' "$script"; then alone+=("$script"); else together+=("$script"); fi
    done
    if [ "$scripts_at_once" -gt 1 ]; then for script in "${together[@]}"; do repeats[$script]=; done; fi
    run_scripts "$scripts_at_once" "${together[@]}"
    all_jobs_ended
    for script in "${together[@]}"; do
        if [ "${repeats[$script]:-}" = failed ]; then alone+=("$script"); fi
    done
    repeats=()
    run_scripts 1 "${alone[@]}"
    all_jobs_ended
}

# swift_test NAME [OPTION…]: with a PostgreSQL server of its own. Adds the counts of the run to the total; a run that ends without a
# summary is one failure.
swift_test() {
    local name=$1 log=$work/swift-test.log total broken status=0
    shift
    printf '\n== %s\n' "$name"
    measured "$name" bounded "$unit_seconds" .ci/with-postgres.sh .ci/unit-tests.sh "$@" >"$log" 2>&1 || status=$?
    # A line for each of thousands of tests would hide the rest.
    if [ "$status" -eq 0 ]; then grep -aE 'Test run with' "$log"; else cat "$log"; fi
    ended "$name"
    # A summary of each half.
    total=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*/\1/p' "$log" | awk '{ total += $1 } END { print total + 0 }')
    broken=$(grep -aE '^\S+ +Test .* failed after [0-9.]+ seconds' "$log" | grep -acv 'Test run with' || true)
    if [ "$status" -ne 0 ] || [ "${total:-0}" -eq 0 ]; then
        if [ "$broken" -eq 0 ]; then broken=1; fi
        failures+=("$name")
    fi
    failed=$((failed + broken))
    if [ "${total:-0}" -gt "$broken" ]; then passed=$((passed + total - broken)); fi
    if [ "$broken" -eq 0 ]; then proven+=("$name"); fi
}
# The state of the tree: the same for the same files, in a clone and outside.
tree() {
    find . \( -path ./.git -o -path './.build*' -o -path ./.cache -o -path ./.swiftpm -o -path ./data -o -name __pycache__ \) -prune -o \
        -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c -64
}
# finish: judges the seconds, prints the total and ends.
finish() {
    printf '\n'
    if [ -f "$work/measured" ]; then
        if .ci/budget.py judge .ci/budget "$work/measured" "$calibration" "$(.ci/budget.py calibrate)"; then pass budget; else fail budget; fi
    fi
    if [ ${#failures[@]} -gt 0 ]; then printf 'failed: %s\n' "${failures[@]}"; fi
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ]
}
