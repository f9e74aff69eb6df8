#!/usr/bin/env bash
# Slow heads, slow bodies and slow readers, 200 at a time: all cut off by the deadline, and bids go on. `make test-slow-attack`
# does it with 1,000, several times, and compares the bids' p99. Needs python3 and slowhttptest.
# Runs alone: what it measures depends on the machine's load.
# Covers: Sources/MicroHTTP/Server Sources/MicroHTTP/Connections
set -euo pipefail
cd "$(dirname "$0")/../.."
CONNECTIONS=${CONNECTIONS:-200} ROUNDS=${ROUNDS:-1} COMPARE=${COMPARE:-0} exec python3 Tests/scripts/live/slow_attack.py
