#!/usr/bin/env bash
# Faults of the disk and kill -9 at chosen calls of the kernel, full and read-only disks, broken files, poisoned commands:
# nothing acknowledged is lost, nothing refused is in the log, and all damage is reported.
# FAULTS=all: every case. Needs strace and leave to use it.
# Covers: Sources/EventLogSQLite Sources/AuctionService/Commit Sources/AuctionService/Sequencer
set -euo pipefail
here="$(dirname "$0")/live"
python3 "$here/disks.py"
python3 "$here/damage.py"
exec python3 "$here/faults.py"
