#!/usr/bin/env bash
# The web page in a headless Chromium: every scenario that test-page.sh leaves out, in two browsers at a time.
#
# PAGE_SHOTS=folder keeps screenshots of every phase. CHROMIUM, CHROMEDRIVER: where those are.
# Covers: Sources/Page Sources/CPage Tests/scripts/browser
set -euo pipefail
cd "$(dirname "$0")/../.."

for program in "${CHROMIUM:-chromium}" "${CHROMEDRIVER:-chromedriver}"; do
    command -v "$program" >/dev/null || { printf 'test-page-rest: %s is missing; `make setup-test` installs it\n' "$program" >&2; exit 1; }
done
programs=$(.ci/python.sh selenium selenium==4.51.0)
# What both browsers need, so that they do not install it at once.
.ci/python.sh axe axe-core-python==0.1.0 >/dev/null
.ci/python.sh zxing-cpp zxing-cpp==3.1.1 >/dev/null

# What the first browser shows; the second shows all others, so that a new scenario is in one of them.
first=floor_bid,reload,cut,keyboard,double_press,chinese,formats,hostile,private,account,hosting,story,offices,large_texts
PAGE_ONLY=$first "$programs/python" Tests/scripts/browser/run.py &
browser=$!
trap 'kill "$browser" 2>/dev/null; exit 130' INT TERM
status=0
PAGE_EXCEPT=whole_auction,whole_sale,narrow,$first "$programs/python" Tests/scripts/browser/run.py || status=1
wait "$browser" || status=1
exit "$status"
