#!/usr/bin/env bash
# test-sanitized.sh [thread|address…]: the unit tests under the compiler's sanitizers, each with a build of its own, with a PostgreSQL server.
#
# SANITIZED_SECONDS (900): how long one of them may take. TEST_FILTER: only some of the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

sanitizers=("$@")
[ ${#sanitizers[@]} -gt 0 ] || sanitizers=(thread address)
here=$PWD/.ci
# halt_on_error=0: all reports of a run, not only the first. A report makes the exit code fail in any case.
export TSAN_OPTIONS="halt_on_error=0 suppressions=$here/sanitizers/thread.txt"
# Swift's runtime never frees its metadata, which is not a leak of the program.
export ASAN_OPTIONS="detect_leaks=0 strict_string_checks=1 detect_stack_use_after_return=0"
# The sanitizer's report replaces the backtrace, which would take minutes.
export SWIFT_BACKTRACE=enable=no

# The suppression must hide its one false positive (a counter under a Mutex) and nothing else.
prove_suppression() {
    local folder without=0 with=0 race=0
    folder=$(mktemp -d)
    swiftc -sanitize=thread "$here/sanitizers/mutex.swift" -o "$folder/mutex"
    TSAN_OPTIONS="" "$folder/mutex" mutex >"$folder/log" 2>&1 || without=$?
    "$folder/mutex" mutex >>"$folder/log" 2>&1 || with=$?
    "$folder/mutex" race >>"$folder/log" 2>&1 || race=$?
    if [ "$without" -ne 66 ] || [ "$with" -ne 0 ] || [ "$race" -ne 66 ]; then
        cat "$folder/log" >&2
        printf 'test-sanitized: a Mutex without suppression, with it, and a race: %d %d %d, expected 66 0 66\n' "$without" "$with" "$race" >&2
        exit 1
    fi
    rm -rf "$folder"
    echo "a counter under a Mutex is reported only without the suppression, a race with it too"
}

for sanitizer in "${sanitizers[@]}"; do
    printf '\n== swift test --sanitize=%s\n' "$sanitizer"
    if [ "$sanitizer" = thread ]; then prove_suppression; fi
    options=(--sanitize="$sanitizer" --scratch-path ".build-$sanitizer")
    swift build "${options[@]}" --build-tests -j "${JOBS:-2}" 2>&1 | { grep -vE '^\[[0-9]+/[0-9]+\]|Cannot export local symbol' || true; }
    log=$(mktemp)
    status=0
    timeout --kill-after=10 "${SANITIZED_SECONDS:-900}" .ci/with-postgres.sh swift test "${options[@]}" --skip-build \
        ${TEST_FILTER:+--filter "$TEST_FILTER"} >"$log" 2>&1 || status=$?
    reports=$(grep -acE '(WARNING|ERROR|SUMMARY): (Thread|Address)Sanitizer' "$log" || true)
    if [ "$status" -ne 0 ] || [ "$reports" -ne 0 ]; then
        grep -aE -A25 '(WARNING|ERROR): (Thread|Address)Sanitizer' "$log" | head -n 200 >&2 || true
        grep -aE '✘|Fatal error' "$log" | head -n 40 >&2 || true
        printf 'test-sanitized: %s: exit code %d, %d lines of reports; all of it is in %s\n' "$sanitizer" "$status" "$reports" "$log" >&2
        exit 1
    fi
    grep -aE 'Test run with' "$log" | tail -n 1
    rm -f "$log"
done
