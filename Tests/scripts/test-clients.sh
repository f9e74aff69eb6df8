#!/usr/bin/env bash
# Third-party clients read the events of a room: Python's websockets, curl and Node; a long-poll gives the expected sequence.
# Needs python3 with venv, curl and node; websockets comes from PyPI.
# Covers: Sources/AuctionServer/Streams Sources/MicroHTTP/Streams Sources/WebSocketFrames
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 Tests/scripts/live/clients.py
