"""The operator's page: rooms and stepping in with a reason, service tokens, webhooks, users, the audit; nothing for a stranger."""
import json
import os
import sqlite3
import time

import checks
from browser import DESKTOP, PHONE
from room_fixture import NO_LIMITS, RoomFixture, Server
from wire import Connection, expect

TOKEN = "operator-token-of-the-test-0123456789abcdef"
FAILED = 130


def serve(fixture, file):
    return Server(f"sqlite:{fixture.folder}/operator.db", *NO_LIMITS, "--admin-token-file", file, "--webhooks-allow", "127.0.0.1")


def failing_webhook(fixture, file):
    """A webhook that many deliveries to have failed for good, which takes a day and a half: they are written into the log."""
    server = serve(fixture, file)
    connection = Connection(server.port)
    webhook = expect(connection.call("POST", "/v1/admin/webhooks", TOKEN, {"url": "http://127.0.0.1:9/shop", "types": ["item.sold"]}), 201)["id"]
    room = expect(connection.call("POST", "/v1/rooms", expect(connection.call("POST", "/v1/guests", body={"nickname": "Hana"}), 201)["token"], {"name": "Sold"}), 201)["id"]
    connection.close()
    fixture.check(server.terminate()[0] == 0, "the server does not stop")
    log = sqlite3.connect(f"{fixture.folder}/operator.db", isolation_level=None)
    now = int(time.time() * 1000)
    for number in range(1, FAILED + 1):
        content = {"room": room, "seq": number, "hash": f"{number:016x}", "attempts": 8, "dueAt": None, "triedAt": now, "status": 500}
        log.execute("INSERT INTO record VALUES ('webhook-parked', ?, 1, ?, ?)",
                    (f"{webhook}.{number:016x}.item.sold", now + 86_400_000, json.dumps(content).encode()))
    log.close()


def operator(fixture):
    file = os.path.join(fixture.folder, "admin-token")
    with open(file, "w", encoding="utf-8") as text:
        text.write(TOKEN + "\n")
    os.chmod(file, 0o600)
    connection = Connection(fixture.server.port)
    fixture.check(connection.call("GET", "/operator").status == 404, "there is a page of operators without service tokens")
    connection.close()
    failing_webhook(fixture, file)
    server = serve(fixture, file)
    usual, fixture.browser.address = fixture.browser.address, f"http://127.0.0.1:{server.port}"
    there = None
    try:
        there = RoomFixture(fixture.browser, server, fixture.folder)
        there.round(biddingSeconds=600)
        there.bid("Bo", "100")
        act(there, fixture.browser.person("operator", DESKTOP, path="/operator"))
        small(there, fixture.browser.person("phone", PHONE, language="zh-CN", path="/operator"))
    finally:
        fixture.browser.address = usual
        if there:
            there.connection.close()
        server.kill()


def sign_in(person, token, field="Service token", go="Continue"):
    person.fill(field, token)
    person.press(go, "button")


def act(there, ops):
    checks.inspect(ops, "the operator's page before the token")
    sign_in(ops, "no-such-token-0123456789abcdefghijkl")
    ops.see(".field-error", "knows no such service token")
    sign_in(ops, TOKEN)
    ops.see(".table", "Evening sale")
    ops.see(".table", "¥100.00")
    checks.inspect(ops, "all rooms")
    ops.press("Evening sale", "button")
    ops.see("dialog", "Round 1: Blue bowl")
    checks.inspect(ops, "a room as an operator sees it")
    ops.press("Pause the round", "dialog button")
    ops.press("Pause the round", "dialog form button")
    ops.see(".field-error")
    ops.fill("Reason", "The picture shows another bowl.")
    ops.press("Pause the round", "dialog form button")
    ops.see(".note", "Done.")
    ops.see(".chip.paused")
    said = [each["data"].get("by") for each in there.get("/events?limit=100")["events"]]
    there.check(any((by or {}).get("kind") == "operator" for by in said), f"no event says that an operator acts: {said}")
    ops.press("Webhooks", "nav a")
    ops.press("http://127.0.0.1:9/shop", "button")
    ops.see("dialog h3", "Failed for good")
    ops.see("dialog .table", f"item.sold · {FAILED - 30}")
    checks.inspect(ops, "deliveries that have failed for good")
    ops.press("Show more", "dialog button")
    ops.see("dialog .table", f"item.sold · {FAILED}")
    ops.escape()
    ops.press("New webhook", "button")
    ops.fill("Address", "http://10.0.0.1/hook")
    ops.press("New webhook", "dialog button[type=submit]")
    ops.see(".field-error")
    ops.fill("Address", f"http://127.0.0.1:{there.server.port}/nothing")
    ops.press("New webhook", "dialog button[type=submit]")
    ops.see("dialog [data-share=secret]")
    checks.inspect(ops, "the secret of a webhook")
    ops.escape()
    ops.press(f"http://127.0.0.1:{there.server.port}/nothing", "button")
    ops.press("Send a test", "dialog button")
    ops.see(".note", "Done.")
    ops.press("Service tokens", "nav a")
    ops.press("New service token", "button")
    ops.fill("Name", "Shop")
    ops.press("feed:read", "dialog label")
    ops.press("New service token", "dialog button[type=submit]")
    shown = ops.see("dialog [data-share=secret]").get_attribute("value")
    there.check(shown.startswith("svc_"), f"no token is shown: {shown}")
    ops.escape()
    ops.see(".table", "Shop")
    checks.inspect(ops, "service tokens")
    ops.press("Users", "nav a")
    ops.fill("Id of the user", there.people["Cy"]["user"]["id"])
    ops.press("Ban", "button[type=submit]")
    ops.fill("Reason", "Bids that are never paid.")
    ops.press("Ban", "dialog form button")
    ops.see(".note", "Done.")
    refused = there.connection.call("POST", f"/v1/rooms/{there.room}/bids", there.people["Cy"]["token"], {"amount": "200"})
    there.check(refused.code() == "user.banned", f"a banned user bids: {refused.status}")
    ops.press("Audit", "nav a")
    ops.see(".table", "The picture shows another bowl.")
    ops.see(".table", "banUser")
    checks.inspect(ops, "the audit")
    ops.press("Forget the token", "button")
    ops.see("label", "Service token")
    ops.driver.refresh()
    ops.see("label", "Service token")
    ops.close()


def small(there, phone):
    sign_in(phone, TOKEN, "服务令牌", "继续")
    phone.see(".table", "Evening sale")
    checks.inspect(phone, "all rooms on a phone", "phone-operator")
    phone.press("审计", "nav a")
    phone.see(".table", "banUser")
    checks.inspect(phone, "the audit on a phone")
    phone.close()
