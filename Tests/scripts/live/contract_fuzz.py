"""Schemathesis, with every check and as two users at once, against the real program and its contract.

Its requests are made from the closed contract: examples, every boundary, bodies at random that the contract allows and that it
forbids, and chains of calls that feed what one answer says into the next. SECONDS bounds the run, SEED repeats one."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

import program
from packages import programs_of

VERSION = "schemathesis==4.32.5"
SECONDS = int(os.environ.get("SECONDS_LIMIT", "600"))
SEED = os.environ.get("SEED", "")
# Rate limits are off; otherwise most responses would be 429.
NO_LIMITS = (*program.NO_LIMITS, "--limit-messages-per-second", "0", "--limit-streams-per-user", "0")
# What a schema cannot say, and an answer other than success to a request that fits its schema is right for: a media type that
# is not there (406), a key that was used before and rules of auctions (422), a stream without its handshake (426).
# Beside that, anything may be too long (414, 431).
ANYWHERE = ["2xx", "3xx", "401", "403", "404", "406", "409", "414", "422", "426", "431"]
# Members that depend on each other, or on the room's currency or history, may get 400.
DEPENDENT = {
    "POST /v1/guests": "a name that shows nothing",
    "PATCH /v1/me": "a name that shows nothing",
    "POST /v1/rooms": "a name that shows nothing",
    "POST /v1/rooms/{id}/bids": "digits of the room's currency; maximum below amount; a maximum of a floor bid, a paddle of blanks",
    "PATCH /v1/rooms/{id}/auction": "an increment beside a next minimum; digits of the room's currency",
    "GET /v1/rooms/{id}/permissions": "digits of the room's currency; maximum below amount",
    "POST /v1/rooms/{id}/items": "rules that belong to other formats; digits of the room's currency",
    "PATCH /v1/rooms/{id}/items/{itemId}": "rules that belong to other formats; digits of the room's currency",
    "POST /v1/rooms/{id}/lots": "rules that belong to other formats; digits of the room's currency; a blank reference",
    "POST /v1/rooms/{id}/lots/import": "a text that is no file of lots",
    "PATCH /v1/rooms/{id}/lots/{lotId}": "rules that belong to other formats; digits of the room's currency",
    "POST /v1/rooms/{id}/lots/{lotId}/reoffer": "rules that belong to other formats; digits of the room's currency",
    "PUT /v1/rooms/{id}/lots/{lotId}/bid": "digits of the room's currency",
    "POST /v1/rooms/{id}/media": "bytes that are no picture",
    "GET /v1/rooms/{id}/lots": "a cursor of another list",
    "PUT /v1/rooms/{id}/sale": "a start in the past, or of a manual sale; digits of the percentage",
    "PATCH /v1/rooms/{id}/members/{userId}": "digits of the room's currency",
    "GET /v1/rooms/{id}/events": "a ticket beside a token; a place beyond the end",
    "GET /v1/rooms/{id}/socket": "a ticket beside a token; a place beyond the end",
}


def configuration(users):
    text = f"""
[auth.wfc]
path = "{users}"
peers = ["first", "second"]

[checks]
positive_data_acceptance.expected-statuses = {json.dumps(ANYWHERE)}
negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "414", "415", "422", "426", "431"]
"""
    # For a stranger there are no such paths, whatever the method.
    text += """
[[operations]]
include-path-regex = "^/v1/(admin/|feed$)"
checks.missing_required_header.enabled = false
checks.unsupported_method.enabled = false
"""
    # Five wrong tries a minute, which no option changes.
    text += f"""
[[operations]]
include-name = "POST /v1/tokens/pair"
checks.positive_data_acceptance.expected-statuses = {json.dumps([*ANYWHERE, "429"])}
"""
    for operation in DEPENDENT:
        text += f"""
[[operations]]
include-name = "{operation}"
checks.positive_data_acceptance.expected-statuses = {json.dumps(ANYWHERE + (["400", "415"] if operation.endswith("/media") else ["400"]))}
"""
    return text


# Media types that schemathesis does not know how to send.
HOOKS = """
import schemathesis


@schemathesis.serializer("application/x-ndjson", "image/avif")
def as_bytes(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
"""


def guest(port, name):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/guests", json.dumps({"nickname": name}).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)["token"]


def run(folder):
    programs = programs_of("schemathesis", VERSION)
    contract = folder / "closed.yaml"
    with contract.open("w") as document:
        subprocess.run([programs / "python", "Tests/scripts/live/closed_contract.py"], stdout=document, check=True)
    store = folder / "rooms.db"
    server = program.Server(f"sqlite:{store}", *NO_LIMITS, log=str(folder / "log"))
    users = [
        {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {guest(server.port, name)}"}]}
        for name in ("first", "second")]
    (folder / "users.json").write_text(json.dumps({"auth": users}))
    (folder / "schemathesis.toml").write_text(configuration(folder / "users.json"))
    (folder / "hooks.py").write_text(HOOKS)
    # A long-poll may be held for 60 seconds.
    command = [
        programs / "schemathesis", "--config-file", folder / "schemathesis.toml", "run", contract, "--url", f"http://127.0.0.1:{server.port}",
        "--checks", "all", "--max-response-time", "70", "--max-time", str(SECONDS), "--request-timeout", "75", "--continue-on-failure", "--no-color",
        "--warnings", "off", *(["--seed", SEED] if SEED else []), *sys.argv[1:]]
    try:
        outcome = subprocess.run(command, cwd=folder, timeout=SECONDS * 2 + 120, env={**os.environ, "SCHEMATHESIS_HOOKS": "hooks.py"}).returncode
    except subprocess.TimeoutExpired:
        raise SystemExit("schemathesis does not come to an end") from None
    server.end()
    audit = subprocess.run([program.BINARY, "verify", "--store", f"sqlite:{store}"], stdout=subprocess.DEVNULL)
    if outcome or audit.returncode:
        raise SystemExit(f"schemathesis ended with {outcome}, verify with {audit.returncode}")


if __name__ == "__main__":
    program.require_binary()
    with tempfile.TemporaryDirectory(prefix="contract-fuzz-") as name:
        run(pathlib.Path(name))
