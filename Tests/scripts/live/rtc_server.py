"""An RTC service that speaks the calls of LiveKit's server API, and is away when a test says so."""
import base64
import http.server
import json
import threading


class RTCServer:
    """`rooms`: by room and identity whether a participant may speak. `is_away`: it answers with 503. `calls`: (room, method) of all calls."""

    def __init__(self):
        self.rooms, self.calls, self.is_away = {}, [], False
        self.lock = threading.Lock()
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                status, answer = owner.respond(self.path, self.headers["Authorization"], body)
                content = answer.encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                try:
                    self.end_headers()
                    self.wfile.write(content)
                except ConnectionError:
                    # The caller has ended, or does not wait any more.
                    self.close_connection = True

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.thread.start()
        self.url = f"ws://127.0.0.1:{self.server.server_port}"

    def end(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def join(self, token):
        """A participant joins with what their token lets them do."""
        claims = token.split(".")[1]
        video = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
        with self.lock:
            self.rooms.setdefault(video["video"]["room"], {})[video["sub"]] = video["video"]["canPublish"]

    def speaks(self, room, identity):
        """None: they are not there."""
        with self.lock:
            return self.rooms.get(room, {}).get(identity)

    def respond(self, path, _authorization, body):
        """Returns a status and the text of an answer."""
        status, answer = self.answer(path.rsplit("/", 1)[-1], json.loads(body))
        return status, json.dumps(answer)

    def answer(self, method, body):
        with self.lock:
            self.calls.append((body["room"], method))
            if self.is_away:
                return 503, {"code": "unavailable", "msg": "away"}
            present = self.rooms.get(body["room"], {})
            if method == "ListParticipants":
                return 200, {"participants": [{"identity": who, "permission": {"can_publish": speaks}} for who, speaks in present.items()]}
            if method == "DeleteRoom":
                self.rooms.pop(body["room"], None)
                return 200, {}
            if body["identity"] not in present:
                return 404, {"code": "not_found", "msg": "participant does not exist"}
            if method == "RemoveParticipant":
                del present[body["identity"]]
            else:
                present[body["identity"]] = body["permission"].get("canPublish", False)
            return 200, {}
