"""A provider for the page's test: oidc-provider-mock (Authlib) with what it lacks for pages: PKCE instead of a
secret, and requests of other origins.

It prints its address. `POST /test/rotate`: another key; `POST /test/name`: the issuer that its next response to a browser names.
"""
import base64
import hashlib
import sys
import urllib.parse

import flask
import werkzeug.serving
from authlib.jose import JsonWebKey
from oidc_provider_mock import User, app as provider
from oidc_provider_mock._app import AuthorizationCodeGrant

USERS = [User(sub="ann", claims={"name": "Ann Archer"}), User(sub="bo", claims={"preferred_username": "bo.the.bidder"}), User(sub="cy", claims={})]
challenges, names = {}, []
# A page has no secret.
AuthorizationCodeGrant.TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
app = provider(require_nonce=True, user_claims=USERS)


def refusal(description):
    response = flask.jsonify({"error": "invalid_grant", "error_description": description})
    response.status_code = 400
    return response


@app.before_request
def verify():
    """RFC 7636, section 4.6: only who has begun can exchange the code."""
    if flask.request.path == "/oauth2/token":
        digest = hashlib.sha256(flask.request.form.get("code_verifier", "").encode("ascii")).digest()
        if challenges.pop(flask.request.form.get("code"), None) != base64.urlsafe_b64encode(digest).rstrip(b"=").decode():
            return refusal("The verifier is not that of the code.")
    if flask.request.path == "/oauth2/authorize" and flask.request.args.get("code_challenge_method") != "S256":
        return refusal("PKCE is required.")
    return None


@app.after_request
def remember(response):
    if flask.request.path == "/oauth2/authorize" and "code=" in response.headers.get("Location", ""):
        code = urllib.parse.parse_qs(urllib.parse.urlparse(response.headers["Location"]).query)["code"][0]
        challenges[code] = flask.request.args["code_challenge"]
        issuer = names.pop() if names else flask.request.host_url.rstrip("/")
        response.headers["Location"] += "&" + urllib.parse.urlencode({"iss": issuer})
    if flask.request.path == "/oauth2/token":
        response.headers["Access-Control-Allow-Origin"] = flask.request.headers.get("Origin", "null")
    return response


@app.post("/test/rotate")
def rotate():
    storage = flask.g.oidc_provider_mock_storage
    storage.jwk = JsonWebKey.generate_key("RSA", 2048, is_private=True)
    return "", 204


@app.post("/test/name")
def name_another():
    names.append(flask.request.form["issuer"])
    return "", 204


server = werkzeug.serving.make_server("127.0.0.1", 0, app, threaded=True)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    sys.exit(0)
