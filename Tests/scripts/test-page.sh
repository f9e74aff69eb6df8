#!/usr/bin/env bash
# The web page: its pure modules in Node, its QR codes by a decoder from PyPI, then a whole auction with several people, a whole sale, and
# the layout of a bidder's view on phones in a headless Chromium.
# test-page-rest.sh has the other scenarios.
#
# PAGE_SHOTS=folder keeps screenshots of every phase. PAGE_ONLY: other scenarios. CHROMIUM, CHROMEDRIVER: where those are.
# Covers: Sources/Page Sources/CPage Tests/page Tests/scripts/browser
set -euo pipefail
cd "$(dirname "$0")/../.."

for program in node "${CHROMIUM:-chromium}" "${CHROMEDRIVER:-chromedriver}"; do
    command -v "$program" >/dev/null || { printf 'test-page: %s is missing; `make setup-test` installs it\n' "$program" >&2; exit 1; }
done

echo "the page's modules in $(node --version)"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
node --test Tests/page/*.test.mjs >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
grep -aE '^(# |ℹ )(pass|fail)' "$log"

# From Debian's node-typescript or npm; the names are compared without it as well (types.test.mjs).
tsc --noEmit --strict --target es2021 --lib es2021,dom,dom.iterable --module nodenext --moduleResolution nodenext Tests/page/types/usage.mts
echo "the types of the client compile with TypeScript $(tsc --version | cut -d ' ' -f 2)"

decoder=$(.ci/python.sh zxing-cpp zxing-cpp==3.1.1)
node Tests/page/support/qr-codes.mjs | "$decoder/python" Tests/scripts/browser/qr_codes.py

programs=$(.ci/python.sh selenium selenium==4.51.0)
PAGE_ONLY=${PAGE_ONLY:-whole_auction,whole_sale,narrow} "$programs/python" Tests/scripts/browser/run.py
