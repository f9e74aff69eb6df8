"""The real program as a process: starts it, waits for its ready line, ends it."""
import atexit
import contextlib
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from wire import CheckFailed, ConnectionLost, check, eventually

# Not passed on: the program warns of a variable that is none of its options.
BINARY = os.environ.pop("AUCTION_ROOM_BIN", "")
NO_LIMITS = ("--limit-bids-per-second", "0", "--limit-guests-per-minute", "0", "--limit-rooms-per-user", "0",
             "--limit-commands-per-second", "0")


running = set()
# What servers leave in their folder for temporary files if they are killed.
temporary = tempfile.mkdtemp(prefix="auction-temporary.")


@atexit.register
def kill_all():
    """Kills all servers when the test exits, for whatever reason."""
    for process in list(running):
        process.kill()
        process.wait()
    shutil.rmtree(temporary, ignore_errors=True)


signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


@contextlib.contextmanager
def ending(how, errors):
    """Ends the script with the text of a failure."""
    try:
        yield
    except errors as failure:
        sys.exit(f"{how}: {failure}")


@contextlib.contextmanager
def scratch_folder(script, about="", errors=(CheckFailed, ConnectionLost)):
    """A folder for what a script writes: removed if all goes well; if a check fails, the script ends with its place."""
    folder = tempfile.mkdtemp(prefix=f"auction-{script}.")
    with ending(f"{script}: {about}files in {folder}", errors):
        yield folder
    # PostgreSQL may remove some of them at the same time.
    subprocess.run(["rm", "-rf", folder], check=True)


class Server:
    """A running `auction-room serve` on a free port. `timeout`: seconds until it must be ready."""

    def __init__(self, store, *arguments, log=None, wrapper=(), timeout=30):
        self.log = log
        self.spawned_at = time.time()
        errors = open(log, "ab") if log else subprocess.DEVNULL
        self.process = subprocess.Popen(
            [*wrapper, BINARY, "serve", "--port", "0", "--store", store, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
            env={**os.environ, "TMPDIR": temporary})
        running.add(self.process)
        if log:
            errors.close()
        line = self._line(timeout)
        self.ready_at = time.time()
        match = re.fullmatch(r"auction-room is ready at https?://(?:127\.0\.0\.1|\[::1\]):(\d+)(?: \(all addresses\))?\n", line)
        if not match:
            self.kill()
            raise SystemExit(f"the server did not become ready; it printed {line!r}{self._complaint()}")
        self.ready_line, self.port = line, int(match[1])

    def _line(self, timeout):
        readable, _, _ = select.select([self.process.stdout], [], [], timeout)
        return self.process.stdout.readline().decode() if readable else f"nothing for {timeout} s"

    def _complaint(self):
        if not self.log:
            return ""
        return " and logged:\n" + self.logged()[-2000:]

    def logged(self):
        with open(self.log, errors="replace") as log:
            return log.read()

    def reload(self, message):
        """SIGHUP; returns once the log has one more line with this message."""
        before = self.logged().count(message)
        self.process.send_signal(signal.SIGHUP)
        eventually(lambda: self.logged().count(message) > before, f"after SIGHUP the log says {message!r}", 10, pause=0.01)

    def resident(self):
        """Kilobytes of memory that are resident now."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(status.read().split("VmRSS:")[1].split()[0])

    def pause(self):
        """SIGSTOP; returns when every thread is stopped."""
        self.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        """kill -9; returns when the process is gone."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        running.discard(self.process)

    def terminate(self, timeout=20):
        """SIGTERM; returns the exit code and the rest of standard output."""
        self.process.send_signal(signal.SIGTERM)
        try:
            rest, _ = self.process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise SystemExit(f"the server still runs {timeout} s after SIGTERM") from None
        running.discard(self.process)
        return self.process.returncode, rest.decode()

    def end(self):
        """SIGTERM, after which the program must end with 0."""
        code, _ = self.terminate()
        if code:
            raise SystemExit(f"the server ended with {code}")


def require_binary():
    if not os.access(BINARY, os.X_OK):
        raise SystemExit(f"AUCTION_ROOM_BIN={BINARY or '(not set)'} is not an executable; `make test` sets it")


def auction_room(*arguments, timeout=60, environment=None, text=True, cwd=None):
    """Runs the program to its end; `environment` is added to that of this process, without the program's own variables."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AUCTION_ROOM_")}
    return subprocess.run([BINARY, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=text, timeout=timeout, check=False, cwd=cwd,
                          env={**inherited, **(environment or {})})


def refused(code, words, *arguments, environment=None):
    """The program ends with this code and one line that has these words, which is returned."""
    ended = auction_room(*arguments, environment=environment)
    lines = ended.stderr.splitlines()
    told = len(lines) == 1 and lines[0].startswith("auction-room: ") and all(word in lines[0] for word in words)
    check((ended.returncode, ended.stdout) == (code, "") and told, f"expected {code} and {words} of {' '.join(arguments)} {environment or ''}: {ended}")
    return lines[0]


def output(*arguments, code=0, timeout=60):
    """What the program prints, to both outputs; it must end with this code."""
    done = auction_room(*arguments, timeout=timeout)
    check(done.returncode == code, f"{' '.join(arguments)} ended with {done.returncode}, not {code}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def verify(store):
    """A list of what `auction-room verify` finds: nothing, or all that it printed."""
    done = auction_room("verify", "--store", store)
    return [] if done.returncode == 0 and done.stdout.endswith(" 0 findings\n") else [f"verify: {done.stdout}{done.stderr}"]
