#!/usr/bin/env bash
# The program as an operator meets it: help, refusals to start, variables, the ready line, stopping, starting again.
set -euo pipefail
exec python3 "$(dirname "$0")/live/serve.py"
