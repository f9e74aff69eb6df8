#!/usr/bin/env bash
# The program from the operator's side: help, refusals to start, variables, the ready line, stopping, starting again.
# Covers: Sources/auction-room
set -euo pipefail
exec python3 "$(dirname "$0")/live/serve.py"
