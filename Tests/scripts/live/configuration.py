"""docker/CONFIGURATION.md against the program: every variable, its default and its bounds, and nothing else."""
import os
import pathlib
import re
import subprocess
import sys

from program import BINARY, require_binary

DOCUMENT = pathlib.Path("docker/CONFIGURATION.md")
ROW = re.compile(r"\| `(AUCTION_ROOM_[A-Z0-9_]+)` \| ([^|]+) \| ([^|]*?) ?\| [^|]+ \|")
WHOLE = re.compile(r"a whole number from (\d+) to (\d+)")


def serve(**environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("AUCTION_ROOM_")}
    return subprocess.run([BINARY, "serve"], capture_output=True, text=True, timeout=20, check=False,
                          stdin=subprocess.DEVNULL, env={**clean, **environment})


def documented_defaults():
    """Variable: default, as `serve --help-all` has it."""
    text = subprocess.run([BINARY, "serve", "--help-all"], capture_output=True, text=True, check=True).stdout
    return dict(reversed(pair) for pair in re.findall(r"\(default: ([^;)]+); (AUCTION_ROOM_[A-Z0-9_]+)\)", re.sub(r"\s+", " ", text)))


def bounds(variable):
    """What the program says of a value that it cannot use; None where it does not ask for a number."""
    ended = serve(**{"AUCTION_ROOM_STORE": "memory:", "AUCTION_ROOM_PORT": "0", variable: "no-such/value"})
    if ended.returncode not in (69, 78):
        return f"it took {variable}=no-such/value: exit {ended.returncode}"
    match = WHOLE.search(ended.stderr)
    return f"{int(match[1]):,} to {int(match[2]):,}" if match else None


def main():
    require_binary()
    known, rows, findings = documented_defaults(), {}, []
    printed = subprocess.run([BINARY, "configuration"], capture_output=True, text=True, check=True).stdout
    if DOCUMENT.read_text() != printed:
        findings.append(f"{DOCUMENT} is not what `auction-room configuration` prints")
    for line in DOCUMENT.read_text().splitlines():
        match = ROW.fullmatch(line)
        if match is None:
            if line.startswith("| `AUCTION_ROOM_"):
                findings.append(f"a row that cannot be read: {line}")
            continue
        if match[1] in rows:
            findings.append(f"{match[1]} is documented twice")
        rows[match[1]] = match[2], match[3]
    findings += [f"{name} is not documented" for name in sorted(known.keys() - rows.keys())]
    findings += [f"{name} is documented, and there is no such option" for name in sorted(rows.keys() - known.keys())]
    for name in sorted(known.keys() & rows.keys()):
        default, documented_bounds = rows[name][0].strip("`"), rows[name][1]
        if default != known[name]:
            findings.append(f"{name}: documented with the default {default!r}, it is {known[name]!r}")
        real = bounds(name)
        is_number = re.fullmatch(r"[\d,]+ to [\d,]+", documented_bounds) is not None
        if (real != documented_bounds) if real or is_number else False:
            findings.append(f"{name}: documented with the bounds {documented_bounds!r}, they are {real!r}")
    articles = pathlib.Path("Sources/AuctionServer/AuctionServer.docc").glob("*.md")
    used = {(path, name) for path in [pathlib.Path("README.md"), *articles, *pathlib.Path("docker").rglob("*")] if path.is_file()
            for name in re.findall(r"\bAUCTION_ROOM_[A-Z0-9_]+", path.read_text())}
    findings += [f"{path} names {name}, which is no variable" for path, name in sorted(used)
                 if name.rstrip("_") not in known.keys()]
    if findings:
        sys.exit("configuration:\n" + "\n".join("  " + finding for finding in findings))
    numbers = sum(" to " in documented_bounds for _, documented_bounds in rows.values())
    print(f"configuration: {len(rows)} variables as the program has them, {numbers} with the bounds that it holds")


main()
