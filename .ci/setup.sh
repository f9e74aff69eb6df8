#!/usr/bin/env bash
# setup.sh PACKAGE…: checks that Swift and these Debian packages are installed, and installs missing packages.
set -euo pipefail

stop() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

command -v swift >/dev/null || stop "Swift is not on the PATH. Install Swift 6.3 as https://www.swift.org/install/linux/ says," \
    "then run this again."

if ! command -v dpkg-query >/dev/null; then
    # Not Debian: the libraries may be installed under the package names of another distribution.
    if command -v pkg-config >/dev/null && pkg-config --exists libcrypto libcurl libmicrohttpd libpq sqlite3 zlib; then exit 0; fi
    stop "this system has no Debian packages, so nothing can be installed for you. Install what Debian calls" \
        "$* in your system's own way, so that \`pkg-config --exists libcrypto libcurl libmicrohttpd libpq sqlite3 zlib\` succeeds, then run this again."
fi

missing=()
for package in "$@"; do
    state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

command -v apt-get >/dev/null || stop "these packages are missing and there is no apt-get to install them with: ${missing[*]}"
if [ "$(id -u)" -eq 0 ]; then
    as_root=()
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
    as_root=(sudo)
else
    stop "these Debian packages are missing: ${missing[*]}. Installing them needs root, and neither is this root nor does sudo" \
        "work here. Ask somebody who may to run: apt-get update && apt-get install -y ${missing[*]}"
fi

echo "setup: installing ${missing[*]}"
quietly() {
    local log
    log=$(mktemp)
    if "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 </dev/null; then
        rm -f "$log"
    else
        cat "$log" >&2
        rm -f "$log"
        stop "\`$*\` failed; its output is above."
    fi
}
quietly apt-get update -q
quietly apt-get install -yq --no-install-recommends "${missing[@]}"
