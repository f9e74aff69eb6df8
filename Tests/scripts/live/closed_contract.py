"""The contract with the operations that it leaves out, closed: schemas of answers allow what they list and nothing else.

The served contract is open, so that clients do not break when something is added. The server of this repository must send
exactly what the contract lists, so tests close it. Prints the document. Needs PyYAML, which schemathesis installs."""
import pathlib
import sys

import yaml

CONTRACT = pathlib.Path("openapi/openapi.yaml")
UNLISTED = pathlib.Path("Tests/HTTPContract/Unlisted.yaml")


def merged(one, other):
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other
    return {**one, **{name: merged(one[name], value) if name in one else value for name, value in other.items()}}


def close(node, name=""):
    """Closes every schema in place; what is not a schema has no `properties` and no `x-extensible-enum`."""
    if isinstance(node, list):
        for element in node:
            close(element)
    if not isinstance(node, dict):
        return
    if "properties" in node and "type" in node and name != "properties":
        node.setdefault("additionalProperties", False)
    if "x-extensible-enum" in node:
        is_nullable = isinstance(node.get("type"), list) and "null" in node["type"]
        node["enum"] = node.pop("x-extensible-enum") + ([None] if is_nullable else [])
    if node.pop("x-accepts-number", False):
        node["type"] = ["string", "number"] + (["null"] if "null" in node["type"] else [])
        node["exclusiveMinimum"] = 0
    if node.get("$ref") == "#/components/schemas/Event":
        node["$ref"] = "#/components/schemas/KnownEvent"
    for member, value in node.items():
        if member not in ("example", "examples"):
            close(value, member)


def closed_contract():
    document = merged(yaml.safe_load(CONTRACT.read_text()), yaml.safe_load(UNLISTED.read_text()))
    close(document)
    return document


if __name__ == "__main__":
    yaml.safe_dump(closed_contract(), sys.stdout, sort_keys=False, allow_unicode=True)
