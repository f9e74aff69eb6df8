#!/usr/bin/env bash
# Runs the simulator. First every known bug is planted, and the auditor has to find each: otherwise a run without findings proves
# nothing. Then the seeds: four fifths are 1, 2, 3… and the same every time, the rest are random. Fails if the auditor finds a
# violation, if the time is too short for all seeds, or if they make less than 100 commands each.
#
# SEEDS: how many runs. FIXED_SEEDS: how many of them are the same every time. SIMULATION_SECONDS: how long they may take together, without the build. A release build: in debug a
# seed takes twenty times as long.
set -euo pipefail
cd "$(dirname "$0")/.."

seeds=${SEEDS:-10000}
seconds=${SIMULATION_SECONDS:-300}

# shellcheck disable=SC2086 — several words on purpose, from the Makefile.
swift build ${RELEASE:--c release} --product simulate
simulate="$(swift build -c release --show-bin-path)/simulate"
timeout --kill-after=10 600 "$simulate" --self-test
# A hanging run would block its thread: the last minute is for ending it.
timeout --kill-after=10 $((seconds + 60)) \
    "$simulate" --runs "$seeds" --fixed "${FIXED_SEEDS:-$((seeds * 4 / 5))}" --seconds "$seconds" --least-commands $((seeds * 100))
