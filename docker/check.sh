#!/usr/bin/env bash
# Builds the image where no container engine runs, and runs what came out of it: buildah with chroot isolation, on Debian 12
# and 13 made by debootstrap, with this machine's Swift toolchain and its package sources. Needs root.
#
# CHECK_ROOT: where the base systems and the images are kept (a few GB); the bases are reused by the next run.
# CHECK_BUILD=0: try the image that the run before has built.
# CHECK_SERVE=0: stop after `auction-room --help`, without serving.
set -euo pipefail
cd "$(dirname "$0")/.."

work=${CHECK_ROOT:-$PWD/.cache/docker-check}
image=auction-room-check
# What https://www.swift.org/install/linux/ asks for on Debian 12, and the ids that the Dockerfile fixes.
prerequisites="binutils git gcc g++ libc6-dev libstdc++-12-dev libcurl4-openssl-dev libedit2 libsqlite3-0 libncurses-dev \
libpython3-dev libxml2-dev pkg-config tzdata zlib1g-dev uuid-dev ca-certificates"
user=10001

say() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }
stop() {
    printf 'check: %s\n' "$*" >&2
    exit 1
}
images() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
build() { images bud --isolation chroot --format docker --layers=false "$@"; }

container=
server=
proc=
clean_up() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
    if [ -n "$proc" ]; then umount "$proc" || true; fi
    if [ -n "$container" ]; then
        images rm "$container" >/dev/null || true
        images rmi --prune >/dev/null || true
    fi
}
trap clean_up EXIT

[ "$(id -u)" -eq 0 ] || stop "needs root, for debootstrap and chroot"
.ci/setup.sh buildah debootstrap jq curl
mkdir -p "$work"

mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources 2>/dev/null | sed -nE 's/^(URIs:|deb) *(http[^ ]*).*/\2/p' |
    grep -m 1 debian || true)
