#!/usr/bin/env bash
# Tokens for a room's sound hold before LiveKit's own verifier, in every role, on every seat, muted and not; and the calls to its server are read by
# LiveKit's own messages, with tokens that have the grants that each needs.
# Covers: Sources/AuctionServer/Voice Sources/AuctionServer/Routes/Rooms/VoiceRoutes.swift
set -euo pipefail
exec python3 "$(dirname "$0")/live/voice.py"
