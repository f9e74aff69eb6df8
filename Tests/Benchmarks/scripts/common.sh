# shellcheck shell=bash
# What bids.sh and streams.sh share; they source it.

stop() {
    printf 'bench: %s\n' "$*" >&2
    exit 1
}
measures() { [[ $measures == *" $1 "* ]]; }

# shellcheck disable=SC2086 — several words on purpose, from the Makefile.
build() { swift build ${RELEASE:--c release} "$@"; }

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
wait_for() { # wait_for PROCESS PORT LOG
    for _ in $(seq 100); do
        if (: <"/dev/tcp/127.0.0.1/$2") 2>/dev/null; then return; fi
        kill -0 "$1" 2>/dev/null || break
        sleep 0.1
    done
    tail -n 20 "$3" >&2
    stop "nothing answers on port $2; the end of the log is above"
}
