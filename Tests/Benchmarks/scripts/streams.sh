#!/usr/bin/env bash
# Measures fan-out, and that of nginx with nchan (one worker), with the same client in one run on one machine: the ratios carry over
# to other machines, the figures do not.
#
# BENCH_ROUNDS, BENCH_SECONDS (of each measurement), BENCH_SUBSCRIBERS, BENCH_IN_FLIGHT (messages at once; several to measure each),
# BENCH_STORE ("memory:", whose file is in memory here, or "sqlite" for a real log under .build), BENCH_MEASURES (any of "fanout bids screens stalled"),
# BENCH_TRANSPORTS: the size of it. BENCH_JSON: a file for the figures of every round.
# AUCTION_ROOM_BIN, BENCH_PROGRAMS (a folder with auction-bench): programs to measure instead of a new build.
set -euo pipefail
cd "$(dirname "$0")/../../.."

rounds=${BENCH_ROUNDS:-5}
seconds=${BENCH_SECONDS:-4}
subscribers=${BENCH_SUBSCRIBERS:-5000}
store=${BENCH_STORE:-memory:}
in_flight=${BENCH_IN_FLIGHT:-8}
measures=" ${BENCH_MEASURES:-fanout bids screens stalled} "
transports=${BENCH_TRANSPORTS:-websocket sse long-poll}
scripts=$PWD/Tests/Benchmarks/scripts
# About what a `bid.placed` event has.
bid_event_bytes=340
# shellcheck source=Tests/Benchmarks/scripts/common.sh
. "$scripts/common.sh"

ulimit -n "$(ulimit -Hn)"
[ "$(ulimit -n)" -ge $((subscribers + 1000)) ] || stop "$subscribers subscribers need a higher limit of open files (ulimit -Hn)"

programs=${BENCH_PROGRAMS:-}
if [ -z "$programs" ]; then
    build --product auction-bench
    programs=$(build --show-bin-path)
fi
binary=${AUCTION_ROOM_BIN:-}
if [ -z "$binary" ]; then
    build --product auction-room
    binary=$(build --show-bin-path)/auction-room
fi

