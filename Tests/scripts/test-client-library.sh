#!/usr/bin/env bash
# The library product AuctionClient from the outside: a package that depends on it builds nothing of the server; its program of 20 lines
# follows a room through kill -9 and prints every event once; and auctions in every format are played with the library's commands.
# Covers: Sources/AuctionClient Sources/AuctionClientCore Sources/StateMachines Tests/ClientSample Package.swift
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 Tests/scripts/live/client_library.py
