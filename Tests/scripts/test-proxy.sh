#!/usr/bin/env bash
# nginx with docker/nginx.conf in front of the program: ambiguous requests stop there, streams pass. Needs python3 and nginx.
# Covers: docker/nginx.conf docker/nginx-one.conf Sources/MicroHTTP/Requests Sources/CMicroHTTPDShims
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 Tests/scripts/live/proxy.py
