#!/usr/bin/env bash
# The WebSocket code against the Autobahn test suite's cases, by way of an echo server on the same code. Left out: 9 (loads of
# many megabytes), 12 and 13 (compression, which is not offered). Needs python3 with venv; the cases come from PyPI.
#
# WEBSOCKET_CASES: other cases, such as "6.*".
# Covers: Sources/WebSocketFrames Sources/MicroHTTP/Streams Tests/Tools/websocket-echo
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 Tests/scripts/live/websocket.py
