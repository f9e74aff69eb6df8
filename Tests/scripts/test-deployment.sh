#!/usr/bin/env bash
# Checks docker/: every variable, path, port and address of the compose files and of the Kubernetes manifests is one
# that the program or the other files know, and docker/CONFIGURATION.md matches the program. Needs python3 with venv;
# kubernetes-validate, with Kubernetes' own schemas in it, comes from PyPI.
# Covers: docker Sources/auction-room/Options
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=$(.ci/python.sh deployment kubernetes-validate==1.37.0)
"$programs/python" Tests/scripts/live/configuration.py
exec "$programs/python" Tests/scripts/live/deployment.py
