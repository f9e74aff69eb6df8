#!/usr/bin/env bash
# Webhooks with kill -9 of the service and of the receiver, ten times each: by its ledger the receiver has got every event of the log, and
# nothing else. It checks signatures with the reference library. WEBHOOK_EVENTS (10000), WEBHOOK_KILLS (10), WEBHOOK_SEED: the size of it.
# Covers: Sources/AuctionServer/Webhooks Sources/OutboundHTTP
set -euo pipefail
exec python3 "$(dirname "$0")/live/webhooks.py"
