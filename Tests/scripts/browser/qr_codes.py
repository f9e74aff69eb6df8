"""Reads the QR codes of qr-codes.mjs from its standard input, with a decoder that is not the page's."""
import json
import sys

import zxingcpp

MARGIN, SCALE = 4, 3


def bitmap(rows):
    """Grey pixels, some for each module, with a margin."""
    size = len(rows) + 2 * MARGIN
    blank = ["0" * size] * MARGIN
    lines = [*blank, *(f"{row:0^{size}}" for row in rows), *blank]
    pixels = b"".join(bytes(0 if module == "1" else 255 for module in line for _ in range(SCALE)) * SCALE for line in lines)
    return memoryview(pixels).cast("B", (size * SCALE, size * SCALE))


count, sizes = 0, set()
for code in map(json.loads, sys.stdin):
    found = [each.text for each in zxingcpp.read_barcodes(bitmap(code["rows"]), formats=zxingcpp.BarcodeFormat.QRCode)]
    if found != [code["text"]]:
        raise SystemExit(f"qr: {code['text']!r} is read as {found}")
    count += 1
    sizes.add(len(code["rows"]))
if sizes != set(range(21, 61, 4)):
    raise SystemExit(f"qr: not every version from 1 to 10: {sorted(sizes)}")
print(f"{count} QR codes of the page, of {len(sizes)} versions, are read by another program")
