"""The page at /docs reads YAML by a module of its own. It reads of the contract, and of the streams, what PyYAML reads."""
import json
import pathlib
import subprocess

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
READER = """
import { readFileSync } from "node:fs";
import { parseYAML } from "./Sources/Page/docs/yaml.js";
console.log(JSON.stringify(parseYAML(readFileSync(process.argv[1], "utf8"))));
"""

for name in ("openapi/openapi.yaml", "openapi/asyncapi.yaml"):
    with open(ROOT / name, encoding="utf-8") as file:
        expected = yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    read = subprocess.run(["node", "--input-type=module", "-e", READER, name], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    assert json.loads(read) == expected, f"{name}: /docs reads something else than PyYAML"
print("the page of the contract reads its YAML as PyYAML does")
