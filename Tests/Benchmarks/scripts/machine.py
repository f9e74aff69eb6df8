"""What the figures were measured on."""
import os
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Processes that may run beside a measurement, as the load average of the last minute has it.
QUIET = 0.5


def _output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False).stdout.strip()
    except OSError:
        return ""


def _file(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _processor():
    found = re.search(r"^model name\s*: (.+)$", _file("/proc/cpuinfo"), re.MULTILINE)
    return found[1] if found else platform.machine()


def _memory():
    return f"{int(re.search(r'MemTotal: +([0-9]+)', _file('/proc/meminfo'))[1]) / 1024 / 1024:.1f} GB"


def _disk(folder):
    """File system and device of the folder, and whether the device turns."""
    kind, source = (_output("findmnt", "-n", "-o", "FSTYPE,SOURCE", "--target", str(folder)).split() + ["unknown", "unknown"])[:2]
    device = os.path.basename(source)
    name = _output("lsblk", "-n", "-d", "-o", "PKNAME", source) or device
    queue = f"/sys/block/{name.splitlines()[0]}"
    turns = {"0": "solid state", "1": "reported as rotating"}.get(_file(queue + "/queue/rotational").strip(), "type unknown")
    model = _file(queue + "/device/model").strip()
    return ", ".join(word for word in (kind, source, model, turns) if word)


def _system():
    found = re.search(r'^PRETTY_NAME="(.+)"$', _file("/etc/os-release"), re.MULTILINE)
    return f"Linux {platform.release()}, {found[1] if found else 'unknown distribution'}"


def describe(folder):
    """{name: text}; takes two seconds for the disk. `folder`: where the logs will be."""
    sync = _output(sys.executable, str(HERE / "fdatasync.py"), str(folder), "2")
    changed = "" if not _output("git", "-C", str(HERE), "status", "--porcelain", "--untracked-files=no") else ", with changes"
    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores, which the clients share",
        "memory": _memory(),
        "system": _system(),
        "disk": _disk(folder),
        "4 KiB and fdatasync": f"{sync} us (median)",
        "commit": (_output("git", "-C", str(HERE), "rev-parse", "--short", "HEAD") or "unknown") + changed,
        "load before": f"{os.getloadavg()[0]:.2f}" + (", not a quiet machine" if os.getloadavg()[0] > QUIET else ""),
    }
