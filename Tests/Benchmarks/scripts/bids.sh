#!/usr/bin/env bash
# Measures bids and reads, and beside them bare libmicrohttpd, other servers and the disk, in one run on one machine: the ratios
# carry over to other machines, the figures do not. The log is a real SQLite log in a folder under .build, so .build should be on the
# disk to be measured.
#
# BENCH_ROUNDS, BENCH_SECONDS (of each measurement), BENCH_ROOMS, BENCH_CONNECTIONS: the size of it.
# BENCH_MEASURES: any of "reads bids keyed hot single node redis hummingbird". BENCH_JSON: a file for the figures of every round.
# BENCH_BASELINE: another auction-room program, such as that of an earlier commit, measured alternately with this one.
# AUCTION_ROOM_BIN, BENCH_PROGRAMS (a folder with bare-microhttpd): programs to measure instead of a new build.
# BENCH_HUMMINGBIRD: the program of Tests/Benchmarks/hummingbird-sqlite, which is not built here; without it it is not measured.
set -euo pipefail
cd "$(dirname "$0")/../../.."

rounds=${BENCH_ROUNDS:-5}
seconds=${BENCH_SECONDS:-4}
rooms=${BENCH_ROOMS:-1024}
connections=${BENCH_CONNECTIONS:-64}
measures=" ${BENCH_MEASURES:-reads bids keyed hot single node redis hummingbird} "
scripts=$PWD/Tests/Benchmarks/scripts
binary=${AUCTION_ROOM_BIN:-}
programs=${BENCH_PROGRAMS:-}
# shellcheck source=Tests/Benchmarks/scripts/common.sh
. "$scripts/common.sh"

if [ -z "$programs" ]; then
    build --product bare-microhttpd
    programs=$(build --show-bin-path)
fi
if [ -z "$binary" ]; then
    build --product auction-room
    binary=$(build --show-bin-path)/auction-room
fi

mkdir -p .build
folder=$(mktemp -d "$PWD/.build/bench.XXXXXX")
case $(stat --file-system --format=%T "$folder") in
    tmpfs | ramfs) stop "$folder is in memory: a commit would cost nothing. Put the clone on a disk." ;;
esac

