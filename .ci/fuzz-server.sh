#!/usr/bin/env bash
# Runs the server's fuzzer: requests and frames made from the contract, on the whole server in one process and in simulated time.
# A failure is reduced and printed with the command that reproduces it.
#
# SECONDS_LONG (60): how long it runs, without the build. SEED: the first seed; random if not set.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck disable=SC2086 — several words on purpose, from the Makefile.
swift build ${RELEASE:--c release} --product fuzz-server
fuzz="$(swift build -c release --show-bin-path)/fuzz-server"
"$fuzz" --self-test --hang-seconds 20
"$fuzz" --fixed 200 --seconds "${SECONDS_LONG:-60}" ${SEED:+--seed "$SEED"}
