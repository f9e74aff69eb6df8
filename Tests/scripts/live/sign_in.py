"""Signing in with a provider that runs here: discovery and keys by HTTP, an exchange that a restart does not repeat, no proxy."""
import http.server
import json
import os
import ssl
import subprocess
import threading
import time

from identity import encode
from program import Server
from wire import Connection, eventually, expect


def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True, input=data).stdout


class Provider:
    """An OpenID Connect provider with one RSA key. `tls`: a certificate and its key; None: plain HTTP."""

    def __init__(self, folder, tls=None):
        self.key = os.path.join(folder, "provider.pem")
        openssl("genrsa", "-out", self.key, "2048")
        modulus = openssl("rsa", "-in", self.key, "-noout", "-modulus").decode().strip().partition("=")[2]
        keys = {"keys": [{"kty": "RSA", "kid": "one", "alg": "RS256", "n": encode(bytes.fromhex(modulus)), "e": "AQAB"}]}
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                documents = {"/.well-known/openid-configuration": {"issuer": provider.issuer, "jwks_uri": provider.issuer + "/keys"},
                             "/keys": keys}
                body = json.dumps(documents.get(self.path)).encode()
                self.send_response(200 if self.path in documents else 404)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.issuer = f"http{'s' if tls else ''}://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def token(self, subject, **claims):
        now = int(time.time())
        body = {"iss": self.issuer, "aud": "page", "sub": subject, "name": subject.title(), "iat": now, "exp": now + 600, **claims}
        signed = ".".join(encode(json.dumps(part).encode()) for part in ({"alg": "RS256", "kid": "one"}, body))
        return signed + "." + encode(openssl("dgst", "-sha256", "-sign", self.key, data=signed.encode()))

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def check_all(folder, check, refuses):
    for wrong in ("https://sso.example", "http://sso.example=page", "https://sso.example="):
        refuses(78, ["--oidc", "ISSUER=CLIENT_ID"], "--oidc", wrong, "--store", "memory:")
    refuses(78, ["--jwks-file", "--jwks-url"], "--jwks-file", "x", "--jwks-url", "https://x.example", "--store", "memory:")
    provider = Provider(folder)
    store = "sqlite:" + os.path.join(folder, "sign-in.db")
    # A proxy that does not exist: no request may go to it.
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        os.environ[name] = "http://127.0.0.1:1"
    options = ("--oidc", provider.issuer + "=page", "--oidc", "https://127.0.0.1:1=page,app", "--guests", "off")
    log = os.path.join(folder, "sign-in.log")
    server = Server(store, *options, log=log)
    eventually(lambda: "the keys of a provider were fetched" in server.logged(), "the keys are not fetched")
    eventually(lambda: "none of its users can sign in" in server.logged(), "the log does not name the provider that is away")
    connection, token = Connection(server.port), provider.token("alice", nonce="n")
    alice = expect(connection.call("POST", "/v1/sessions", body={"idToken": token, "nonce": "n"}), 201)
    check(alice["user"]["nickname"] == "Alice", f"the token's name is not shown: {alice['user']}")
    check(connection.call("GET", "/v1/me", alice["token"]).status == 200, "the token is not accepted")
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        del os.environ[name]
    connection.close()
    server.kill()
    server = Server(store, *options, log=log)
    connection = Connection(server.port)
    check(connection.call("POST", "/v1/sessions", body={"idToken": token}).code() == "id_token.used", "a token is exchanged again after kill -9")
    again = expect(connection.call("POST", "/v1/sessions", body={"idToken": provider.token("alice", jti="2")}), 201)
    check(again["user"]["id"] == alice["user"]["id"], "the same subject is another user")
    code = expect(connection.call("POST", "/v1/me/pairing", alice["token"]), 201)["code"]
    paired = expect(connection.call("POST", "/v1/tokens/pair", body={"code": code}), 200)
    check(paired["user"]["id"] == alice["user"]["id"], "another device is another user")
    connection.close()
    check(server.terminate()[0] == 0, "the server with a provider does not stop")
    for secret in (token, alice["token"], code):
        check(secret not in server.logged(), "a token or a code is in the log")
    provider.stop()
    distrusts(folder, check)


def distrusts(folder, check):
    """A provider whose certificate no authority of the system has signed is not asked for its keys."""
    certificate, key = (os.path.join(folder, name) for name in ("untrusted.crt", "untrusted.key"))
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", key, "-out", certificate)
    provider = Provider(folder, (certificate, key))
    server = Server("memory:", "--oidc", provider.issuer + "=page", log=os.path.join(folder, "untrusted.log"))
    eventually(lambda: "certificate" in server.logged(), "the log does not say that the certificate is not trusted")
    connection = Connection(server.port)
    response = connection.call("POST", "/v1/sessions", body={"idToken": provider.token("alice")})
    check(response.code() == "session.provider_away", f"a provider that is not trusted signs users in: {response.status}")
    connection.close()
    server.terminate()
    provider.stop()
