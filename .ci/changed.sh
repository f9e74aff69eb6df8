#!/usr/bin/env bash
# Prints the paths that differ between the working tree and origin/main, as it was when this branch left it; without an origin, and
# outside a clone, nothing. New files that are not ignored count, deleted ones too.
set -euo pipefail
cd "$(dirname "$0")/.."

git rev-parse --is-inside-work-tree >/dev/null 2>&1 || exit 0
base=$(git merge-base "${BASE:-origin/main}" HEAD 2>/dev/null) || exit 0
{
    git diff --name-only --no-renames "$base"
    git ls-files --others --exclude-standard
} | sort -u
