#!/usr/bin/env bash
# unit-tests.sh [OPTION…]: runs the Swift tests that were built, with the options of `swift test --filter` and `--skip`. As two processes
# at the same time: tests that wait for a socket block a thread, and a process has one thread a processor. Each half prints its own
# summary. Called under .ci/with-postgres.sh. Fails if a half fails, or if no test is selected.
set -euo pipefail
cd "$(dirname "$0")/.."

# Half of the time, on real sockets.
sockets='^(AuctionServerTests|MicroHTTPTests|OutboundHTTPTests)\.'
others='^(?!AuctionServerTests\.|MicroHTTPTests\.|OutboundHTTPTests\.)'

program=$(swift build --show-bin-path)/auction-roomPackageTests.xctest
processes=()
trap 'kill "${processes[@]}" 2>/dev/null || true' EXIT
for half in "$others" "$sockets"; do
    "$program" --testing-library swift-testing "$@" --skip "$half" &
    processes+=($!)
done
status=0
empty=0
for process in "${processes[@]}"; do
    ended=0
    wait "$process" || ended=$?
    # 69: no test of this half is selected.
    case $ended in 0) ;; 69) empty=$((empty + 1)) ;; *) status=$ended ;; esac
done
if [ "$empty" -eq 2 ]; then
    echo "unit-tests: no test has such a name" >&2
    status=69
fi
exit "$status"
