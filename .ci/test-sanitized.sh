#!/usr/bin/env bash
# test-sanitized.sh [thread|address…]: the unit tests under the compiler's sanitizers, each with a build of its own, with a PostgreSQL server.
#
# SANITIZED_SECONDS (1800): how long one of them may take. TEST_FILTER: only some of the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

sanitizers=("$@")
[ ${#sanitizers[@]} -gt 0 ] || sanitizers=(thread address)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
suppressions="suppressions=$PWD/.ci/sanitizers/thread.txt"
# halt_on_error=0: all reports of a run, not only the first. A report makes the exit code fail in any case.
export TSAN_OPTIONS="halt_on_error=0:$suppressions"
# Swift's runtime never frees its metadata, which is not a leak of the program.
export ASAN_OPTIONS="detect_leaks=0 strict_string_checks=1 detect_stack_use_after_return=0"
# The sanitizer's report replaces the backtrace, which would take minutes.
export SWIFT_BACKTRACE=enable=no

# expect <program of library.swift> <exit code without annotations and suppression> <with them>
expect() {
    local without=0 with=0
    TSAN_OPTIONS="halt_on_error=1" "$work/library" "$1" >"$work/log" 2>&1 || without=$?
    TSAN_OPTIONS="halt_on_error=1:$suppressions" LD_PRELOAD="$work/library.so" "$work/library" "$1" >>"$work/log" 2>&1 || with=$?
    if [ "$without" -ne "$2" ] || [ "$with" -ne "$3" ]; then
        cat "$work/log" >&2
        printf 'test-sanitized: library.swift %s: exit code %d without annotations and %d with them, expected %d and %d\n' \
            "$1" "$without" "$with" "$2" "$3" >&2
        exit 1
    fi
}

# Builds the annotations of Swift's Mutex, and checks that they and the suppression end false reports and hide no race.
annotate_library() {
    clang -O2 -shared -fPIC -Wall -Werror -o "$work/library.so" .ci/sanitizers/library.c
    swiftc -sanitize=thread .ci/sanitizers/library.swift -o "$work/library"
    expect counter 66 0
    expect object 66 0
    expect empty 66 0
    expect race 66 66
    echo "three correct programs are reported only without the annotations and the suppression, a race with them too"
}

for sanitizer in "${sanitizers[@]}"; do
    printf '\n== swift test --sanitize=%s\n' "$sanitizer"
    preload=
    if [ "$sanitizer" = thread ]; then
        annotate_library
        preload=$work/library.so
    fi
    options=(--sanitize="$sanitizer" --scratch-path ".build-$sanitizer")
    swift build "${options[@]}" --build-tests -j "${JOBS:-2}" 2>&1 | { grep -vE '^\[[0-9]+/[0-9]+\]|Cannot export local symbol' || true; }
    log=$(mktemp)
    status=0
    timeout --kill-after=10 "${SANITIZED_SECONDS:-1800}" .ci/with-postgres.sh env LD_PRELOAD="$preload" \
        swift test "${options[@]}" --skip-build ${TEST_FILTER:+--filter "$TEST_FILTER"} >"$log" 2>&1 || status=$?
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
