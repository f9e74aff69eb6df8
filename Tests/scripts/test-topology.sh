#!/usr/bin/env bash
# docker/compose.yaml as plain processes: PostgreSQL, three nodes, and nginx with docker/nginx.conf and docker/nginx-nodes.conf. A room
# stays on its node; a node is killed; all are restarted one after the other; and no acknowledged bid is lost. Needs python3, nginx,
# and Debian's postgresql.
# Covers: docker/compose.yaml docker/nginx.conf docker/nginx-nodes.conf Sources/AuctionService/Cluster
set -euo pipefail
cd "$(dirname "$0")/../.."
exec .ci/with-postgres.sh python3 Tests/scripts/live/topology.py
