#!/usr/bin/env bash
# The transcripts of the README and of the tour (ATour.md), run. Needs curl and jq.
# Covers: README.md Sources/AuctionServer/AuctionServer.docc/ATour.md
set -euo pipefail
exec python3 "$(dirname "$0")/live/readme.py"
