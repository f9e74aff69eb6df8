"""Runs the nginx of docker/ as a process, with the configuration files that the containers mount; only the addresses differ."""
import atexit
import os
import pathlib
import re
import socket
import subprocess
import time

import program

FILES = {1: "docker/nginx-one.conf", 3: "docker/nginx-nodes.conf"}


class Proxy:
    """nginx on a free port in front of one server or of three nodes; `upstreams`: their ports."""

    def __init__(self, folder, *upstreams, is_limited=True):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.port = free_port()
        nodes = pathlib.Path(FILES[len(upstreams)]).read_text()
        for number, port in enumerate(upstreams, 1):
            nodes = replaced(nodes, f"server 10.203.0.1{number}:8080", f"server 127.0.0.1:{port}", FILES[len(upstreams)])
        (self.folder / "upstream.conf").write_text(nodes)
        text = pathlib.Path("docker/nginx.conf").read_text()
        if not is_limited:
            # Load tests send all requests from one address.
            for rate in (200, 400, 50):
                text = replaced(text, f"rate={rate}r/s", "rate=1000000r/s", "docker/nginx.conf")
        # The folder itself may be under /tmp, so /tmp/ is replaced before paths in the folder are inserted.
        for old, new in (("/tmp/", f"{self.folder}/"), ("/etc/nginx/upstream.conf", f"{self.folder}/upstream.conf"),
                         ("listen 8080;", f"listen 127.0.0.1:{self.port};"), ("/dev/stdout", f"{self.folder}/access.log"),
                         ("/dev/stderr", f"{self.folder}/error.log")):
            text = replaced(text, old, new, "docker/nginx.conf")
        (self.folder / "nginx.conf").write_text(text)
        # Workers of a user without rights, as root's are by default, could not write bodies into this folder.
        user = " user root;" if os.geteuid() == 0 else ""
        command = ["nginx", "-c", str(self.folder / "nginx.conf"), "-g", "daemon off;" + user]
        checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        if checked.returncode:
            raise SystemExit(f"nginx -t: {checked.stderr}")
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        program.running.add(self.process)
        # Before all processes are killed, which would leave the workers behind.
        atexit.register(self.stop)
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("nginx does not listen")

    def responses(self):
        """The access log: method, path, status, and the upstream ports that were tried, the last of which responded."""
        line = re.compile(r'\S+ \[[^]]*\] "(\S+) (\S+)" (\d+) \d+ \S+ (.*)')
        for match in map(line.fullmatch, (self.folder / "access.log").read_text().splitlines()):
            if match:
                tried = [int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", match[4])]
                yield match[1], match[2], int(match[3]), tried

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        program.running.discard(self.process)


def replaced(text, old, new, name):
    if old not in text:
        raise SystemExit(f"{name} has no {old!r} any more")
    return text.replace(old, new)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]
