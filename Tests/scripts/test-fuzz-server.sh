#!/usr/bin/env bash
# A sample of the server's fuzzer in processes of its own, so that a trap is detected: the same seeds every time, and every
# planted bug, also those that end the process or never end. `make fuzz-server` runs fresh seeds for as long as it is asked to.
# Covers: Tests/ServerFuzz Tests/Tools/fuzz-server openapi/openapi.yaml Sources/AuctionContract Sources/AuctionServer/Requests Sources/AuctionServer/Routes
set -euo pipefail
cd "$(dirname "$0")/../.."

fuzz="$(swift build --show-bin-path)/fuzz-server"
"$fuzz" --self-test --hang-seconds 30
"$fuzz" --fixed 60 --runs 60
