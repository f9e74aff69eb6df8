"""The most expensive bodies and queries within the limits, independent of the operation that they are sent to."""
import json
import zlib

BODY = 65536
TARGET = 3500


def filled(start, piece, end, separator=b","):
    """As many pieces as fit in a body; `piece` is called with 0, 1, 2 …"""
    parts, size, number = [], len(start) + len(end), 0
    while True:
        part = piece(number)
        if size + len(part) + len(separator) > BODY:
            return start + separator.join(parts) + end
        parts.append(part)
        size += len(part) + len(separator)
        number += 1


BODIES = {
    "a plain string": b'{"x":"' + b"a" * (BODY - 8) + b'"}',
    "many names": filled(b"{", lambda n: b'"%x":0' % n, b"}"),
    "names of combining marks": filled(
        b"{", lambda n: ('"a' + "".join("\u0301\u0300"[int(bit)] for bit in f"{n:b}") + '":0').encode(), b"}"),
    "one name twice, at the end": filled(b'{"0":0,', lambda n: b'"%x":0' % n, b',"0":0}'),
    "escapes": b'{"x":"' + rb"\u00e9" * ((BODY - 8) // 6) + b'"}',
    "surrogate pairs": b'{"x":"' + rb"\ud83d\ude00" * ((BODY - 8) // 12) + b'"}',
    "many elements": filled(b'{"x":[', lambda n: b"0", b"]}"),
    "many arrays": filled(b'{"x":[', lambda n: b"[[[[[[[[[[]]]]]]]]]]", b"]}"),
    "many objects": filled(b'{"x":[', lambda n: b'{"a":{"b":{}}}', b"]}"),
    "nested too deep": b"[" * (BODY // 2) + b"]" * (BODY // 2),
    "a number of many digits": b'{"amount":' + b"1" * (BODY - 12) + b"}",
    "a fraction of many zeros": b'{"amount":1.' + b"0" * (BODY - 14) + b"}",
    "an exponent of many digits": b'{"amount":1e' + b"0" * (BODY - 14) + b"1}",
    "a fraction that its exponent lifts": b'{"round":1.' + b"0" * (BODY - 20) + b"e400}",
    "spaces": b" " * (BODY - 2) + b"{}",
}

QUERIES = {
    "many parameters": "&".join(f"a{n}=1" for n in range(TARGET // 6)),
    "one parameter many times": "&".join(["limit=1"] * (TARGET // 8)),
    "many escapes": "limit=" + "%31" * (TARGET // 3),
    "a long number": "limit=" + "1" * TARGET,
}

HEADERS = {
    "languages": ["Accept-Language: " + ",".join(["zh;q=0.1"] * 380)],
    "media types": ["Accept: " + ",".join(["a/b;q=0.1"] * 340) + ",*/*;q=0.1"],
    "many headers": [f"X-{n}: 1" for n in range(380)],
    "many forwarded": ["X-Forwarded-For: " + ",".join(["1.2.3.4"] * 430)],
    "many tags": ["If-None-Match: " + ",".join(['"a"'] * 800)],
}


def text(count, alphabet="字"):
    """A string of `count` characters; by default characters of three bytes each."""
    return alphabet * count


def item(rules, heavy=True):
    """An item to upload; a heavy one is as large as the limits allow."""
    if not heavy:
        return {"name": "A vase", "rules": rules}
    media = ["https://example.org/" + "m" * 1900 for _ in range(20)]
    return {"name": text(200), "description": text(5000), "media": media, "rules": rules}


def heavy(value):
    """JSON bytes without \\u escapes, which would make it longer than the limit."""
    return json.dumps(value, ensure_ascii=False).encode()


def png(text, count):
    """A picture with `count` chunks of text, which are removed, before its data; at most as large as a body."""
    def chunk(name, data):
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")
    header, rest = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", bytes([0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0])), chunk(b"IEND", b"")
    header += count * chunk(b"tEXt", text)
    return header + chunk(b"IDAT", b"x" * min(50, BODY - len(header) - len(rest) - 12)) + rest
