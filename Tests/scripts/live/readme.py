"""Runs the transcripts of the README and of the tour: the ```sh blocks of each in one shell, in order, against what the block behind shows.

Identifiers, times, tokens and ports differ from run to run and count as equal; everything else has to be as printed.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile

from program import BINARY, Server, require_binary

ROOT = os.path.join(os.path.dirname(__file__), "../../..")
# Each document, the section that is its transcript (### does not end it), the least number of its blocks of commands, and the shells.
TRANSCRIPTS = [
    ("README.md", "Run it", 1, ("bash", "dash", "zsh")),
    ("Sources/AuctionServer/AuctionServer.docc/ATour.md", "Overview", 14, ("bash", "zsh")),
]
ADDRESS = "http://127.0.0.1:8080"
VARYING = [
    (re.compile(r"\b(room|user|item|bid|req)_[0-9a-z_]*…?"), r"\1_…"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "TIME"),
    (re.compile(r'("remainingMs": ?)\d+'), r"\1N"),
]


class Step:
    def __init__(self, line, commands):
        self.line, self.commands, self.shown = line, commands, ""


def steps(text, section):
    """The commands of the section, each with the output that is shown for it. Blocks before the first commands are not a part of it."""
    found, kind, block, in_section, start = [], None, [], False, 0
    for number, line in enumerate(text.splitlines(), 1):
        if kind is None and line.startswith("## "):
            in_section = line == f"## {section}"
        elif kind is None and line.startswith("```") and in_section:
            kind, block, start = line[3:], [], number
        elif kind is not None and line == "```":
            if kind == "sh":
                found.append(Step(start, "\n".join(block)))
            elif found and not found[-1].shown:
                found[-1].shown = "\n".join(block)
            elif found:
                sys.exit(f"readme: line {start}: output without commands")
            kind = None
        elif kind is not None:
            block.append(line)
    return found


def alike(text):
    for pattern, replacement in VARYING:
        text = pattern.sub(replacement, text)
    return [line.rstrip() for line in text.strip().splitlines()]


def perform(all_steps, port, folder, shell):
    """What each step prints, run in one process of the shell so that its variables stay."""
    script = ["set -u"]
    for number, step in enumerate(all_steps):
        commands = step.commands.replace(ADDRESS, f"http://127.0.0.1:{port}")
        script.append(f"{{\n{commands}\n}} >{folder}/{number}.out 2>&1 </dev/null")
    done = subprocess.run([shell, "-c", "\n".join(script)], cwd=folder, timeout=120, check=False)
    if done.returncode != 0:
        sys.exit(f"readme: {shell} ended the transcript with {done.returncode}")
    outputs = []
    for number in range(len(all_steps)):
        with open(f"{folder}/{number}.out") as file:
            outputs.append(file.read())
    return outputs


def differences(step, output):
    expected, actual = alike(step.shown), alike(output)
    return list(difflib.unified_diff(expected, actual, "shown", "really", lineterm="", n=1))


def unnoticed_changes(all_steps, outputs):
    """Every line of expected output, changed, must make the comparison fail."""
    for step, output in zip(all_steps, outputs):
        lines = step.shown.splitlines()
        for index, line in enumerate(lines):
            changed = Step(step.line, step.commands)
            changed.shown = "\n".join([*lines[:index], line + " changed", *lines[index + 1:]])
            if line.strip() and not differences(changed, output):
                yield f"line {step.line}: a change of {line!r} is not noticed"


def run(document, section, least, shell):
    """Runs one transcript in a shell, on a server of its own; returns the number of its blocks and of failures."""
    with open(os.path.join(ROOT, document)) as file:
        all_steps = steps(file.read(), section)
    if len(all_steps) < least:
        sys.exit(f"readme: only {len(all_steps)} blocks of commands under \"{section}\" of {document}")
    if any(re.search(r"(^|\s)#", step.commands) for step in all_steps):
        sys.exit(f"readme: a comment in the commands of {document}: zsh takes none where commands are pasted")
    with tempfile.TemporaryDirectory(prefix="auction-readme.") as folder:
        server = Server(f"sqlite:{folder}/data/rooms.db", "--log-level", "error")
        outputs = perform(all_steps, server.port, folder, shell)
        server.kill()
    failures = 0
    for step, output in zip(all_steps, outputs):
        changes = differences(step, output)
        if changes:
            failures += 1
            print(f"{document}:{step.line}: in {shell} it prints something else:", *changes, sep="\n", file=sys.stderr)
    if failures == 0:
        for sentence in unnoticed_changes(all_steps, outputs):
            failures += 1
            print(f"readme: {document}: {sentence}", file=sys.stderr)
    return len(all_steps), failures


def main():
    require_binary()
    printed = subprocess.run([BINARY, "serve", "--help"], capture_output=True, text=True, check=True).stdout
    if "AUCTION_ROOM_PORT" not in printed or "8080" not in printed:
        sys.exit(f"readme: {ADDRESS} is not where the server is by default")
    runs = [run(document, section, least, shell) for document, section, least, shells in TRANSCRIPTS for shell in shells]
    counts, failures = zip(*runs)
    if sum(failures):
        sys.exit(1)
    print(f"readme: {' and '.join(map(str, counts))} blocks run, each prints what is shown; any changed line would be noticed")


main()
