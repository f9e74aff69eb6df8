#!/usr/bin/env python3
"""words.py [PATH…]: lists the words of words.txt in the files below; exits 3 if there are any. Default: Sources Tests.

Of Swift and C, comments and code are searched, names in backticks and the interpolations of string literals too, but not the texts of
string literals: those are for clients and operators. Of Python, JavaScript and shell scripts, comments are searched, and docstrings; of
Markdown, what is not code, up to the list of former words in the glossary.
"""
import io
import re
import sys
import tokenize
from pathlib import Path

WORDS = Path(__file__).with_name("words.txt")
SUFFIXES = (".swift", ".c", ".h")
# What to search in other files. A mark of a comment inside a string counts too.
SCRIPT_COMMENT = re.compile(r"(?<!\S)#.*")
JS_COMMENT = re.compile(r"/\*.*?\*/|(?<!\S)//[^\n]*", re.S)
FENCE = re.compile(r"^ *```.*?^ *```", re.S | re.M)
FORMER_WORDS = "## What was called differently"
QUOTE = re.compile(r'(#*)("""|")')
CODE_MARK = re.compile(r"""//|/\*|["#`()']""")
TEXT_MARK = re.compile(r'["\\\n]')


def words():
    """[(compiled expression, what to write instead)]."""
    found = []
    for number, line in enumerate(WORDS.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        expression, tab, instead = line.partition("\t")
        if not tab or not instead:
            sys.exit(f"{WORDS}:{number}: an expression, a tab and a word are needed")
        found.append((re.compile(expression), instead))
    return found


class Source:
    """A file's text in which the texts of string literals are blank; line breaks stay where they are."""

    def __init__(self, text, is_swift):
        self.text, self.is_swift, self.at, self.out = text, is_swift, 0, []

    def searched(self):
        while self.at < len(self.text):
            self.code(ends_at_parenthesis=False)
        return "".join(self.out)

    def keep(self, end):
        self.out.append(self.text[self.at:end])
        self.at = end

    def blank(self, end):
        self.out.append(re.sub(r"[^\n]", " ", self.text[self.at:end]))
        self.at = end

    def end_of(self, mark):
        found = self.text.find(mark, self.at + 1)
        return len(self.text) if found < 0 else found

    def code(self, ends_at_parenthesis):
        depth = 0
        while self.at < len(self.text):
            mark = CODE_MARK.search(self.text, self.at)
            if not mark or mark.start() > self.at:
                self.keep(mark.start() if mark else len(self.text))
                continue
            character = self.text[self.at]
            quote = QUOTE.match(self.text, self.at) if character in '#"' else None
            if self.text.startswith("//", self.at):
                self.keep(self.end_of("\n"))
            elif self.text.startswith("/*", self.at):
                self.keep(min(len(self.text), self.end_of("*/") + 2))
            elif character == "`" and self.is_swift:
                self.keep(min(len(self.text), self.end_of("`") + 1))
            elif character == "'" and not self.is_swift:
                self.keep(self.at + (4 if self.text.startswith("'\\", self.at) else 3))
            elif quote:
                self.string(quote[1] if self.is_swift else "", quote[2] if self.is_swift else '"')
            else:
                depth += (character == "(") - (character == ")")
                if ends_at_parenthesis and depth < 0:
                    return
                self.keep(self.at + 1)

    def string(self, hashes, quote):
        end, escape = quote + hashes, "\\" + hashes
        self.keep(self.at + len(end))
        while self.at < len(self.text):
            mark = TEXT_MARK.search(self.text, self.at)
            self.blank(mark.start() if mark else len(self.text))
            if self.text.startswith(end, self.at):
                return self.keep(self.at + len(end))
            if self.is_swift and self.text.startswith(escape + "(", self.at):
                self.keep(self.at + len(escape) + 1)
                self.code(ends_at_parenthesis=True)
                self.keep(self.at + 1)
            elif self.text.startswith(escape, self.at):
                self.blank(self.at + len(escape) + 1)
            elif self.text[self.at:self.at + 1] == "\n" and quote == '"':
                return None
            else:
                self.blank(self.at + 1)
        return None


def only(expression, text):
    """The text with nothing but the matches of an expression, in their lines."""
    out, at = [], 0
    for match in expression.finditer(text):
        out.append("\n" * text.count("\n", at, match.start()) + match[0] + " ")
        at = match.end()
    return "".join(out)


def python_comments(text):
    """Comments and docstrings, in their lines."""
    lines, begins = [""] * (text.count("\n") + 2), True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and begins):
            for offset, line in enumerate(token.string.split("\n")):
                lines[token.start[0] - 1 + offset] += " " + line
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            begins = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return "\n".join(lines)


def prose(text):
    """Markdown without code, in its lines."""
    text = FENCE.sub(lambda match: re.sub(r"[^\n]", "", match[0]), text.partition(FORMER_WORDS)[0])
    return re.sub(r"`[^`\n]*`", "", text)


def searched(path):
    """The part of a file that is searched, in its lines; None of a file of another kind."""
    read = {
        ".py": python_comments, ".md": prose, ".sh": lambda text: only(SCRIPT_COMMENT, text),
        **{suffix: lambda text: only(JS_COMMENT, text) for suffix in (".js", ".mjs", ".ts")},
        **{suffix: lambda text: Source(text, path.suffix == ".swift").searched() for suffix in SUFFIXES},
    }.get(path.suffix)
    return read(path.read_text(encoding="utf-8")) if read and path.is_file() else None


def any_of(table):
    """An expression that matches where one of them does. All begin at a word, and one search for all of them there is ten times as fast."""
    return re.compile(r"\b(?:" + "|".join(expression.pattern.removeprefix(r"\b") for expression, _ in table) + ")")


def main():
    table, count = words(), 0
    suspect = any_of(table)
    for root in sys.argv[1:] or ["Sources", "Tests"]:
        root = Path(root)
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            text = searched(path) or ""
            for number, line in enumerate(text.splitlines() if suspect.search(text) else [], 1):
                for expression, instead in table:
                    found = expression.search(line)
                    if found:
                        count += 1
                        print(f"{path}:{number}: \"{found[0]}\": {instead}")
    sys.exit(3 if count else 0)


main()
