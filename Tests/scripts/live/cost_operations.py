"""Every operation of the API contract, in its ordinary form and in the most expensive forms within the limits.

Listed are those whose cost depends on the room, the caller, or a body of their own; the others follow from the contract."""
import pathlib
from types import SimpleNamespace

import yaml

from cost_bodies import BODIES, BODY, HEADERS, QUERIES, filled, heavy, item, png, text
from cost_world import RULES
from wire import expect


def call(name, method, path, token=None, ordinary=None, worst=(), queries=(), headers=()):
    """`worst`: bodies by name that only this operation accepts; `queries`: expensive queries specific to it."""
    return SimpleNamespace(name=name, method=method, path=path, token=token, ordinary=ordinary, worst=dict(worst),
                           queries=list(queries), headers=headers)


def variants(operation):
    """Yields the requests to send: name, path, body and headers."""
    yield "ordinary", operation.path, operation.ordinary, operation.headers
    for query in operation.queries:
        yield "?" + query, f"{operation.path}?{query}", operation.ordinary, operation.headers
    if operation.method == "GET":
        for name, query in QUERIES.items():
            yield name, f"{operation.path}?{query}", None, operation.headers
    else:
        for name, body in {**BODIES, **operation.worst}.items():
            yield name, operation.path, body, operation.headers
    for name, headers in HEADERS.items():
        yield name, operation.path, operation.ordinary, [*operation.headers, *headers]


