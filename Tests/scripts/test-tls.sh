#!/usr/bin/env bash
# TLS by the server itself: real clients, a new certificate while they stay, and files that cannot be used.
# Covers: Sources/MicroHTTP/Server Sources/auction-room/Options Sources/auction-room/Reload.swift Sources/CMicroHTTPDShims
set -euo pipefail
exec python3 "$(dirname "$0")/live/tls.py"
