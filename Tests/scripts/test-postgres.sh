#!/usr/bin/env bash
# The real program on a real PostgreSQL: bids, a database that is restarted and killed under it, kill -9, verify, export, copy.
# Covers: Sources/EventLogPostgres Sources/auction-room/Store.swift
set -euo pipefail
exec "$(dirname "$0")/../../.ci/with-postgres.sh" python3 "$(dirname "$0")/live/postgres.py"
