#!/bin/sh
# Strips PROGRAM in place: debugging information goes, and of the symbol table all but functions, whose names a backtrace prints.
# usage: docker/strip.sh PROGRAM
set -eu
functions=$(mktemp)
trap 'rm -f "$functions"' EXIT
nm "$1" | awk '$2 ~ /^[tTwW]$/ { print $3 }' >"$functions"
objcopy --strip-all --keep-symbols="$functions" --remove-section=.comment "$1"
