#!/usr/bin/env bash
# The checks that take hours, one after another; one that fails does not stop the later ones. Random ones use fresh seeds and print them.
#
# NIGHTLY: only some of them, such as "simulate test-costs". SEEDS, SIMULATION_SECONDS, SECONDS_LIMIT: as in the Makefile.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=()
for target in ${NIGHTLY:-simulate fuzz-server fuzz test-contract-fuzz test-work test-faults test-costs test-slow-attack \
    test-address-attack test-sale test-sanitized}; do
    printf '\n== %s\n' "$target"
    began=$SECONDS
    case $target in
    # All seeds are new ones.
    simulate) command=(env FIXED_SEEDS=0 SEEDS="${NIGHTLY_SEEDS:-100000}" SIMULATION_SECONDS=3600 .ci/simulate.sh) ;;
    test-work) command=(env SERVER=1 Tests/scripts/test-work.sh) ;;
    *) command=(make "$target") ;;
    esac
    "${command[@]}" || failed+=("$target")
    printf '== %s: %d s\n' "$target" $((SECONDS - began))
done
[ ${#failed[@]} -eq 0 ] || { printf 'failed: %s\n' "${failed[@]}"; exit 1; }