processes=()
clean_up() {
    local process
    for process in "${processes[@]}"; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 143' TERM INT

start() { # start NAME COMMAND…, which serves on $port; sets `process` and `port`
    local name=$1
    port=$(free_port)
    "${@:2}" >"$folder/$name.log" 2>&1 &
    process=$!
    processes+=("$process")
    wait_for "$process" "$port" "$folder/$name.log"
}
serve() { # serve NAME PROGRAM: prepares its rooms; sets `process` and `port`
    mkdir -p "$folder/$1" "$folder/$1-hot"
    start "$1" run_server "$2" "$folder/$1"
    echo "preparing $rooms rooms"
    python3 "$scripts/prepare.py" "$port" "$rooms" "$folder/$1/rooms.txt"
    python3 "$scripts/prepare.py" "$port" 1 "$folder/$1-hot/rooms.txt"
}
run_server() {
    exec "$1" serve --host 127.0.0.1 --port "$port" --store "sqlite:$2/rooms.db" --log-level warning --limit-bids-per-second 0 \
        --limit-guests-per-minute 0 --limit-rooms-per-user 0 --limit-commands-per-second 0
}
run_bare() { exec "$programs/bare-microhttpd" "$port"; }
run_node() { exec node "$scripts/../node-http/server.mjs" "$port"; }
run_hummingbird() { exec "$BENCH_HUMMINGBIRD" "$port" "$1/bids.db"; }
run_redis() { # durable as a bid here is: the answer follows the sync of its log
    exec redis-server --bind 127.0.0.1 --port "$port" --dir "$1" --daemonize no --save "" --appendonly yes --appendfsync always
}

# Their rooms are prepared one after the other; an idle server does not slow the other.
baseline=
if [ -n "${BENCH_BASELINE:-}" ]; then
    serve baseline "$BENCH_BASELINE"
    baseline=$process
    baseline_port=$port
fi
serve this "$binary"
server=$process
server_port=$port
start bare run_bare
bare=$process
bare_port=$port
node=
if measures node; then
    if command -v node >/dev/null; then
        start node run_node
        node=$process
        node_port=$port
    else
        echo "node is not installed, and not measured"
    fi
fi
redis=
if measures redis; then
    if command -v redis-server >/dev/null; then
        mkdir -p "$folder/redis"
        start redis run_redis "$folder/redis"
        redis=$process
        redis_port=$port
    else
        echo "redis-server is not installed, and not measured"
    fi
fi

hummingbird=
if measures hummingbird && [ -n "${BENCH_HUMMINGBIRD:-}" ]; then
    # The same rooms and users: it knows any.
    mkdir -p "$folder/hummingbird"
    cp "$folder/this/rooms.txt" "$folder/hummingbird"
    start hummingbird run_hummingbird "$folder/hummingbird"
    hummingbird=$process
    hummingbird_port=$port
fi

measure() { # measure NAME PROCESS PORT SCRIPT CONNECTIONS FOLDER
    python3 "$scripts/measure.py" wrk "$@" "$seconds" >>"$folder/measured.ndjson" || stop "$1 could not be measured"
}
measure_redis() { # measure_redis NAME LOTS
    python3 "$scripts/measure.py" redis "$1" "$redis" "$redis_port" "$2" "$connections" "$seconds" >>"$folder/measured.ndjson" ||
        stop "Redis could not be measured"
}
# A server that keeps nothing gets the same bids, and leaves their number as it was.
measure_constant() {
    local position=0 file=$6/position
    if [ -f "$file" ]; then position=$(cat "$file"); fi
    measure "$@"
    echo "$position" >"$file"
}
# Every round measures everything once, so that a slow minute of the machine affects all.
round() {
    if measures reads; then
        measure bare-get "$bare" "$bare_port" reads.lua "$connections" "$folder/this"
        measure get "$server" "$server_port" reads.lua "$connections" "$folder/this"
        if [ -n "$baseline" ]; then
            measure baseline-get "$baseline" "$baseline_port" reads.lua "$connections" "$folder/baseline"
        fi
    fi
    if measures bids; then
        measure_constant bare-post "$bare" "$bare_port" bids.lua "$connections" "$folder/this"
        measure post "$server" "$server_port" bids.lua "$connections" "$folder/this"
        if [ -n "$baseline" ]; then
            measure baseline-post "$baseline" "$baseline_port" bids.lua "$connections" "$folder/baseline"
        fi
    fi
    if measures keyed; then BENCH_KEYED=1 measure keyed "$server" "$server_port" bids.lua "$connections" "$folder/this"; fi
    if measures hot; then measure hot "$server" "$server_port" bids.lua "$connections" "$folder/this-hot"; fi
    # Right before the lone bids, which are compared with it.
    echo "{\"name\": \"fdatasync\", \"p50\": $(python3 "$scripts/fdatasync.py" "$folder" 1)}" >>"$folder/measured.ndjson"
    if measures single; then
        measure single "$server" "$server_port" bids.lua 1 "$folder/this"
        if [ -n "$baseline" ]; then measure baseline-single "$baseline" "$baseline_port" bids.lua 1 "$folder/baseline"; fi
    fi
    if [ -n "$node" ]; then measure_constant node "$node" "$node_port" bids.lua "$connections" "$folder/this"; fi
    if [ -n "$hummingbird" ]; then
        measure hummingbird "$hummingbird" "$hummingbird_port" bids.lua "$connections" "$folder/hummingbird"
    fi
    if [ -n "$redis" ]; then
        measure_redis redis "$rooms"
        measure_redis redis-hot 1
    fi
}

echo "warming up, then $rounds rounds of $seconds s each"
round
rm "$folder/measured.ndjson"
for number in $(seq "$rounds"); do
    printf 'round %d of %d\n' "$number" "$rounds"
    round
done
echo
python3 "$scripts/table.py" "$folder/measured.ndjson" "${BENCH_JSON:-}"
