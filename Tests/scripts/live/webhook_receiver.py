"""A receiver of webhooks, run by the Python that has `standardwebhooks`: webhook_receiver.py PORT LEDGER SECRET.

The ids of verified messages go into the ledger before they are answered. Some are answered wrongly, before or after that, until there
is a file with the ledger's name and `.calm`: one that fails for the fourth time is due after a quarter of an hour only.
"""
import http.server
import os
import random
import socket
import sys
import time

from standardwebhooks import Webhook, WebhookVerificationError

PORT, LEDGER, SECRET = int(sys.argv[1]), sys.argv[2], sys.argv[3]
webhook = Webhook(SECRET)
ledger = os.open(LEDGER, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Answers are short: they must not wait for the acknowledgement of the one before.
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            webhook.verify(body, {name.lower(): value for name, value in self.headers.items()})
        except WebhookVerificationError as error:
            return self.answer(401, f"{error}")
        name = self.headers["webhook-id"]
        kind = 1 if os.path.exists(LEDGER + ".calm") else random.random()
        if kind < 0.02:
            return self.answer(503, "not taken")
        # One write: a kill leaves whole lines.
        os.write(ledger, f"{name}\n".encode())
        if kind < 0.04:
            return self.answer(500, "taken, and answered wrongly")
        if kind < 0.042:
            time.sleep(2)
        return self.answer(204)

    def answer(self, status, text=""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


class Listener(http.server.ThreadingHTTPServer):
    request_queue_size = 128
    allow_reuse_address = True
    daemon_threads = True
    address_family = socket.AF_INET

    def handle_error(self, *_):
        """A service that was killed resets its connections."""


Listener(("127.0.0.1", PORT), Handler).serve_forever()
