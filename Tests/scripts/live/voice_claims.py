"""Verifies tokens with LiveKit's library: reads one a line, and prints its claims as JSON. Arguments: the key, and the file of its secret."""
import dataclasses
import json
import sys
from pathlib import Path

from livekit.api import TokenVerifier


def main():
    verifier = TokenVerifier(sys.argv[1], Path(sys.argv[2]).read_text().strip())
    for line in sys.stdin:
        print(json.dumps(dataclasses.asdict(verifier.verify(line.strip()))), flush=True)


main()
