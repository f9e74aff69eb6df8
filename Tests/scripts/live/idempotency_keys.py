"""Which calls take an Idempotency-Key is said alike wherever it is said, and is what the contract's operations have."""
import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[3]
ARTICLES = ROOT / "Sources/AuctionServer/AuctionServer.docc"
CONTRACT = ROOT / "openapi/openapi.yaml"
SAID_IN = (CONTRACT, ARTICLES / "UsingTheAPI.md", ARTICLES / "GettingStarted.md")
# What takes none, in the words of the sentence.
KEYLESS = {
    "guests": ["post /v1/guests"], "sessions": ["post /v1/sessions"], "tokens": ["post /v1/tokens/renew", "post /v1/tokens/pair"],
    "tickets": ["post /v1/rooms/{id}/tickets"], "codes for another device": ["post /v1/me/pairing"], "one's own nickname": ["patch /v1/me"],
    "leaving for good": ["delete /v1/me"],
    "links": ["post /v1/me/link"], "blocks": ["post /v1/me/blocks", "delete /v1/me/blocks/{userId}"], "pictures": ["post /v1/rooms/{id}/media"],
    "voice": ["post /v1/rooms/{id}/stage/voice"],
    "operators": ["post /v1/admin/tokens", "delete /v1/admin/tokens/{tokenId}", "post /v1/admin/users/tokens",
                  *(f"post /v1/admin/users/{{userId}}/{step}" for step in ("revoke", "ban", "unban")),
                  "post /v1/admin/webhooks", *(f"{method} /v1/admin/webhooks/{{webhookId}}" for method in ("patch", "delete")),
                  *(f"post /v1/admin/webhooks/{{webhookId}}/{call}" for call in ("pause", "resume", "rotate", "resend", "test", "replay"))],
}
METHODS = ("post", "put", "patch", "delete")


def main():
    *first, last = KEYLESS
    sentence = f"every POST, PUT, PATCH and DELETE except those for {', '.join(first)} and {last}"
    missing = [path.name for path in SAID_IN if sentence.lower() not in re.sub(r"\s+", " ", path.read_text()).lower()]
    found = set()
    for path, operations in yaml.safe_load(CONTRACT.read_text())["paths"].items():
        for method in METHODS:
            parameters = operations.get(method, {}).get("parameters", []) + operations.get("parameters", [])
            if method in operations and not any(each.get("$ref", "").endswith("/IdempotencyKey") for each in parameters):
                found.add(f"{method} {path}")
    wrong = sorted(found ^ set(sum(KEYLESS.values(), [])))
    if missing or wrong:
        sys.exit(f"Idempotency-Key: not said in {missing}: {sentence!r}; said wrongly of {wrong}")
    print(f"Idempotency-Key: {len(found)} calls take none, as is said in {len(SAID_IN)} places")


main()
