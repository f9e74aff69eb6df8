#!/usr/bin/env bash
# python.sh NAME PACKAGE==VERSION: installs a package from PyPI into .cache/NAME, unless it is there, and prints that environment's
# folder of programs. The system's Python stays as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

environment=$PWD/.cache/$1
if [ ! -f "$environment/$2" ]; then
    rm -rf "$environment"
    python3 -m venv "$environment" >&2
    "$environment/bin/pip" install --quiet "$2" >&2
    touch "$environment/$2"
fi
echo "$environment/bin"
