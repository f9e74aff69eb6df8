#!/usr/bin/env bash
# Makes the release in the folder OUTPUT (.build/release-files): the Debian package, what it contains as SPDX 2.3, and SHA256SUMS.
# The same commit, program and toolchain give the same bytes.
#
# PROGRAM: package this program instead of building one.
# LEVEL: how hard it is compressed, 0 to 9 (6).
# SOURCE_DATE_EPOCH: the time of all files in the package; by default the commit's.
set -euo pipefail
cd "$(dirname "$0")/../.."
umask 022
export LC_ALL=C.UTF-8

stop() {
    printf 'release: %s\n' "$*" >&2
    exit 1
}
output=${OUTPUT:-.build/release-files}
files=docker/debian
version=$(sed -nE 's/.*static let current = "(.*)"/\1/p' Sources/AuctionServer/ServiceVersion.swift)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)} || stop "this is no clone: set SOURCE_DATE_EPOCH"
export SOURCE_DATE_EPOCH=$epoch
architecture=$(dpkg --print-architecture)
package=auction-room_${version}_$architecture.deb

program=${PROGRAM:-}
if [ -z "$program" ]; then
    # shellcheck disable=SC2086 — several words on purpose, from the Makefile.
    swift build ${RELEASE:--c release --static-swift-stdlib} --product auction-room
    # shellcheck disable=SC2086
    program=$(swift build ${RELEASE:--c release --static-swift-stdlib} --show-bin-path)/auction-room
fi
[ "$("$program" --version)" = "$version" ] || stop "$program has another version than $version"
runtime=$(swift -print-target-info | sed -nE 's/.*"runtimeResourcePath": "(.*)".*/\1/p')
backtracer=$(dirname "$(dirname "$runtime")")/libexec/swift/linux/swift-backtrace-static

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
documents=$root/usr/share/doc/auction-room
place() { # place MODE FROM TO
    install -D -m "$1" "$2" "$root/$3"
}
compressed() { # compressed TO: standard input without a time
    mkdir -p "$(dirname "$root/$1")"
    gzip -9n >"$root/$1"
}

place 755 "$program" usr/bin/auction-room
docker/strip.sh "$root/usr/bin/auction-room"
place 755 "$backtracer" usr/libexec/auction-room/swift-backtrace-static
strip --strip-unneeded --remove-section=.comment "$root/usr/libexec/auction-room/swift-backtrace-static"
place 644 $files/auction-room.service usr/lib/systemd/system/auction-room.service
place 644 $files/auction-room.sysusers usr/lib/sysusers.d/auction-room.conf
place 644 $files/auction-room.tmpfiles usr/lib/tmpfiles.d/auction-room.conf
place 640 $files/auction-room.env etc/auction-room/auction-room.env
"$program" --experimental-dump-help | python3 $files/manual.py "$version" "$(date --utc --date="@$epoch" +%F)" |
    compressed usr/share/man/man1/auction-room.1.gz
mkdir -p "$documents" "$root"/usr/share/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
"$program" --generate-completion-script bash >"$root/usr/share/bash-completion/completions/auction-room"
"$program" --generate-completion-script zsh >"$root/usr/share/zsh/vendor-completions/_auction-room"
"$program" --generate-completion-script fish >"$root/usr/share/fish/vendor_completions.d/auction-room.fish"
compressed usr/share/doc/auction-room/changelog.gz <CHANGELOG.md
python3 $files/contents.py copyright "$program" "$version" >"$documents/copyright"

# The libraries that the program loads. Debian 13 has given some of them another name; either will do.
mkdir -p "$work/control/debian" "$root/DEBIAN"
printf 'Source: auction-room\n\nPackage: auction-room\nArchitecture: any\n' >"$work/control/debian/control"
program=$(realpath "$program")
shared=$(cd "$work/control" && dpkg-shlibdeps -O --ignore-missing-info -l"$runtime/linux" "$program" "$root/usr/libexec/auction-room/swift-backtrace-static" 2>"$work/shlibdeps.log") ||
    stop "dpkg-shlibdeps: $(cat "$work/shlibdeps.log")"
depends=$(sed -E 's/^shlibs:Depends=//; s/(libcurl4|libgnutls30|libmicrohttpd12|libssl3)(t64)?( \([^)]*\))?/\1t64\3 | \1\3/g' <<<"$shared")
cat >"$root/DEBIAN/control" <<END
Package: auction-room
Version: $version
Architecture: $architecture
Maintainer: The auction-room maintainers <auction-room@localhost>
Installed-Size: $(find "$root" -type f -printf '%s\n' | awk '{ bytes += $1 } END { print int((bytes + 1023) / 1024) }')
Depends: $depends, init-system-helpers, systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles
Section: web
Priority: optional
Description: server for live auctions over HTTP
 Users open rooms, upload items, bid against each other and a countdown, and receive every event as it happens. Every step is
 an event in a log that is synced to disk before any client receives it. The package runs it as a service on 127.0.0.1:8080.
END
printf '/etc/auction-room/auction-room.env\n' >"$root/DEBIAN/conffiles"
for script in postinst prerm postrm; do install -m 755 "$files/$script" "$root/DEBIAN/$script"; done
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$root" -exec touch --no-dereference --date="@$epoch" {} +

mkdir -p "$output"
rm -f "$output"/auction-room_* "$output/SHA256SUMS"
# One thread, since the number of threads changes the bytes.
dpkg-deb --root-owner-group -Zxz -z"${LEVEL:-6}" --threads-max=1 --build "$root" "$output/$package" >"$work/build.log" || stop "$(cat "$work/build.log")"
python3 $files/contents.py spdx "$program" "$version" "$epoch" "$output/$package" >"$output/auction-room_$version.spdx.json"
(cd "$output" && sha256sum auction-room_* >SHA256SUMS)
printf 'release: %s (%d bytes; the program %d) in %s\n' "$package" "$(stat -c %s "$output/$package")" \
    "$(stat -c %s "$root/usr/bin/auction-room")" "$output"
