#!/usr/bin/env python3
"""stored-properties.py [FOLDER]: lists the types of Swift files with more stored properties than they may have; exits 3 if there are any.

A type may have 12: one that needs more consists of parts, each of which owns some of them. A type that owns state (a class, an actor, a
type that is not copied) has no open variables: each is private, fileprivate or private(set). stored-properties.txt lists the exceptions.
FOLDER (default: Sources) has a folder for each target. Properties in `#if` count in every branch; static and computed ones do not.
"""
import re
import sys
from pathlib import Path

# What is counted of a type, how much it may have, and what to do about more.
RULES = (("stored properties", 12, "divide it into parts"), ("open variables", 0, "make them private, or private(set)"))
EXCEPTIONS = Path(__file__).with_name("stored-properties.txt")
# Comments and string literals, whose braces do not count. An interpolation goes with its literal.
TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)""".*?"""\1|(#+)".*?"\2|"(?:\\\((?:[^()\n]|\([^()\n]*\))*\)|\\.|[^"\\\n])*"', re.S)
# What may stand before a declaration, from the begin of a line, a block or a statement.
BEFORE = r"(?:^|(?<=[{;]))[ \t]*"
ATTRIBUTES = r"(?:@\w+(?:\([^)\n]*\))?\s+|(?:[a-z]\w*)(?:\(\w+\))?[ \t]+)*?"
TYPE = re.compile(rf"{BEFORE}{ATTRIBUTES}\b(struct|class|actor|enum|extension|protocol)\s+(?!func\b|var\b|let\b)`?([A-Za-z_][\w.]*)", re.M)
PROPERTY = re.compile(rf"{BEFORE}({ATTRIBUTES}\b(?:var|let))\s+(\([^)]*\)|`?\w+`?)", re.M)
MARK = re.compile(rf"{TYPE.pattern}|{PROPERTY.pattern}|[{{}}]", re.M)
OBSERVER = re.compile(r"\s*(?:@\w+\s+)*(?:willSet|didSet)\b")
PRIVATE = re.compile(r"\b(?:file)?private\b")
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
    """{type, named as it is nested: [stored properties, open variables]} of a file."""
    text = TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    # For each open brace the kind and the name of the type that it begins, and whether it owns state; None for another one.
    braces, found, declared, at = [], {}, None, 0
    while mark := MARK.search(text, at):
        at = mark.end()
        kind, name, modifiers, first = mark.groups()
        if kind:
            # What is in a private type ends at the file as well.
            owns = (kind in ("class", "actor") or "~Copyable" in text[at:text.find("{", at)]) and not PRIVATE.search(mark[0])
            declared = (kind, ".".join([outer[1] for outer in braces if outer][-1:] + [name]), owns)
            if kind in STORING:
                found.setdefault(declared[1], [0, 0])
        elif first:
            if braces and braces[-1] and braces[-1][0] in STORING and not re.search(r"\b(static|class)\b", modifiers):
                stored, at = binding(text, at)
                stored *= 1 + first.count(",")
                is_open = braces[-1][2] and modifiers.endswith("var") and not PRIVATE.search(modifiers)
                for place, count in enumerate((stored, stored * is_open)):
                    found[braces[-1][1]][place] += count
        elif mark[0] == "{":
            braces.append(declared)
            declared = None
        elif braces:
            braces.pop()
    return found


def exceptions():
    """{type: ceiling, infinite for `any`} of stored properties, and of open variables."""
    found = {}, {}
    for number, line in enumerate(EXCEPTIONS.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            is_open = line.startswith("open ")
            ceiling, name, reason = (line.removeprefix("open ").split(maxsplit=2) + ["", ""])[:3]
            if not reason or ceiling != "any" and not ceiling.isdigit():
                sys.exit(f"{EXCEPTIONS}:{number}: a ceiling or `any`, a type and a reason are needed")
            found[is_open][name] = float("inf") if ceiling == "any" else int(ceiling)
    return found


def offences(root, allowed):
    """A sentence for each type under a folder of targets that has too much, and for each exception that none needs."""
    needed, found = (set(), set()), []
    for path in sorted(root.rglob("*.swift")):
        for name, both in counts(path.read_text(encoding="utf-8")).items():
            name = f"{path.relative_to(root).parts[0]}.{name}"
            for place, (count, (what, limit, remedy)) in enumerate(zip(both, RULES)):
                if count > limit:
                    needed[place].add(name)
                    ceiling = allowed[place].get(name, limit)
                    if count > ceiling:
                        found.append(f"{path}: {name} has {count} {what}, {ceiling} are allowed: {remedy}")
    for place, (what, limit, _) in enumerate(RULES):
        found += [f"{EXCEPTIONS}: {name} has at most {limit} {what}, or is gone: take it off" for name in allowed[place].keys() - needed[place]]
    return found


def main():
    found = offences(Path(sys.argv[1] if sys.argv[1:] else "Sources"), exceptions())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(3 if found else 0)


if __name__ == "__main__":
    main()
