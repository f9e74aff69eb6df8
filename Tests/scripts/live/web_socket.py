"""A client of a room's WebSocket: as much of RFC 6455 as the tests need."""
import base64
import os
import socket
import struct

from wire import CheckFailed

# Close codes after which a client goes on from its cursor: the server stops, it cannot read its log, the client read too slowly.
RESUMED = (1001, 1011, 4408)


class WebSocket:
    """`source`: which of this machine's addresses it comes from."""

    def __init__(self, port, path, source=None, timeout=20):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout, source and (source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
             f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Protocol: auction-room.v1\r\n\r\n").encode())
        status, length = self.stream.readline(), 0
        while (line := self.stream.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if b" 101 " not in status:
            raise CheckFailed(f"{status[9:12].decode() or 'nothing'}: {self.stream.read(length).decode()}" if status else "503 closed")

    @staticmethod
    def frame(payload, opcode=1, final=True):
        """Encodes a client's frame; its mask is zero, so the payload stays unchanged."""
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", opcode | final << 7, 128 | size)
        elif size < 65536:
            head = struct.pack("!BBH", opcode | final << 7, 128 | 126, size)
        else:
            head = struct.pack("!BBQ", opcode | final << 7, 128 | 127, size)
        return head + bytes(4) + payload

    def texts(self):
        """Until the server closes."""
        while True:
            first, size = self._exactly(2)
            size &= 127
            if size > 125:
                size = struct.unpack(">H" if size == 126 else ">Q", self._exactly(2 if size == 126 else 8))[0]
            payload = self._exactly(size)
            if first == 0x81:
                yield payload
            elif first == 0x89:
                self.socket.sendall(self.frame(payload, opcode=10))
            elif first == 0x88:
                if struct.unpack(">H", payload[:2])[0] not in RESUMED:
                    raise CheckFailed(f"the WebSocket was closed with {payload!r}")
                # A server that stops waits for this.
                self.socket.shutdown(socket.SHUT_RDWR)
                return
            else:
                raise CheckFailed(f"a frame begins with {first:#x}")

    def _exactly(self, count):
        data = self.stream.read(count)
        if len(data) < count:
            raise OSError("closed by the server")
        return data

    def close(self):
        self.stream.close()
        self.socket.close()
