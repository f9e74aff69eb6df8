#!/usr/bin/env bash
# The JavaScript client in Node against the real program, which is killed at once and started again several times while an auction runs:
# no event lost or doubled, no bid placed twice. Then the programs of the article on it, as they are written there. Needs curl and node.
# Covers: Sources/Page/client Sources/AuctionServer/Streams Sources/AuctionServer/AuctionServer.docc/JavaScriptClient.md
set -euo pipefail
cd "$(dirname "$0")/../.."
node Tests/scripts/live/client_js.mjs
node Tests/scripts/live/client_js_article.mjs
