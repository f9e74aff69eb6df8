#!/usr/bin/env bash
# A trap of the real program leaves a backtrace and the request that was being handled on standard error, nothing of its content,
# and ends the program by its signal. Needs python3.
# Covers: Sources/CTrapReport .ci/backtrace.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
SWIFT_BACKTRACE=$(.ci/backtrace.sh)
export SWIFT_BACKTRACE
exec python3 Tests/scripts/live/trap.py