for suite in bookworm trixie; do
    [ ! -e "$work/$suite/base.tar" ] || continue
    say "a bare $suite"
    base=$work/$suite/base
    rm -rf "$base"
    mkdir -p "$work/$suite"
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$base" "${mirror:-http://deb.debian.org/debian}" >"$work/base.log" ||
        { tail -n 20 "$work/base.log" >&2; stop "debootstrap failed"; }
    # This machine's settings, and its package sources if they are of the same release.
    if grep -qs "VERSION_CODENAME=$suite" /etc/os-release; then cp -a /etc/apt/. "$base/etc/apt/"; fi
    cp -a /etc/apt/apt.conf.d/. "$base/etc/apt/apt.conf.d/"
    cp -a /etc/ssl/certs/. "$base/etc/ssl/certs/"
    tar -C "$base" --exclude='./var/cache/apt/archives/*.deb' --exclude='./dev/*' -cf "$work/base.tar.new" .
    mv "$work/base.tar.new" "$work/$suite/base.tar"
    rm -rf "$base"
done

if ! images inspect --type image auction-room-toolchain >/dev/null 2>&1; then
    say "the base images"
    printf 'FROM scratch\nADD base.tar /\n' | build -t auction-room-base -f - "$work/trixie"
    printf 'FROM scratch\nADD base.tar /\n' | build -t auction-room-build-base -f - "$work/bookworm"
    printf 'FROM auction-room-build-base\nRUN apt-get update -q && apt-get install -yq --no-install-recommends %s\n' "$prerequisites" |
        build -t auction-room-toolchain -f - "$work" >"$work/toolchain.log" 2>&1 ||
        { tail -n 20 "$work/toolchain.log" >&2; stop "the image for the toolchain failed"; }
fi

build_image() {
    local swift_home mounts place
    swift_home=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
    mounts=(--volume "$swift_home:$swift_home:ro")
    # This machine's git may redirect package addresses; the build must use the same ones.
    if [ -f /etc/gitconfig ]; then
        mounts+=(--volume /etc/gitconfig:/etc/gitconfig:ro)
        while read -r place; do
            if [ -d "$place" ]; then mounts+=(--volume "${place%/}:${place%/}:ro"); fi
        done < <(git config --system --get-regexp '^url\..*insteadof$' | sed -nE 's/^url\.(.*)\.insteadof .*/\1/p' | sort -u)
    fi
    build -t "$image" -f docker/Dockerfile "${mounts[@]}" \
        --build-arg BUILD_IMAGE=auction-room-toolchain --build-arg RUNTIME_IMAGE=auction-room-base \
        --build-arg SWIFT_HOME="$swift_home" .
}
if [ "${CHECK_BUILD:-1}" != 0 ]; then
    say "the image"
    build_image
fi

say "what the image says of itself"
images inspect --type image "$image" | jq '.Docker.config | {User, Env, ExposedPorts, Volumes, StopSignal, Healthcheck, Entrypoint, Cmd}' |
    tee "$work/config.json"
jq --exit-status --arg user "$user:$user" '.User == $user and .StopSignal == "SIGTERM" and .Healthcheck != null
    and (.Volumes | has("/data")) and (.ExposedPorts | has("8080/tcp"))' "$work/config.json" >/dev/null ||
    stop "user, stop signal, healthcheck, volume or port are not as they should be"

say "what is in it"
container=$(images from --pull=never "$image")
root=$(images mount "$container")
# As in every engine the container has /proc, where a Swift program finds its arguments.
mount --bind /proc "$root/proc"
proc=$root/proc
printf 'the program: %s, the whole image: %s\n' \
    "$(du -sh "$root/usr/local/bin/auction-room" | cut -f1)" "$(du -sh "$root" | cut -f1)"
in_image() { # in_image COMMAND…: as the image's user, with the image's environment, on the image's files
    exec env --ignore-environment "${environment[@]}" chroot --userspec="$user:$user" "$root" "$@"
}
mapfile -t environment < <(jq -r '.Env[]' "$work/config.json")
(in_image ldd /usr/local/bin/auction-room) | tee "$work/ldd.txt"
if grep -q 'not found' "$work/ldd.txt"; then stop "libraries are missing from the runtime image"; fi
(in_image auction-room serve --help)
# A trap is sent to the program while it does something; its backtrace has to name a function of it.
(in_image auction-room serve) 2>"$work/trap.txt" >/dev/null &
server=$!
sleep 2
kill -ILL "$server"
wait "$server" || true
server=
grep -q 'ended by SIGILL' "$work/trap.txt" && grep -q 'Program crashed' "$work/trap.txt" || stop "a trap leaves no backtrace: $(cat "$work/trap.txt")"
if [ "${CHECK_SERVE:-1}" = 0 ]; then
    say "built and started; not served, as CHECK_SERVE=0 asks"
    exit 0
fi

say "serving"
port=${CHECK_PORT:-18080}
environment+=("AUCTION_ROOM_HOST=127.0.0.1" "AUCTION_ROOM_PORT=$port")
(in_image auction-room serve) &
server=$!
for _ in $(seq 100); do
    if curl --silent --fail --max-time 2 "http://127.0.0.1:$port/readyz"; then break; fi
    kill -0 "$server" 2>/dev/null || stop "the server ended before it was ready"
    sleep 0.1
done
curl --silent --show-error --fail --max-time 2 "http://127.0.0.1:$port/readyz" >/dev/null || stop "/readyz does not answer"
(in_image auction-room healthcheck) || stop "the healthcheck fails on a server that is ready"
[ -f "$root/data/rooms.db" ] || stop "the log is not under /data"
kill -TERM "$server"
status=0
wait "$server" || status=$?
server=
[ "$status" -eq 0 ] || stop "SIGTERM ended the server with status $status, not 0"
if (in_image auction-room healthcheck); then stop "the healthcheck succeeds without a server"; fi
say "the image builds, serves, is healthy when it is, and stops on SIGTERM"
