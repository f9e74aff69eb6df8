#!/usr/bin/env bash
# Prints SWIFT_BACKTRACE as the program should run with: a trap leaves a backtrace of its thread on standard error. Registers are
# left out, since what they point at may be a token. Nothing is printed where the toolchain has no backtracer of its own.
set -euo pipefail
swift=$(readlink -f "$(command -v swift)")
backtracer=$(dirname "$(dirname "$swift")")/libexec/swift/linux/swift-backtrace-static
[ -x "$backtracer" ] || exit 0
echo "enable=yes,interactive=no,color=no,registers=none,threads=crashed,images=none,swift-backtrace=$backtracer"
