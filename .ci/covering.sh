#!/usr/bin/env bash
# covering.sh SCRIPT…: prints those of the scripts that cover one of the paths on standard input, or that are among them. A script says in
# its head what it covers: `# Covers: Sources/EventLogPostgres docker`, files or folders.
set -euo pipefail

mapfile -t changed
[ ${#changed[@]} -gt 0 ] || exit 0
for script in "$@"; do
    for covered in "$script" $(sed -nE 's/^# Covers: *//p' "$script"); do
        for path in "${changed[@]}"; do
            case $path in "$covered" | "${covered%/}"/*) echo "$script"; continue 3 ;; esac
        done
    done
done
