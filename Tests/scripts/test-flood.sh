#!/usr/bin/env bash
# Floods of connections, heads, guests, rooms and keys: refused beyond their limits, and the memory stays flat. Needs python3.
# Covers: Sources/AuctionServer/Limits Sources/MicroHTTP/Server Sources/MicroHTTP/Connections
set -euo pipefail
exec python3 "$(dirname "$0")/live/flood.py"
