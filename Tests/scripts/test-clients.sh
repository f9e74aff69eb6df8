#!/usr/bin/env bash
# Clients that others wrote follow a room: Python's websockets, curl and Node, beside the long-poll that says what is right.
# Needs python3 with venv, curl and node; websockets comes from PyPI.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 Tests/scripts/live/clients.py
