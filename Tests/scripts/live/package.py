"""The Debian package in a fresh root: installed by apt, served with the settings of its unit, upgraded over itself, purged."""
import os
import pathlib
import re
import signal
import subprocess
import sys

from nginx import free_port
from room_setup import guest, open_round
from wire import Connection, ConnectionLost, check, eventually, expect

ROOT = pathlib.Path(sys.argv[1])
UNIT = ROOT / "usr/lib/systemd/system/auction-room.service"
SETTINGS = ROOT / "etc/auction-room/auction-room.env"
DATA = ROOT / "var/lib/auction-room"
ENABLED = ROOT / "etc/systemd/system/multi-user.target.wants/auction-room.service"
LOG, TRACE = ROOT / "tmp/log", ROOT / "tmp/trace"
# Of `systemd-analyze security`, in tenths: 0 is a service without any rights, 100 one with all.
MOST_EXPOSED = 14
ITEM = {"name": "Teapot", "rules": {"startingPrice": "100", "biddingSeconds": 600}}


def inside(*command):
    """Runs a command as root in the fresh root; returns what it printed."""
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    environment |= {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    done = subprocess.run(["chroot", ROOT, *command], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    check(done.returncode == 0, f"{' '.join(command)} ends with {done.returncode}:\n{done.stdout}")
    return done.stdout


def unit(name):
    """All values of a setting of the installed unit."""
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(), re.M)


def as_service(*command):
    """The command as the unit's user, with its environment and without capabilities."""
    (file,), (user,), (group,) = unit("EnvironmentFile"), unit("User"), unit("Group")
    own = [line for line in (ROOT / file.removeprefix("-/")).read_text().splitlines() if line and not line.startswith("#")]
    return ["chroot", ROOT, "setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs",
            "--bounding-set=-all", "env", "--ignore-environment", *unit("Environment"), *own, *command]


class Service:
    """The program as the unit starts it, with the part of /proc that it lets the program see; its system calls are traced."""

    def __init__(self, port):
        subprocess.run(["mount", "-t", "proc", "-o", "subset=pid,hidepid=invisible", "proc", ROOT / "proc"], check=True)
        (command,) = unit("ExecStart")
        with open(LOG, "wb") as log:
            self.process = subprocess.Popen(
                ["strace", "--daemonize", "--follow-forks", "--quiet=all", f"--output={TRACE}", *as_service(*command.split())],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, umask=int(unit("UMask")[0], 8))
        self.connection = Connection(port)
        eventually(self.is_ready, f"the service is not ready: {LOG.read_text(errors='replace')}", seconds=60)

    def is_ready(self):
        check(self.process.poll() is None, f"the service ended: {LOG.read_text(errors='replace')}")
        try:
            return self.connection.call("GET", "/readyz").status == 200
        except ConnectionLost:
            return False

    def end(self, number):
        self.process.send_signal(number)
        code = self.process.wait(timeout=60)
        subprocess.run(["umount", ROOT / "proc"], check=True)
        return code


def system_calls():
    """The calls since the program was executed, of all its threads and of the backtracer."""
    _, _, traced = TRACE.read_text(errors="replace").partition('execve("/usr/bin/auction-room"')
    return {"execve"} | set(re.findall(r"^\d+ +(?:<\.\.\. )?([a-z]\w*)(?:\(| resumed)", traced, re.M))


def allowed_calls():
    """What the unit's filter lets through, by the sets of this Debian's systemd."""
    sets = {}
    for line in inside("systemd-analyze", "--no-pager", "syscall-filter").splitlines():
        if line.startswith("@"):
            members = sets.setdefault(line.strip(), [])
        elif line.startswith("    ") and not line.strip().startswith("#"):
            members.append(line.strip())

    def expanded(name):
        return {name} if not name.startswith("@") else {call for member in sets[name] for call in expanded(member)}
    allowed = expanded("@default")
    for names in unit("SystemCallFilter"):
        calls = {call for name in names.removeprefix("~").split() for call in expanded(name)}
        allowed = allowed - (calls - expanded("@default")) if names.startswith("~") else allowed | calls
    return allowed


def owned(path):
    """Mode, user and group, as the fresh root names them."""
    return inside("stat", "--format=%a %U:%G", "/" + str(path.relative_to(ROOT))).strip()


def installed():
    # Settings (c) may differ.
    changed = [line for line in inside("dpkg", "--verify", "auction-room").splitlines() if " c " not in line]
    check(not changed, f"files are not as the package has them: {changed}")
    check(owned(SETTINGS) == "640 root:root", f"the settings are {owned(SETTINGS)}")
    check(owned(DATA) == "700 auction-room:auction-room", f"the data are {owned(DATA)}")
    check(ENABLED.is_symlink(), "the service is not enabled")
    complaints = inside("systemd-analyze", "verify", "--man=no", "auction-room.service")
    check(not complaints, f"systemd-analyze verify: {complaints}")
    inside("systemd-analyze", "security", "--offline=yes", "--no-pager", f"--threshold={MOST_EXPOSED}", "auction-room.service")
    return inside("auction-room", "--version").strip()


def main():
    inside("apt-get", "update", "-q")
    install = ("apt-get", "install", "-qy", "--no-install-recommends", "--reinstall", "/auction-room.deb")
    inside(*install)
    version = installed()

    port = free_port()
    settings = SETTINGS.read_text() + f"AUCTION_ROOM_PORT={port}\n"
    SETTINGS.write_text(settings)
    service = Service(port)
    host, seller, bidder = (guest(service.connection, name) for name in ("Hana", "Sato", "Ann"))
    room = open_round(service.connection, "Tonight", host, seller, [bidder], ITEM)
    bid = ("POST", f"/v1/rooms/{room}/bids", bidder[1], {"amount": "100"})
    expect(service.connection.call("POST", f"/v1/rooms/{room}/auction/start", host[1]), 200)
    expect(service.connection.call(*bid, key="one"), 201)
    check(service.end(signal.SIGTERM) == 0, "the service does not stop with 0")
    used = system_calls()
    check(owned(DATA / "rooms.db") == "600 auction-room:auction-room", f"the log is {owned(DATA / 'rooms.db')}")

    inside(*install)
    check(SETTINGS.read_text() == settings, "an upgrade changes the settings")
    check(installed() == version, "an upgrade changes the version")
    service = Service(port)
    again = service.connection.call(*bid, key="one")
    check(expect(again, 201)["bid"]["amount"] == "100.00", "the bid is not there after an upgrade")
    check(service.end(signal.SIGILL) == -signal.SIGILL, "a trap does not end the service")
    used |= system_calls()
    check("Program crashed" in LOG.read_text(errors="replace"), "a trap leaves no backtrace")
    allowed = allowed_calls()
    check(used and used <= allowed, f"the unit refuses system calls that are made: {sorted(used - allowed)}")
    subprocess.run(as_service("auction-room", "verify", "--store", "sqlite:/var/lib/auction-room/rooms.db"), check=True,
                   stdout=subprocess.DEVNULL)

    inside("apt-get", "remove", "-qy", "auction-room")
    check(SETTINGS.exists() and (DATA / "rooms.db").exists(), "the settings or the data are gone before the purge")
    inside("apt-get", "purge", "-qy", "auction-room")
    left = inside("find", "/etc", "/usr", "/var", "/run", "-name", "*auction-room*", "-not", "-path", "/var/lib/dpkg/*").split()
    check(not left, f"a purge leaves {left}")
    print(f"package: {inside('sh', '-c', '. /etc/os-release; echo $PRETTY_NAME').strip()}: auction-room {version} is installed, "
          f"served with {len(used)} system calls of the {len(allowed)} that are allowed, upgraded, and purged")


main()
