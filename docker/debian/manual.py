"""Writes the manual page of the program from `auction-room --experimental-dump-help` on standard input: manual.py VERSION DATE"""
import json
import re
import sys


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]+)`", r"\\fB\1\\fR", text)
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.M)


def label(argument):
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument.get("names", ())]
    value = f"\\fI{escaped(argument['valueName'])}\\fR"
    if argument["kind"] == "positional":
        return value
    shown = ", ".join(f"\\fB{escaped(name)}\\fR" for name in sorted(names, key=len))
    return shown if argument["kind"] == "flag" else f"{shown} {value}"


def synopsis(command, arguments):
    words = [f"\\fBauction\\-room {escaped(command['commandName'])}\\fR"]
    if any(argument["kind"] != "positional" for argument in arguments):
        words.append("[\\fIoption\\fR ...]")
    for argument in arguments:
        if argument["kind"] == "positional":
            words.append(f"[{label(argument)}]" if argument["isOptional"] else label(argument))
    return " ".join(words)


def described(command):
    # Every command has these two; they are said once.
    arguments = [argument for argument in command.get("arguments", ()) if argument["valueName"] not in ("help", "version")]
    yield f".SS {escaped(command['commandName'])}"
    yield synopsis(command, arguments)
    for paragraph in [command.get("abstract", ""), *command.get("discussion", "").split("\n")]:
        if paragraph:
            yield ".PP\n" + escaped(paragraph)
    title = None
    for argument in arguments:
        if argument.get("sectionTitle") != title:
            title = argument.get("sectionTitle")
            yield f".PP\n\\fI{escaped(title or 'Other options')}\\fR"
        text = argument.get("abstract", "")
        if "defaultValue" in argument and "(default:" not in text:
            text += f" (default: {argument['defaultValue']})"
        yield f".TP\n{label(argument)}\n{escaped(text.strip()) or 'See above.'}"


def main():
    version, date = sys.argv[1:]
    program = json.load(sys.stdin)["command"]
    summary = program["abstract"].rstrip(".")
    lines = [
        f'.TH AUCTION\\-ROOM 1 "{date}" "auction\\-room {version}" "User Commands"',
        ".nh", ".ad l", ".SH NAME", f"auction\\-room \\- {escaped(summary[0].lower() + summary[1:])}",
        ".SH SYNOPSIS", "\\fBauction\\-room\\fR \\fIcommand\\fR [\\fIoption\\fR ...]",
        ".SH DESCRIPTION",
        escaped("The service auction-room runs `auction-room serve` as the user auction-room, with the settings of "
                "/etc/auction-room/auction-room.env: variables of the options below, in parentheses behind them."),
        ".SH COMMANDS", "Each has \\fB\\-h, \\-\\-help\\fR and \\fB\\-\\-version\\fR."]
    for command in program["subcommands"]:
        if command["commandName"] != "help" and command["shouldDisplay"]:
            lines += described(command)
    lines += [
        ".SH FILES",
        ".TP\n/etc/auction\\-room/auction\\-room.env\nThe settings of the service.",
        ".TP\n/var/lib/auction\\-room\nThe event log of the service, unless it is in PostgreSQL, with the pictures and the token secret. "
        "It is removed when the package is purged.",
        ".SH SEE ALSO", "\\fBsystemctl\\fR(1), \\fBjournalctl\\fR(1)"]
    print("\n".join(lines))


main()