mkdir -p .build
folder=$(mktemp -d "$PWD/.build/bench.XXXXXX")
server=
nginx=
server_options=()
end_process() {
    [ -n "$1" ] || return 0
    kill "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
}
clean_up() {
    end_process "$nginx"
    end_process "$server"
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 143' TERM INT

start_server() { # a new one for every measurement, so that its memory is that of this one
    local log="$store"
    if [ "$store" = sqlite ]; then
        rm -f "$folder"/rooms.db*
        log="sqlite:$folder/rooms.db"
    fi
    port=$(free_port)
    TMPDIR=/dev/shm "$binary" serve --host 127.0.0.1 --port "$port" --store "$log" --limit-bids-per-second 0 --limit-guests-per-minute 0 \
        --limit-rooms-per-user 0 --limit-commands-per-second 0 --limit-messages-per-second 0 --limit-streams-per-user 0 \
        --limit-connections-per-address 0 --limit-connections $((16000 + 4 * subscribers)) \
        --log-level warning "${server_options[@]}" \
        >"$folder/server.log" 2>&1 &
    server=$!
    wait_for "$server" "$port" "$folder/server.log"
    python3 "$scripts/prepare.py" "$port" 65 "$folder/rooms.txt"
}
stop_server() {
    end_process "$server"
    server=
}

start_nginx() {
    nginx_port=$(free_port)
    mkdir -p "$folder/nginx"
    cat >"$folder/nginx.conf" <<CONFIGURATION
load_module /usr/lib/nginx/modules/ngx_nchan_module.so;
daemon off;
worker_processes 1;
worker_rlimit_nofile $(ulimit -n);
pid $folder/nginx/pid;
error_log $folder/nginx/error.log error;
events { worker_connections $((subscribers + 1000)); }
http {
    access_log off;
    keepalive_requests 100000000;
    client_body_temp_path $folder/nginx/body;
    proxy_temp_path $folder/nginx/proxy;
    fastcgi_temp_path $folder/nginx/fastcgi;
    uwsgi_temp_path $folder/nginx/uwsgi;
    scgi_temp_path $folder/nginx/scgi;
    nchan_shared_memory_size 256M;
    server {
        listen 127.0.0.1:$nginx_port backlog=4096;
        location = /subscribe {
            nchan_subscriber websocket eventsource longpoll;
            nchan_channel_id bench;
            nchan_subscriber_first_message newest;
        }
        location = /publish {
            nchan_publisher http;
            nchan_channel_id bench;
            nchan_message_buffer_length 100;
            nchan_message_timeout 1m;
        }
    }
}
CONFIGURATION
    nginx -e "$folder/nginx/error.log" -c "$folder/nginx.conf" 2>"$folder/nginx.log" &
    nginx=$!
    wait_for "$nginx" "$nginx_port" "$folder/nginx/error.log"
    # The port is open before the worker has started.
    until grep -q . "/proc/$nginx/task/$nginx/children"; do sleep 0.05; done
    nginx_processes="$nginx,$(paste -sd, "/proc/$nginx/task/$nginx/children" | tr -s ' ' ',' | sed 's/,$//')"
}
stop_nginx() {
    end_process "$nginx"
    nginx=
}

# The same client for both servers.
load() { timeout $((seconds * 4 + 120)) "$programs/auction-bench" stream --seconds "$seconds" "$@"; }
record() { # record NAME FIGURES
    [ -n "$2" ] || stop "there is no figure for $1"
    echo "$1 $2" | tee -a "$folder/measured.txt"
}
# measure_… NAME OPTION…: a line "NAME figure=value …" each.
measure_room() {
    start_server
    record "$1" "$(load --url "http://127.0.0.1:$port" --rooms "$folder/rooms.txt" --server-pid "$server" "${@:2}")"
    stop_server
}
measure_channel() {
    start_nginx
    record "$1" "$(load --url "http://127.0.0.1:$nginx_port" --subscribe-path /subscribe --publish-path /publish \
        --server-pid "$nginx_processes" "${@:2}")"
    stop_nginx
}

for number in $(seq "$rounds"); do
    printf 'round %d of %d\n' "$number" "$rounds"
    # Both servers alternately, so that a slow minute of the machine affects both.
    if measures fanout; then
        for messages in $in_flight; do
            for transport in $transports; do
                options=(--transport "$transport" --subscribers "$subscribers" --in-flight "$messages")
                measure_room "room-$transport-$messages" "${options[@]}"
                measure_channel "nchan-$transport-$messages" "${options[@]}"
            done
        done
    fi
    if measures bids; then
        measure_room bids --transport websocket --subscribers "$subscribers" --rate "${BENCH_RATE:-10}" --bids 16 --bid-rate 300
    fi
    if measures screens; then
        # From when a bid is due to when the last subscriber has its event; a message of the same size through the channel.
        for transport in $transports; do
            if [ "$transport" = long-poll ]; then continue; fi
            options=(--transport "$transport" --subscribers "$subscribers" --rate "${BENCH_RATE:-10}" --seconds $((seconds * 3)))
            measure_room "screens-$transport" --publish-bids "${options[@]}"
            measure_channel "nchan-screens-$transport" --size "$bid_event_bytes" "${options[@]}"
        done
    fi
    if measures stalled; then
        # A low rate, so that no client waits for the processor, and small buffers, so that a stalled reader is disconnected
        # within the measurement.
        server_options=(--limit-memory 64M)
        for stalled in 0 10; do
            measure_room "stalled-$stalled" --transport websocket --subscribers 2000 --stalled $stalled --rate 25 --size 500 \
                --seconds $((seconds + 8))
        done
        server_options=()
    fi
done
echo
python3 "$scripts/streams_table.py" "$folder/measured.txt" "${BENCH_JSON:-}"
