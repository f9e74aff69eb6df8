#!/usr/bin/env bash
# with-postgres.sh COMMAND…: runs COMMAND with AUCTION_TEST_POSTGRES set to its own PostgreSQL server, which is stopped afterwards.
#
# The server is the system's (Debian's package postgresql), durable as in production, on loopback with a free port and a
# password. AUCTION_TEST_POSTGRES_DATA is its folder, for tests that end and start it with pg_ctl; AUCTION_TEST_POSTGRES_BIN is
# where its programs are. PostgreSQL refuses to run as root; then it runs as the user postgres that the package made.
set -euo pipefail

stop() {
    printf 'with-postgres: %s\n' "$*" >&2
    exit 1
}

[ $# -gt 0 ] || stop "which command?"
binaries=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
if [ -z "$binaries" ]; then binaries=$(dirname "$(command -v postgres || true)"); fi
[ -x "$binaries/initdb" ] || stop "PostgreSQL is missing; \`make setup-test\` installs it"

folder=$(mktemp -d "${TMPDIR:-/tmp}/auction-postgres.XXXXXX")
server=
clean_up() {
    if [ -n "$server" ]; then
        # INT: fast shutdown, without waiting for clients. A server that a test started in its place has another process id.
        kill -INT "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    if [ -f "$folder/data/postmaster.pid" ]; then kill -INT "$(head -n 1 "$folder/data/postmaster.pid")" 2>/dev/null || true; fi
    for _ in $(seq 50); do
        [ -f "$folder/data/postmaster.pid" ] || break
        sleep 0.1
    done
    rm -rf "$folder"
}
trap clean_up EXIT
# Also while the server is being made.
trap 'exit 130' INT TERM

as=()
if [ "$(id -u)" -eq 0 ]; then
    id postgres >/dev/null 2>&1 || stop "PostgreSQL does not run as root, and there is no user postgres"
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
    chown postgres "$folder"
fi

password=$(python3 -c 'import secrets; print(secrets.token_hex(16))')
printf '%s\n' "$password" >"$folder/password"
chmod 644 "$folder/password"
"${as[@]}" "$binaries/initdb" --pgdata="$folder/data" --username=auction --pwfile="$folder/password" --auth=scram-sha-256 \
    --encoding=UTF8 --locale=C.UTF-8 --no-sync >"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log" >&2; stop "initdb failed"; }
rm "$folder/password"

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >>"$folder/data/postgresql.conf" <<SETTINGS
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$folder'
max_connections = 300
shared_buffers = 64MB
SETTINGS
# If this script is killed, the server is stopped too.
setpriv --pdeathsig INT true 2>/dev/null && as=("${as[@]:-setpriv}" --pdeathsig INT)
"${as[@]}" "$binaries/postgres" -D "$folder/data" >"$folder/server.log" 2>&1 </dev/null &
server=$!
export PGPASSWORD=$password
for _ in $(seq 100); do
    if "$binaries/pg_isready" -q -h 127.0.0.1 -p "$port"; then break; fi
    kill -0 "$server" 2>/dev/null || { cat "$folder/server.log" >&2; stop "the server ended"; }
    sleep 0.1
done
unset PGPASSWORD

export AUCTION_TEST_POSTGRES="postgres://auction:$password@127.0.0.1:$port/postgres"
export AUCTION_TEST_POSTGRES_DATA=$folder/data
export AUCTION_TEST_POSTGRES_BIN=$binaries
status=0
"$@" &
command=$!
trap 'kill -TERM "$command" 2>/dev/null; wait "$command" 2>/dev/null; exit 130' INT TERM
wait "$command" || status=$?
exit "$status"
