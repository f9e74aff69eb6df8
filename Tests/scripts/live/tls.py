"""TLS of the server itself, with real clients (all transports but WebSocket): generated certificates, and certificate\
replacement while clients stay connected."""
import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import threading
import time

from program import NO_LIMITS, Server, auction_room, refused, require_binary, scratch_folder
from wire import CheckFailed, Checks, eventually, expect

check = Checks()


def certificate(folder, name, *key):
    """Creates a self-signed certificate for this machine; returns the paths of certificate and key."""
    paths = [os.path.join(folder, name + end) for end in (".crt", ".key")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", *key, "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext",
         "subjectAltName=IP:127.0.0.1", "-out", paths[0], "-keyout", paths[1]], check=True, capture_output=True)
    return paths


def context(path, low=ssl.TLSVersion.TLSv1_2, high=ssl.TLSVersion.TLSv1_3):
    made = ssl.create_default_context(cafile=path)
    made.minimum_version, made.maximum_version = low, high
    return made


class Client:
    """A keep-alive connection over TLS."""

    def __init__(self, port, trusted):
        self.connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=20, context=trusted)

    def call(self, method, path, token=None, body=None, headers=()):
        all_headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            all_headers["Authorization"] = "Bearer " + token
        self.connection.request(method, path, json.dumps(body) if body is not None else None, {**all_headers, **dict(headers)})
        self.response = self.connection.getresponse()
        self.status, self.body = self.response.status, self.response.read()
        return self

    def json(self):
        return json.loads(self.body)

    def serial(self):
        return self.connection.sock.getpeercert()["serialNumber"]


class Stream:
    """Server-sent events over TLS."""

    def __init__(self, port, trusted, room, token):
        plain = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket = trusted.wrap_socket(plain, server_hostname="127.0.0.1")
        self.socket.sendall(
            f"GET /v1/rooms/{room}/events HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n"
            f"Authorization: Bearer {token}\r\n\r\n".encode())
        self.text = b""

    def until(self, words):
        while words not in self.text:
            piece = self.socket.recv(65536)
            if not piece:
                raise CheckFailed(f"the stream ended before {words}")
            self.text += piece


def open_room(client):
    host = expect(client.call("POST", "/v1/guests", body={"nickname": "Host"}), 201)["token"]
    ann = expect(client.call("POST", "/v1/guests", body={"nickname": "Ann"}), 201)["token"]
    room = expect(client.call("POST", "/v1/rooms", host, {"name": "Room"}), 201)["id"]
    return host, ann, room


def send_message(client, host, room, text):
    expect(client.call("POST", f"/v1/rooms/{room}/messages", host, {"text": text}), 201)


def serves(port, trusted):
    client = Client(port, trusted)
    host, ann, room = open_room(client)
    stream = Stream(port, trusted, room, ann)
    stream.until(b"room.opened")
    responses = []
    poller = Client(port, trusted)
    polling = threading.Thread(
        target=lambda: responses.append(poller.call("GET", f"/v1/rooms/{room}/events?after=1&wait=20", ann).json()))
    polling.start()
    time.sleep(0.3)
    send_message(client, host, room, "over TLS")
    polling.join()
    check(responses[0]["events"][0]["type"] == "message.sent", f"a long-poll over TLS received {responses[0]}")
    stream.until(b"over TLS")
    large = "x" * 60000
    check(client.call("POST", "/v1/guests", body={"nickname": large}).status == 400, "a large body over TLS is not read")
    page = Client(port, trusted).call("GET", "/openapi.yaml")
    check(page.status == 200 and len(page.body) > 200_000, f"a large answer over TLS has {len(page.body)} bytes")
    with trusted.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=20), server_hostname="127.0.0.1") as folded:
        folded.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-One: a\r\n b\r\n\r\n")
        check(folded.recv(1000).startswith(b"HTTP/1.1 400 "), "a folded header over TLS is taken")
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    refused = Client(port, trusted).call("GET", f"/v1/rooms/{room}/socket", ann, headers=upgrade.items())
    check((refused.status, refused.json().get("code")) == (501, "request.socket_over_tls"),
          f"a WebSocket over TLS is answered {refused.status} {refused.body}")
    return client, host, room, stream


