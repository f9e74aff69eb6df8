#!/usr/bin/env bash
# The terminal client: `demo` moves within ten seconds, `watch` prints each event once over a server that is killed, `bid` says what became
# of the bid. Needs python3.
# Covers: Sources/auction-room/Terminal Sources/AuctionClientCore
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 Tests/scripts/live/terminal.py
