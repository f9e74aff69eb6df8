#!/usr/bin/env bash
# Counts the instructions and allocations of a bid, a refusal and a read: the whole server in one thread, from the request's head to
# the published events, without libmicrohttpd, sockets and disk. The counts hardly depend on the machine and not at all on its load, so
# they are bounded; they say nothing about waiting, system calls and caches, which `make bench` measures. Needs valgrind.
#
# A figure that has grown on purpose gets a new bound here, in the commit that explains it. COUNT: how often each is done.
# AUCTION_WORK_BIN: an auction-work to count instead of a new build. SERVER=1: then the instructions of the real server as well (live/work.py),
# a new build of it or AUCTION_ROOM_BIN.
# Covers: Tests/Benchmarks/auction-work Sources/AuctionDomain Sources/AuctionServer Sources/AuctionService Sources/EventLog
# Covers: Sources/ExactJSON Sources/Permissions
set -euo pipefail
cd "$(dirname "$0")/../.."

count=${COUNT:-400}
# What                instructions  allocations: three per cent above what was counted.
bounds="bid           111200   57
keyed-bid      134300   67
refusal         69300   35
room            41800   21
events          69600   62"

built() { # built PRODUCT: builds it and prints its path
    # shellcheck disable=SC2086 — several words on purpose, from the Makefile.
    swift build ${RELEASE:-$(make -s release-options)} --product "$1" >&2 || return 1
    printf '%s/%s' "$(swift build -c release --show-bin-path)" "$1"
}
binary=${AUCTION_WORK_BIN:-}
[ -n "$binary" ] || binary=$(built auction-work)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Debian's valgrind does not read the debug information of this compiler.
strip -o "$folder/auction-work" "$binary"
export SWIFT_DETERMINISTIC_HASHING=1 SWIFT_BACKTRACE=enable=no

instructions() { # instructions KIND COUNT
    valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$folder/auction-work" "$1" --count "$2" 2>&1 |
        sed -nE 's/.*I +refs: +//p' | tr -d ,
}
allocations() { # allocations KIND COUNT
    valgrind --leak-check=no --undef-value-errors=no "$folder/auction-work" "$1" --count "$2" 2>&1 |
        sed -nE 's/.*total heap usage: ([0-9,]+) allocs.*/\1/p' | tr -d ,
}
each() { # each COUNTER KIND: the difference between a short and a long run is that of the work alone
    local short long
    # A shell in $(…) does not end by itself if a command fails.
    "$folder/auction-work" "$2" --count $((100 + count)) >&2 || exit 1
    short=$("$1" "$2" 100) || exit 1
    long=$("$1" "$2" $((100 + count))) || exit 1
    if [ -z "$short" ] || [ -z "$long" ] || [ "$long" -le "$short" ]; then
        printf 'test-work: %s of %s cannot be counted\n' "$1" "$2" >&2
        exit 1
    fi
    echo $(((long - short) / count))
}

beyond=0
printf '%-10s %13s %10s %12s %10s\n' "" instructions bound allocations bound
while read -r kind most_instructions most_allocations; do
    spent=$(each instructions "$kind") || exit 1
    allocated=$(each allocations "$kind") || exit 1
    printf '%-10s %13d %10d %12d %10d\n' "$kind" "$spent" "$most_instructions" "$allocated" "$most_allocations"
    if [ "$spent" -gt "$most_instructions" ] || [ "$allocated" -gt "$most_allocations" ]; then beyond=$((beyond + 1)); fi
done <<<"$bounds"
if [ "${SERVER:-0}" = 1 ]; then
    server=${AUCTION_ROOM_BIN:-}
    [ -n "$server" ] || server=$(built auction-room)
    strip -o "$folder/auction-room" "$server"
    AUCTION_ROOM_BIN=$folder/auction-room COUNT=${SERVER_COUNT:-2000} python3 -u Tests/scripts/live/work.py || exit 1
fi
if [ "$beyond" -gt 0 ]; then
    printf 'test-work: %d of them cost more than their bounds\n' "$beyond" >&2
    exit 1
fi
