#!/usr/bin/env python3
"""affected.py: which test targets a change of the paths on standard input may concern, for `make check`.

Prints an expression for the names of their tests; nothing if the change may concern all. A test target is concerned if it, or a target that
it depends on, contains one of the paths. AuctionServerTests always are: they compare files of other targets with one another.
"""
import json
import subprocess
import sys


def affected(targets, paths):
    """The names of the test targets, or None if a path belongs to no target. `targets`: those of `swift package describe`."""
    folders = sorted(((target["path"] + "/", target["name"]) for target in targets), reverse=True)
    # Files that the C targets embed.
    folders += [("Sources/Page/", "CPage"), ("openapi/", "CContract")]
    changed = set()
    for path in paths:
        found = next((name for folder, name in folders if path.startswith(folder)), None)
        if found is None:
            return None
        changed.add(found)
    needs = {target["name"]: target.get("target_dependencies") or [] for target in targets}

    def concerned(name):
        return name in changed or any(concerned(other) for other in needs.get(name, []))

    return sorted(target["name"] for target in targets
                  if target["type"] == "test" and (target["name"] == "AuctionServerTests" or concerned(target["name"])))


def main():
    paths = [line.strip() for line in sys.stdin if line.strip()]
    description = subprocess.run(["swift", "package", "describe", "--type", "json"], check=True, capture_output=True, text=True).stdout
    targets = json.loads(description)["targets"]
    found = affected(targets, paths) if paths else None
    if found is not None and len(found) < sum(target["type"] == "test" for target in targets):
        print(f"^({'|'.join(found)})\\.")


if __name__ == "__main__":
    main()
