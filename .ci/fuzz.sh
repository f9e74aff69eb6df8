#!/usr/bin/env bash
# fuzz.sh [TARGET…]: libFuzzer with AddressSanitizer on each target (all of them without arguments), one after another.
#
# SECONDS_EACH (60): how long each runs. Inputs with new coverage go to .build-fuzz/corpus/TARGET, crashes to
# .build-fuzz/found. A crash that should become a test is minimised and put into Tests/Corpora/TARGET, which `make test` replays.
set -euo pipefail
cd "$(dirname "$0")/.."

targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    # Every target has a corpus.
    targets=(Tests/Corpora/*/)
    targets=("${targets[@]%/}")
    targets=("${targets[@]##*/}")
fi
seconds=${SECONDS_EACH:-60}
build=.build-fuzz
# Optimised, but with every check of the debug build that traps: overflows, bounds, preconditions.
AUCTION_ROOM_FUZZ=1 swift build --scratch-path "$build" -c release --product fuzz -j "${JOBS:-2}" \
    -Xswiftc -sanitize=fuzzer,address 2>&1 |
    { grep -vE "Cannot export local symbol|^\[[0-9]+/[0-9]+\]" || true; }
program="$build/release/fuzz"

mkdir -p "$build/found"
# Without the backtracer: a crash prints its input anyway.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
for target in "${targets[@]}"; do
    corpus="$build/corpus/$target"
    mkdir -p "$corpus"
    printf 'fuzz: %s for %d s\n' "$target" "$seconds"
    log="$build/found/$target.log"
    status=0
    FUZZ_TARGET=$target "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=2048 -print_final_stats=1 \
        -artifact_prefix="$build/found/$target-" "$corpus" "Tests/Corpora/$target" >"$log" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
        tail -n 40 "$log" >&2
        printf 'fuzz: %s broke; its input is in %s/found\n' "$target" "$build" >&2
        exit 1
    fi
    sed -nE 's/^stat::number_of_executed_units: +/  executions: /p; s/^stat::average_exec_per_sec: +/  a second: /p' "$log"
    grep -aE '^#[0-9]+.*DONE' "$log" || true
done
