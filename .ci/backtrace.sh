#!/usr/bin/env bash
# Prints the value of SWIFT_BACKTRACE with which a trap leaves a backtrace of its thread on standard error, without registers,
# which may point at a token. Prints nothing if the toolchain has no backtracer.
set -euo pipefail
swift=$(readlink -f "$(command -v swift)")
backtracer=$(dirname "$(dirname "$swift")")/libexec/swift/linux/swift-backtrace-static
[ -x "$backtracer" ] || exit 0
echo "enable=yes,interactive=no,color=no,registers=none,threads=crashed,images=none,swift-backtrace=$backtracer"