def described():
    """The operations of the contract: name, method, path, example of the body in JSON, and values of the parameters of the path."""
    contracts = [yaml.load(pathlib.Path(document).read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
                 for document in ("openapi/openapi.yaml", "Tests/HTTPContract/Unlisted.yaml")]
    shared = {name: each for contract in contracts for name, each in contract["components"].get("parameters", {}).items()}
    for contract in contracts:
        for path, methods in contract["paths"].items():
            parameters = methods.pop("parameters", [])
            for method, operation in methods.items():
                known = [shared[each["$ref"].rsplit("/", 1)[1]] if "$ref" in each else each
                         for each in parameters + operation.get("parameters", [])]
                media = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
                examples = [media["example"]] if "example" in media else [each["value"] for each in media.get("examples", {}).values()]
                yield (operation["operationId"], method.upper(), path, next(iter(examples), None),
                       {each["name"]: each.get("example", 1) for each in known if each["in"] == "path"})


def operations(world, rooms):
    """All operations, on full rooms where that may affect the cost; those that are not listed by a member without permission."""
    listed, last = list(listed_operations(world, rooms)), list(departures(world, rooms))
    yield from listed
    names = {operation.name for operation in [*listed, *last]}
    for name, method, path, example, parameters in described():
        if name not in names:
            address = path.replace("/v1/rooms/{id}", rooms.crowded)
            for parameter, value in parameters.items():
                address = address.replace(f"{{{parameter}}}", str(value))
            yield call(name, method, address, world.ann.token, example)
    yield from last


def departures(world, rooms):
    """Last, because they remove Bo and Ann from the room."""
    yield call("kick", "DELETE", f"{rooms.crowded}/members/{world.bo.id}", world.host.token)
    yield call("leaveRoom", "DELETE", rooms.crowded + "/members/me", world.ann.token)


def listed_operations(world, rooms):
    ann, bo, host, seller = (person.token for person in (world.ann, world.bo, world.host, world.seller))
    crowded, contested, old, wordy, plain = rooms.crowded, rooms.contested, rooms.old, rooms.wordy, world.plain
    item_id = expect(world.call("GET", wordy), 200)["item"]["id"]
    bid_id = expect(world.call("GET", contested), 200)["currentBid"]["id"]
    tiers = {"tiers": [{"from": f"{n}.00", "step": "1.00"} for n in range(50)]}
    reason = {"reason": text(500)}
    yield call("createGuest", "POST", "/v1/guests", None, {"nickname": "Ann"}, {"long name": heavy({"nickname": text(40, "👩‍👩‍👧‍👦")})})
    for token in (bo, host):
        yield call("readMe", "GET", "/v1/me", token)
        yield call("changeMe", "PATCH", "/v1/me", token, {"nickname": "Ann"}, {"long name": heavy({"nickname": text(40, "👩‍👩‍👧‍👦")})})
        yield call("linkGuest", "POST", "/v1/me/link", token, {"guestToken": ann})
        yield call("listMyRooms", "GET", "/v1/me/rooms", token, queries=["limit=100"])
        yield call("listMyBids", "GET", "/v1/me/bids", token, queries=["limit=50"])
        yield call("listMyWins", "GET", "/v1/me/wins", token, queries=["limit=100"])
    yield call("openRoom", "POST", "/v1/rooms", ann, {"name": "Costs"}, {"long name": heavy({"name": text(100)})})
    yield call("listRooms", "GET", "/v1/rooms", queries=["limit=100"])
    for room in (plain, crowded, contested, old, wordy):
        for token in (None, ann):
            yield call("readRoom", "GET", room, token)
    yield call("listMembers", "GET", crowded + "/members", ann, queries=["limit=1000"])
    yield call("changeMember", "PATCH", f"{crowded}/members/{world.ann.id}", host, {"creditLimit": "1000000.00"})
    yield call("uploadItem", "POST", wordy + "/items", seller, item(RULES, False),
               {"heavy item": heavy(item(RULES)), "tiers": heavy(item({**RULES, "increment": tiers}, False))})
    yield call("adjustRules", "PATCH", f"{wordy}/items/{item_id}", seller, {"rules": {"biddingSeconds": 60}})
    for token in (seller, ann):
        yield call("queueLot", "POST", wordy + "/lots", token, item(RULES, False), {"heavy item": heavy(item(RULES))})
    lot = f"{wordy}/lots/lot_01m7yn50kede3n4atvf2gzfe2s"
    yield call("listLots", "GET", wordy + "/lots", ann, queries=["limit=1000", "state=queued&limit=1000", "bids=mine&limit=1000"])
    yield call("readLot", "GET", lot, ann)
    yield call("placeAbsenteeBid", "PUT", lot + "/bid", ann, {"maximum": "100.00"})
    rows = {name: filled(start, piece, b"", b"\n") for name, start, piece in (
        ("many rows", b"name,startingPrice\n", lambda n: b"Vase,1"), ("bad rows", b"name,startingPrice\n", lambda n: b",x"))}
    yield call("importLots", "POST", wordy + "/lots/import", ann, b"name,startingPrice\nVase,1\n", rows,
               headers=["Content-Type: text/csv"])
    picture = png(b"a\0b", 1)
    address = expect(world.call("POST", wordy + "/media", host, picture, headers=["Content-Type: image/png"]), 201)["url"]
    yield call("uploadPicture", "POST", wordy + "/media", host, picture,
               {"many chunks": png(b"", BODY // 12 - 20), "large chunk": png(b"a" * (BODY - 200), 1)},
               queries=["previewOf=" + address.rsplit("/", 1)[1]], headers=["Content-Type: image/png"])
    yield call("readPicture", "GET", address, queries=["preview"], headers=["Range: bytes=0-0"])
    yield call("configureSale", "PUT", wordy + "/sale", host, {"mode": "manual"})
    for room in (crowded, contested):
        for step in ("start", "end", "pause", "resume", "cancel"):
            # Sent by a member without permission, so that the rooms do not change.
            yield call({"start": "startAuction", "end": "endAuction"}.get(step, step), "POST", f"{room}/auction/{step}", ann, {}, {"long reason": heavy(reason)})
        yield call("changeAsk", "PATCH", room + "/auction", ann, {"nextMinimum": "120"}, {"tiers": heavy({"increment": tiers})})
        yield call("placeBid", "POST", room + "/bids", bo, {"amount": "0.50"})
    yield call("listBids", "GET", contested + "/bids", ann, queries=["limit=100"])
    yield call("retractBid", "DELETE", f"{contested}/bids/{bid_id}?reason=x", ann)
    for room in (crowded, contested):
        yield call("readPermissions", "GET", room + "/permissions", ann,
                   queries=["action=placeBid&amount=120&explain=true"])
    yield call("listPermissionRules", "GET", crowded + "/permission-rules", ann)
    yield call("readPermissionRule", "GET", crowded + "/permission-rules/bid.host", ann)
    yield call("configurePermissions", "PATCH", wordy + "/permission-rules/bid.host", host, {"enabled": True})
    yield call("sendMessage", "POST", crowded + "/messages", ann, {"text": "Hello"}, {"long text": heavy({"text": text(500)})})
    yield call("listResults", "GET", old + "/results", ann, queries=["limit=1000"])
    yield call("exportResults", "GET", old + "/results.csv", ann, headers=["Accept: text/csv"])
    yield call("exportResultLines", "GET", old + "/results.ndjson", ann, headers=["Accept: application/x-ndjson"])
    yield call("exportResultDocument", "GET", old + "/results.html", ann, headers=["Accept: text/html"])
    for room in (wordy, contested):
        yield call("readEvents", "GET", room + "/events", ann, queries=["limit=256", "after=0&limit=256", "after=1&limit=1"])
    yield call("openSocket", "GET", crowded + "/socket", ann)
    yield call("readStateMachine", "GET", "/v1/state-machine", headers=["Accept: text/vnd.mermaid"])
    yield call("explainProblem", "GET", "/problems/permission-denied")
    yield call("readPageFile", "GET", "/page/main.js")
    yield call("readPageView", "GET", "/page/views/room.js")
    yield call("readPageClient", "GET", "/page/client/room-state.js")
    yield call("readClientFile", "GET", "/client/room-state.js")
    yield call("readArticle", "GET", "/docs/articles/Operations.md", headers=["Accept: text/markdown"])
    yield call("readDocumentationFile", "GET", "/page/docs/main.js")
