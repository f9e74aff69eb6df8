#!/usr/bin/env python3
"""stored-properties.py [FOLDER]: lists the types of Swift files with more stored properties than they may have; exits 3 if there are any.

A type may have 12: one that needs more consists of parts, each of which owns some of them. stored-properties.txt lists the exceptions.
FOLDER (default: Sources) has a folder for each target. Properties in `#if` count in every branch; static and computed ones do not.
"""
import re
import sys
from pathlib import Path

LIMIT = 12
EXCEPTIONS = Path(__file__).with_name("stored-properties.txt")
# Comments and string literals, whose braces do not count. An interpolation goes with its literal.
TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)""".*?"""\1|(#+)".*?"\2|"(?:\\\((?:[^()\n]|\([^()\n]*\))*\)|\\.|[^"\\\n])*"', re.S)
# What may stand before a declaration, from the begin of a line, a block or a statement.
BEFORE = r"(?:^|(?<=[{;]))[ \t]*"
ATTRIBUTES = r"(?:@\w+(?:\([^)\n]*\))?\s+|(?:[a-z]\w*)(?:\(\w+\))?[ \t]+)*?"
TYPE = re.compile(rf"{BEFORE}{ATTRIBUTES}\b(struct|class|actor|enum|extension|protocol)\s+(?!func\b|var\b|let\b)`?([A-Za-z_][\w.]*)", re.M)
PROPERTY = re.compile(rf"{BEFORE}({ATTRIBUTES})\b(?:var|let)\s+(\([^)]*\)|`?\w+`?)", re.M)
MARK = re.compile(rf"{TYPE.pattern}|{PROPERTY.pattern}|[{{}}]", re.M)
OBSERVER = re.compile(r"\s*(?:@\w+\s+)*(?:willSet|didSet)\b")
STORING = ("struct", "class", "actor")


def binding(text, at):
    """Of the declaration whose first name ends at `at`: the number of stored properties, and where its type or `=` ends."""
    depth, names = 0, 1
    while at < len(text):
        character = text[at]
        if character in "([" or character == "<" and text[at - 1].isalnum():
            depth += 1
        elif character in ")]" or character == ">" and text[at - 1] != "-":
            depth -= 1
        elif depth == 0 and character == "{":
            return names if OBSERVER.match(text, at + 1) else 0, at
        elif depth == 0 and character == "=":
            return names + len(re.findall(r",\s*\w+\s*(?::[^,=\n]*)?=", text[at:text.find("\n", at)])), at
        elif depth == 0 and character == ",":
            names += 1
        elif depth == 0 and character in "\n;}":
            # A declaration goes on in the next line after such a character, or before such a one.
            if character != "\n" or text[:at].rstrip()[-1] not in ":,&" and text[at:].lstrip()[:1] not in ("{", "="):
                return names, at
        at += 1
    return names, at


def counts(text):
    """{type, named as it is nested: stored properties} of a file."""
    text = TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    # For each open brace the kind and the name of the type that it begins; None for another one.
    braces, found, declared, at = [], {}, None, 0
    while mark := MARK.search(text, at):
        at = mark.end()
        kind, name, modifiers, first = mark.groups()
        if kind:
            declared = (kind, ".".join([outer[1] for outer in braces if outer][-1:] + [name]))
            if kind in STORING:
                found.setdefault(declared[1], 0)
        elif first:
            if braces and braces[-1] and braces[-1][0] in STORING and not re.search(r"\b(static|class)\b", modifiers):
                stored, at = binding(text, at)
                found[braces[-1][1]] += stored * (1 + first.count(","))
        elif mark[0] == "{":
            braces.append(declared)
            declared = None
        elif braces:
            braces.pop()
    return found


def exceptions():
    """{type: ceiling, infinite for `any`}."""
    found = {}
    for number, line in enumerate(EXCEPTIONS.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            ceiling, name, reason = (line.split(maxsplit=2) + ["", ""])[:3]
            if not reason or ceiling != "any" and not ceiling.isdigit():
                sys.exit(f"{EXCEPTIONS}:{number}: a ceiling or `any`, a type and a reason are needed")
            found[name] = float("inf") if ceiling == "any" else int(ceiling)
    return found


def main():
    root, allowed, long, offences = Path(sys.argv[1] if sys.argv[1:] else "Sources"), exceptions(), set(), []
    for path in sorted(root.rglob("*.swift")):
        for name, count in counts(path.read_text(encoding="utf-8")).items():
            if count > LIMIT:
                name = f"{path.relative_to(root).parts[0]}.{name}"
                long.add(name)
                ceiling = allowed.get(name, LIMIT)
                if count > ceiling:
                    offences.append(f"{path}: {name} has {count} stored properties, {ceiling} are allowed: divide it into parts")
    offences += [f"{EXCEPTIONS}: {name} has at most {LIMIT} stored properties, or is gone: take it off" for name in allowed.keys() - long]
    print("\n".join(offences), end="\n" if offences else "")
    sys.exit(3 if offences else 0)


main()
