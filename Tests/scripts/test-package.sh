#!/usr/bin/env bash
# The Debian package is made twice with the same bytes; in a fresh Debian 12 and a fresh Debian 13 apt installs it, and it is served as
# its unit serves it, upgraded over itself and purged (live/package.py). A program that was built on Debian 13 is tried there only.
#
# Needs root or sudo, debootstrap, dpkg-dev, python3, strace and Debian's mirror. The base systems are kept in .cache/roots.
# Covers: docker/debian Sources/AuctionServer/ServiceVersion.swift Sources/auction-room/Options
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "$(id -u)" -ne 0 ]; then exec sudo --non-interactive --preserve-env "$0"; fi

stop() {
    printf 'package: %s\n' "$*" >&2
    exit 1
}
bases=$PWD/.cache/roots
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$bases"

export LEVEL=1
for folder in once again; do
    PROGRAM=$AUCTION_ROOM_BIN OUTPUT=$work/$folder docker/debian/build.sh >"$work/$folder.log" 2>&1 || stop "$(cat "$work/$folder.log")"
done
diff -r "$work/once" "$work/again" || stop "the same program gives another package"
(cd "$work/once" && sha256sum --check --quiet SHA256SUMS) || stop "SHA256SUMS is wrong"

mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources 2>/dev/null | sed -nE 's/^(URIs:|deb) *(http[^ ]*).*/\2/p' |
    grep -m 1 debian || true)
fresh() { # fresh SUITE: a Debian without anything, with this machine's way to the mirror
    if [ ! -e "$bases/$1" ]; then
        rm -rf "$bases/$1.new"
        debootstrap --variant=minbase --include=ca-certificates "$1" "$bases/$1.new" "${mirror:-http://deb.debian.org/debian}" \
            >"$work/$1.log" || stop "debootstrap: $(tail -n 20 "$work/$1.log")"
        mv "$bases/$1.new" "$bases/$1"
    fi
    cp -a "$bases/$1" "$work/$1"
    cp -a /etc/apt/apt.conf.d/. "$work/$1/etc/apt/apt.conf.d/"
    cp -a /etc/ssl/certs/. "$work/$1/etc/ssl/certs/"
    cp /etc/resolv.conf "$work/$1/etc/resolv.conf"
    cp "$work"/once/*.deb "$work/$1/auction-room.deb"
    # A debug build loads Swift's libraries from the toolchain; the release has them inside.
    ldd "$AUCTION_ROOM_BIN" | sed -nE 's/.* => (\S+) \(.*/\1/p' | { grep -vE '^(/usr)?/lib' || true; } |
        xargs --no-run-if-empty cp --parents --target-directory "$work/$1"
}

suites="bookworm trixie"
if ! grep -q bookworm /etc/os-release; then suites=trixie; fi
for suite in $suites; do
    fresh "$suite"
    # What is mounted and started in there ends with it.
    unshare --mount --pid --fork --kill-child --mount-proc bash -euc 'mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        exec python3 Tests/scripts/live/package.py "$1"' _ "$work/$suite"
done
