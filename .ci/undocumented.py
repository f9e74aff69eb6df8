#!/usr/bin/env python3
"""undocumented.py [PATH…]: lists the public and package declarations of Swift files that have no doc comment; exits 1 if there are any.

A path is a file or a folder (all *.swift below it); default: Sources. Left out: cases of enums, initialisers that can neither fail
nor throw, and members whose protocol documents them (`==`, `hash(into:)`, `description`, …).
"""
import re
import sys
from pathlib import Path

DECLARATION = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public|package|open)(?:\(set\))?\s+"
    r"(?:(?:public|package|internal|private|fileprivate)\(set\)\s+)?"
    r"(?:(?:static|final|indirect|mutating|nonmutating|nonisolated|override|convenience|lazy|weak|unsafe|borrowing|consuming|"
    r"isolated|prefix|infix|postfix|class)\s+)*"
    r"(struct|class|enum|protocol|actor|typealias|func|var|let|init|subscript)\b(.*)")
STANDARD = re.compile(
    r"^\s*(==|<|hash\(|description\b|debugDescription\b|encode\(to|makeIterator|next\(\)|allCases\b|errorDescription\b|rawValue\b|"
    r"configuration\b|run\(\)|init\?\(argument|RawValue\b|Element\b|index\(|startIndex\b|endIndex\b)")
BETWEEN = re.compile(r"^\s*(@|// swift-format-ignore|#if\b|#endif\b)")


def undocumented(path):
    """(line number, line) of each declaration without a doc comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        found = DECLARATION.match(line)
        if not found:
            continue
        kind, rest = found.groups()
        if kind == "init":
            signature = " ".join(lines[number:number + 8]).split("{")[0]
            if not rest.startswith("?") and " throws" not in signature:
                continue
        elif STANDARD.match(rest):
            continue
        above = number - 1
        while above >= 0 and BETWEEN.match(lines[above]):
            above -= 1
        if above < 0 or not lines[above].lstrip().startswith(("///", "*/")):
            yield number + 1, line.strip()


def main():
    missing = 0
    for root in sys.argv[1:] or ["Sources"]:
        root = Path(root)
        for path in sorted(root.rglob("*.swift")) if root.is_dir() else [root]:
            for number, line in undocumented(path):
                missing += 1
                print(f"{path}:{number}: {line}")
    sys.exit(1 if missing else 0)


main()
