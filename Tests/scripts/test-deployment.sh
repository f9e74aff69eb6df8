#!/usr/bin/env bash
# Checks docker/: every variable, path, port and address of the compose files and of the Kubernetes manifests is one
# that the program or the other files know, and docker/CONFIGURATION.md matches the program. Needs python3 with venv;
# kubernetes-validate, with Kubernetes' own schemas in it, comes from PyPI.
set -euo pipefail
cd "$(dirname "$0")/../.."
validator=kubernetes-validate==1.37.0
environment=.cache/deployment
if [ ! -f "$environment/$validator" ]; then
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet "$validator"
    touch "$environment/$validator"
fi
"$environment/bin/python" Tests/scripts/live/configuration.py
exec "$environment/bin/python" Tests/scripts/live/deployment.py
