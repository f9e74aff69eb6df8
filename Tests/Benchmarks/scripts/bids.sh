#!/usr/bin/env bash
# Measures bids and reads, bare libmicrohttpd and the disk in one run on one machine: the ratios carry over to other machines,
# the figures do not. The log is a real SQLite log in a folder under .build, so .build should be on the disk to be measured.
#
# BENCH_ROUNDS, BENCH_SECONDS (of each measurement), BENCH_ROOMS, BENCH_CONNECTIONS: the size of it.
# BENCH_BASELINE: another auction-room program, such as that of an earlier commit, measured alternately with this one.
set -euo pipefail
cd "$(dirname "$0")/../../.."

rounds=${BENCH_ROUNDS:-5}
seconds=${BENCH_SECONDS:-4}
rooms=${BENCH_ROOMS:-1024}
connections=${BENCH_CONNECTIONS:-64}
scripts=$PWD/Tests/Benchmarks/scripts
export BENCH_REPORT=$scripts/report.lua

stop() {
    printf 'bench: %s\n' "$*" >&2
    exit 1
}

# shellcheck disable=SC2086 — several words on purpose, from the Makefile.
build() { swift build ${RELEASE:--c release} "$@"; }
build --product bare-microhttpd
build --product auction-room
binaries=$(build --show-bin-path)

folder=$(mktemp -d "$PWD/.build/bench.XXXXXX")
case $(stat --file-system --format=%T "$folder") in
    tmpfs | ramfs) stop "$folder is in memory: a commit would cost nothing. Put the clone on a disk." ;;
esac

bare=
server=
baseline=
clean_up() {
    local process
    for process in $bare $server $baseline; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    rm -rf "$folder"
}
trap clean_up EXIT

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
wait_for() { # wait_for PROCESS URL LOG
    for _ in $(seq 100); do
        if python3 -c 'import sys, urllib.request as r; r.urlopen(sys.argv[1], timeout=2)' "$2" 2>/dev/null; then return; fi
        kill -0 "$1" 2>/dev/null || break
        sleep 0.1
    done
    tail -n 20 "$3" >&2
    stop "$2 does not answer; the end of its log is above"
}

bare_port=$(free_port)
"$binaries/bare-microhttpd" "$bare_port" >"$folder/bare.log" 2>&1 &
bare=$!
wait_for "$bare" "http://127.0.0.1:$bare_port/" "$folder/bare.log"

serve() { # serve PROGRAM FOLDER: prepares its rooms there; sets `process` and `port`
    mkdir -p "$2"
    port=$(free_port)
    "$1" serve --host 127.0.0.1 --port "$port" --store "sqlite:$2/rooms.db" \
        --limit-bids-per-second 0 --limit-guests-per-minute 0 --limit-rooms-per-user 0 --limit-commands-per-second 0 >"$2/server.log" 2>&1 &
    process=$!
    wait_for "$process" "http://127.0.0.1:$port/readyz" "$2/server.log"
    echo "preparing $rooms rooms"
    python3 "$scripts/prepare.py" "$port" "$rooms" "$2/rooms.txt"
}
# Their rooms are prepared one after the other; an idle server does not slow the other.
if [ -n "${BENCH_BASELINE:-}" ]; then
    serve "$BENCH_BASELINE" "$folder/baseline"
    baseline=$process
    baseline_port=$port
fi
serve "$binaries/auction-room" "$folder/this"
server=$process

ticks=$(getconf CLK_TCK)
processor_seconds() { # of a process so far
    awk -v ticks="$ticks" '{ sub(/.*\) /, ""); print ($12 + $13) / ticks }' "/proc/$1/stat"
}
measure() { # measure NAME PROCESS PORT SCRIPT CONNECTIONS FOLDER
    local before after result
    before=$(processor_seconds "$2")
    result=$(wrk --threads 1 --connections "$5" --duration "${seconds}s" --script "$scripts/$4" "http://127.0.0.1:$3" -- "$6" |
        sed -n 's/^RESULT //p')
    [ -n "$result" ] || stop "wrk gave no result for $1"
    after=$(processor_seconds "$2")
    echo "$1 $result $(awk -v before="$before" -v after="$after" 'BEGIN { print after - before }')" >>"$folder/measured.txt"
}
# Every round measures everything once, bare and real alternately, so that a slow minute of the machine affects both.
round() {
    measure bare-get "$bare" "$bare_port" reads.lua "$connections" "$folder/this"
    measure get "$server" "$port" reads.lua "$connections" "$folder/this"
    local position=0
    if [ -f "$folder/this/position" ]; then position=$(cat "$folder/this/position"); fi
    measure bare-post "$bare" "$bare_port" bids.lua "$connections" "$folder/this"
    echo "$position" >"$folder/this/position"
    measure post "$server" "$port" bids.lua "$connections" "$folder/this"
    measure single "$server" "$port" bids.lua 1 "$folder/this"
    if [ -n "$baseline" ]; then
        measure baseline-post "$baseline" "$baseline_port" bids.lua "$connections" "$folder/baseline"
        measure baseline-get "$baseline" "$baseline_port" reads.lua "$connections" "$folder/baseline"
        measure baseline-single "$baseline" "$baseline_port" bids.lua 1 "$folder/baseline"
    fi
    echo "fdatasync $(python3 "$scripts/fdatasync.py" "$folder" 1)" >>"$folder/measured.txt"
}

echo "warming up, then $rounds rounds of $seconds s each"
round
rm "$folder/measured.txt"
for number in $(seq "$rounds"); do
    printf 'round %d of %d\n' "$number" "$rounds"
    round
done
echo
python3 "$scripts/table.py" "$folder/measured.txt"
