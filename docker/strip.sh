#!/bin/sh
# Strips PROGRAM in place: debugging information goes, and of the symbol table all but functions, whose names a backtrace prints.
# usage: docker/strip.sh PROGRAM
set -eu
symbols=$(mktemp)
functions=$(mktemp)
trap 'rm -f "$symbols" "$functions"' EXIT
nm "$1" >"$symbols"
awk '$2 ~ /^[tTwW]$/ { print $3 }' "$symbols" >"$functions"
[ -s "$functions" ] || { echo "strip.sh: $1 has no symbols; it is stripped already" >&2 && exit 1; }
objcopy --strip-all --keep-symbols="$functions" --remove-section=.comment "$1"
