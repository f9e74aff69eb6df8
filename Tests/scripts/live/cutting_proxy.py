"""A proxy that carries each request to a server, and does something to bids."""
import http.client
import http.server
import json
import threading


class CuttingProxy:
    """Loses the first response to a bid together with the connection; with `before`, calls that before each bid instead. `bids`: the
    bodies of all bids."""

    def __init__(self, server_port, before=None):
        proxy = self
        self.lost, self.bids = 0, []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def carry(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                is_bid = self.command == "POST" and self.path.endswith("/bids")
                if is_bid:
                    proxy.bids.append(json.loads(body))
                    if before:
                        before()
                server = http.client.HTTPConnection("127.0.0.1", server_port, timeout=60)
                server.request(self.command, self.path, body or None, dict(self.headers))
                response = server.getresponse()
                content = response.read()
                if is_bid and not before and response.status == 201 and not proxy.lost:
                    proxy.lost += 1
                    self.close_connection = True
                    return
                self.send_response_only(response.status)
                for name, value in response.getheaders():
                    if name.lower() not in ("connection", "transfer-encoding"):
                        self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PATCH = do_DELETE = carry

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.http.server_address[1]
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