def refuses_old_ways(port, trusted):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
        plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        check(b"HTTP/1.1 200" not in plain.recv(1000), "plain HTTP is answered where TLS is spoken")
    commands = {
        "TLS 1.1": ("-tls1_1", "-cipher", "ALL:@SECLEVEL=0"), "CBC": ("-tls1_2", "-cipher", "ECDHE-RSA-AES256-SHA384"),
        "RSA key exchange": ("-tls1_2", "-cipher", "AES256-GCM-SHA384"), "DHE": ("-tls1_2", "-cipher", "DHE-RSA-AES256-GCM-SHA384"),
    }
    for name, options in commands.items():
        ended = subprocess.run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", *options], stdin=subprocess.DEVNULL, capture_output=True,
            timeout=20, check=False)
        check(ended.returncode != 0, f"{name} is spoken: {ended.stdout[-300:]}")
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        response = Client(port, context(trusted, version, version)).call("GET", "/healthz")
        check(response.status == 200, f"{version} is not spoken")
    with socket.create_connection(("127.0.0.1", port), timeout=20) as silent:
        began = time.monotonic()
        while silent.recv(1000):
            pass
        check(time.monotonic() - began < 5, "a client that never begins to speak TLS keeps its connection")


def serial_of(port, path):
    """Serial number of the certificate that a new connection receives if it is the expected one; otherwise None."""
    try:
        client = Client(port, context(path))
        client.call("GET", "/healthz")
        return client.serial()
    except ssl.SSLCertVerificationError:
        return None


def changes_certificates(folder, server, cert, key, staying):
    client, host, room, stream = staying
    for turn in range(7):
        new = certificate(folder, f"new{turn}", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
        for source, target in zip(new, (cert, key)):
            shutil.copy(source, target + ".new")
            os.rename(target + ".new", target)
        server.reload("were read again")
        eventually(lambda: serial_of(server.port, new[0]) is not None, "a new connection is shown the new certificate", 5, pause=0)
        if turn < 3:
            send_message(client, host, room, f"after certificate {turn}")
            stream.until(f"after certificate {turn}".encode())
    with open(key, "w") as file:
        file.write("-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n")
    server.reload("stay as they were")
    check(serial_of(server.port, new[0]) is not None, "a broken key changed what is shown")
    check("canary" not in server.logged(), "the key is in the log")
    # The client from before the first replacement was disconnected by the fifth one; it can reconnect.
    again = Client(server.port, context(new[0]))
    send_message(again, host, room, "the end")


def refuses_to_start(folder):
    cert, key = certificate(folder, "a", "rsa:2048")
    other = certificate(folder, "b", "rsa:2048")
    locked = os.path.join(folder, "locked.key")
    subprocess.run(
        ["openssl", "pkey", "-in", key, "-aes256", "-passout", "pass:x", "-out", locked], check=True, capture_output=True)
    cases = [((cert, other[1]), "do not belong together"), ((key, key), "certificate is not in PEM"),
             ((cert, cert), "no private key in PEM"), ((cert, locked), "passphrase"), ((cert, "/nowhere"), "cannot be read")]
    for (one, two), reason in cases:
        said = refused(78, (), "serve", "--port", "0", "--store", "memory:", "--tls-cert", one, "--tls-key", two)
        check(reason in said and two in said or one in said, f"{reason}: {said}")
    ended = auction_room("healthcheck", environment={"AUCTION_ROOM_TLS_CERT": cert})
    check(ended.returncode == 1 and "TLS" in ended.stderr, f"the healthcheck of a server with TLS: {ended}")
    return cert, key


def main():
    require_binary()
    started = time.monotonic()
    with scratch_folder("tls") as folder:
        cert, key = refuses_to_start(folder)
        first = shutil.copy(cert, os.path.join(folder, "first.crt"))
        server = Server(
            "memory:", *NO_LIMITS, "--limit-messages-per-second", "0", "--tls-cert", cert, "--tls-key", key, "--threads", "2",
            "--limit-request-seconds", "2", "--log-level", "info", log=os.path.join(folder, "log"))
        staying = serves(server.port, context(first))
        refuses_old_ways(server.port, first)
        changes_certificates(folder, server, cert, key, staying)
        code, output = server.terminate()
        check(code == 0 and output == "", f"SIGTERM under TLS: {code} {output!r}")
    print(f"tls: {check.count} checks; {time.monotonic() - started:.0f} s")


main()
