#!/usr/bin/env bash
# make-stored-data.sh VERSION: writes Tests/EventLogTests/Data/VERSION, a log as the program AUCTION_ROOM_BIN writes it, once for each
# released version. `StoredDataTests` opens it with every later build.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=$PWD/Tests/EventLogTests/Data/$1
[ ! -e "$target" ] || { echo "make-stored-data: $target exists; what a released version wrote is kept" >&2; exit 1; }
exec .ci/with-postgres.sh python3 Tests/scripts/live/stored_data.py "$target"
