#!/usr/bin/env bash
# The README's transcript, run. Needs curl and jq, as the README says.
set -euo pipefail
exec python3 "$(dirname "$0")/live/readme.py"
