"""generated_client_responses.py FILE: the client of openapi-python-client parses every recorded response, and loses nothing of it."""
import collections
import importlib
import json
import pathlib
import re
import sys

import httpx

import client

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")


def parsers():
    """The function that parses the responses of each operation, by operationId."""
    folder = pathlib.Path(client.__file__).parent / "api"
    found = {}
    for file in folder.glob("*/*.py"):
        if file.stem != "__init__":
            name = re.sub(r"_(\w)", lambda match: match[1].upper(), file.stem)
            found[name] = importlib.import_module(f"client.api.{file.parent.name}.{file.stem}")._parse_response
    return found


def same(value):
    """With times in one form: the client writes them as Python does."""
    if isinstance(value, dict):
        return {name: same(member) for name, member in value.items()}
    if isinstance(value, list):
        return [same(element) for element in value]
    if isinstance(value, str) and TIME.fullmatch(value):
        seconds, fraction = re.match(r"([^.Z+]+)(?:\.(\d+))?", value).groups()
        return f"{seconds}.{(fraction or '0').ljust(6, '0')}"
    return value


def main():
    known, counts = parsers(), collections.Counter()
    web = client.Client(base_url="http://127.0.0.1")
    for line in open(sys.argv[1]):
        recorded = json.loads(line)
        parse = known.get(recorded["operation"])
        if parse is None or recorded["type"] not in ("application/json", "application/problem+json"):
            counts["without JSON, or for no generated client"] += 1
            continue
        response = httpx.Response(recorded["status"], text=recorded["body"], headers={"Content-Type": recorded["type"]})
        try:
            parsed = parse(client=web, response=response)
        except Exception as error:
            raise SystemExit(f"{recorded['operation']} {recorded['status']}: {error!r}\n{recorded['body']}") from error
        if parsed is None or same(parsed.to_dict()) != same(json.loads(recorded["body"])):
            raise SystemExit(f"{recorded['operation']} {recorded['status']} is not what was parsed:\n{recorded['body']}\n{parsed}")
        counts[recorded["operation"]] += 1
    if missing := set(known) - set(counts) - {"readMetrics", "exportResults", "exportResultLines", "exportResultDocument", "leaveRoom", "archiveRoom"}:
        raise SystemExit(f"no response of {sorted(missing)} was recorded")
    print(f"openapi-python-client: {sum(counts[name] for name in known)} responses of {len(known)} operations parsed")


main()
