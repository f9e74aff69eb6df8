"""The operator's identity provider: its tokens, its files, reloading them, and secrets that must never be logged."""
import base64
import hashlib
import hmac
import json
import os
import socket
import time

from program import Server
from wire import Connection, expect

ISSUER, AUDIENCE = "https://id.example", "auctions"
SECRETS = [b"canary-secret-one-" + b"1" * 30, b"canary-secret-two-" + b"2" * 30]


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(subject, secret, **claims):
    now = int(time.time())
    body = {"iss": ISSUER, "aud": AUDIENCE, "sub": subject, "name": subject.title(), "iat": now, "exp": now + 600, **claims}
    signed = ".".join(encode(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, body))
    return signed + "." + encode(hmac.new(secret, signed.encode(), hashlib.sha256).digest())


def write(path, data):
    """Replaces the file atomically: concurrent readers get either the old or the new content."""
    with open(path + ".new", "wb") as file:
        file.write(data)
    os.rename(path + ".new", path)
    return path


def open_stream(port, room, bearer):
    """Opens a stream of server-sent events and reads up to the first event."""
    stream = socket.create_connection(("127.0.0.1", port), timeout=10)
    stream.sendall(
        f"GET /v1/rooms/{room}/events HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n"
        f"Authorization: Bearer {bearer}\r\n\r\n".encode())
    head = b""
    while b"room.opened" not in head:
        head += stream.recv(65536)
    return stream


def seconds_to_end(stream):
    began, last = time.monotonic(), b"\r\n"
    # The connection stays open for further requests; the stream ends with its last chunk.
    while not last.endswith(b"\r\n0\r\n\r\n"):
        piece = stream.recv(65536)
        if not piece:
            break
        last = (last + piece)[-16:]
    stream.close()
    return time.monotonic() - began


class Operator:
    """A server with the operator's files."""

    def __init__(self, folder):
        self.secret = write(os.path.join(folder, "shared"), SECRETS[0] + b"\n")
        self.revoked = write(os.path.join(folder, "revoked"), b"# nobody yet\n")
        self.server = Server(
            "memory:", "--jwt-secret-file", self.secret, "--jwt-issuer", ISSUER, "--jwt-audience", AUDIENCE, "--guests", "off",
            "--revocations-file", self.revoked, "--log-level", "trace", "--log-format", "json", log=os.path.join(folder, "identity.log"))


def names_unused_keys(folder, check):
    """A key that cannot be used does not keep the server from starting with the others; the log names it."""
    good = {"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "kid": "good", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPJHURo"}
    bad = [{**good, "kid": None}, {**good, "kid": "short", "x": "AQAB"}]
    keys = write(os.path.join(folder, "set"), json.dumps({"keys": [bad[0], good, bad[1]]}).encode())
    server = Server("memory:", "--jwks-file", keys, "--jwt-issuer", ISSUER, "--jwt-audience", AUDIENCE, log=os.path.join(folder, "set.log"))
    check(Connection(server.port).call("GET", "/v1/rooms").status == 200, "one bad key keeps the good one from use")
    server.terminate()
    named = [line for line in server.logged().splitlines() if "a key of the set is not used" in line]
    check(["key 1 " in line or "key 3 " in line for line in named] == [True, True], f"the log names {named}")


def check_all(folder, check, refuses):
    refuses_files(folder, refuses)
    names_unused_keys(folder, check)
    operator = Operator(folder)
    connection = Connection(operator.server.port)
    alice, bob = (token(name, SECRETS[0]) for name in ("canary-alice", "bob"))
    check(connection.call("POST", "/v1/guests", body={"nickname": "Ann"}).code() == "guest.off", "guests are off, and one got in")
    room = expect(connection.call("POST", "/v1/rooms", bob, {"name": "Room"}), 201)["id"]

    def status(bearer):
        response = connection.call("GET", f"/v1/rooms/{room}/permissions", bearer)
        return response.status, response.code()

    streams = {name: open_stream(operator.server.port, room, bearer) for name, bearer in (("alice", alice), ("bob", bob))}
    write(operator.revoked, b"sub canary-alice\n")
    operator.server.reload("were read again")
    took = seconds_to_end(streams["alice"])
    check(took < 1, f"a revoked user's stream lived for {took:.1f} s")
    check(status(alice) == (401, "token.revoked"), f"a revoked user is answered {status(alice)}")
    check(status(bob)[0] == 200, f"somebody who is not revoked is answered {status(bob)}")
    for path, broken in ((operator.revoked, b"canary nonsense\n"), (operator.secret, b"canary-short\n")):
        with open(path, "rb") as file:
            kept = file.read()
        write(path, broken)
        operator.server.reload("stay as they were")
        check(path in operator.server.logged(), f"the log does not name {path}")
        check((status(alice)[0], status(bob)[0]) == (401, 200), f"a broken {path} changed who gets in")
        write(path, kept)
    write(operator.secret, SECRETS[1])
    operator.server.reload("were read again")
    took = seconds_to_end(streams["bob"])
    check(took < 1, f"the stream of a token of the old secret lived for {took:.1f} s")
    check(status(bob) == (401, "token.invalid"), f"a token of the old secret is answered {status(bob)}")
    renewed = token("bob", SECRETS[1])
    check(status(renewed)[0] == 200, f"a token of the new secret is answered {status(renewed)}")
    metrics = connection.call("GET", "/metrics").body.decode()
    with open(f"/proc/{operator.server.process.pid}/cmdline") as arguments:
        shown = operator.server.logged() + metrics + arguments.read()
    connection.close()
    check(operator.server.terminate()[0] == 0, "the server with an identity provider does not stop")
    for secret in ("canary", alice, bob, renewed, encode(SECRETS[0])):
        check(secret not in shown, f"{secret[:20]}… is in the log, the metrics or the arguments")


def refuses_files(folder, refuses):
    def path(name, text):
        return write(os.path.join(folder, name), text.encode())

    names = ("--jwt-issuer", ISSUER, "--jwt-audience", AUDIENCE, "--store", "memory:")
    weak, empty = path("weak", "x" * 31), path("empty", "{}")
    private = path("private", json.dumps({"keys": [{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "d": "canary"}]}))
    good = path("good", json.dumps({"keys": [{"kty": "oct", "kid": "a", "k": encode(SECRETS[0])}]}))
    refuses(78, [weak, "31 bytes"], "--jwt-secret-file", weak, *names)
    refuses(78, [empty, "JSON Web Key Set"], "--jwks-file", empty, *names)
    refuses(78, [private, "private key"], "--jwks-file", private, *names)
    refuses(78, ["--jwt-issuer", "--jwt-audience"], "--jwks-file", good, "--store", "memory:")
    refuses(78, ["--jwks-file", "--jwt-secret-file"], "--jwks-file", good, "--jwt-secret-file", weak, *names)
    refuses(78, ["auction-room"], "--jwks-file", good, "--jwt-issuer", "auction-room", "--jwt-audience", "a", "--store", "memory:")
    refuses(78, ["guests"], "--guests", "off", "--store", "memory:")
    lines = path("lines", "\nuser nobody\n")
    refuses(78, [lines, "line 2"], "--revocations-file", lines, "--store", "memory:")
    shared = path("both", "the same secret for guests and for the provider")
    refuses(78, ["guests", "secret"], "--jwt-secret-file", shared, "--token-secret-file", shared, *names)
