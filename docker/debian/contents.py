"""What the program is made of, from the resolved dependencies and the libraries that it links:

contents.py copyright PROGRAM VERSION          the package's copyright file, on standard output
contents.py spdx PROGRAM VERSION EPOCH DEB     the list as SPDX 2.3 in JSON, on standard output

Fails if a dependency is not exact, or if the licence of one or of a library is not known."""
import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import sys

# Licences of the C libraries, by the beginning of the library's name: Debian's copyright files are not all machine-readable.
LIBRARIES = {
    "libcurl": "curl", "libmicrohttpd": "LGPL-2.1-or-later", "libgnutls": "LGPL-2.1-or-later", "libpq": "PostgreSQL", "libsqlite3": "blessing",
    "libz.": "Zlib", "libssl": "Apache-2.0", "libcrypto": "Apache-2.0", "libc.": "LGPL-2.1-or-later", "libm.": "LGPL-2.1-or-later",
    "ld-linux": "LGPL-2.1-or-later", "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgcc_s": "GPL-3.0-or-later WITH GCC-exception-3.1"}
EXCEPTION = "Runtime Library Exception"


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def licence(path):
    """The SPDX expression of a licence's text, and what has to be said about it."""
    text = path.read_text()
    if "Apache License" in text:
        notice = path.with_name("NOTICE.txt")
        said = notice.read_text().strip("\n") if notice.exists() else ""
        return "Apache-2.0 WITH Swift-exception" if EXCEPTION in text else "Apache-2.0", said
    if "Permission is hereby granted, free of charge" in text:
        return "MIT", text.strip("\n")
    raise SystemExit(f"contents: the licence {path} is not known")


def external_names(manifest):
    """The packages whose products the program's target uses, directly or by other targets."""
    targets, names, waiting = {target["name"]: target for target in manifest["targets"]}, set(), ["auction-room"]
    seen = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for dependency in targets[name]["dependencies"]:
            if "product" in dependency:
                names.add(dependency["product"][1].lower())
            else:
                waiting.append((dependency.get("byName") or dependency["target"])[0])
    return names


def swift_packages():
    manifest = json.loads(output("swift", "package", "dump-package"))
    needed = external_names(manifest)
    for declared in (entry["sourceControl"][0] for entry in manifest["dependencies"]):
        if declared["identity"] in needed and "exact" not in declared["requirement"]:
            raise SystemExit(f"contents: {declared['identity']} is not exact in Package.swift")
    revisions = {pin["identity"]: pin["state"]["revision"] for pin in json.loads(pathlib.Path("Package.resolved").read_text())["pins"]}
    found, waiting = {}, [dependency for dependency in json.loads(output("swift", "package", "show-dependencies", "--format", "json"))["dependencies"]
                          if dependency["identity"] in needed]
    while waiting:
        package = waiting.pop()
        waiting += package["dependencies"]
        folder = pathlib.Path(package["path"])
        expression, said = licence(next(path for name in ("LICENSE.txt", "LICENSE") if (path := folder / name).exists()))
        found[package["identity"]] = {
            "name": package["identity"], "version": package["version"], "licence": expression, "said": said, "linked": "STATIC_LINK",
            "from": f"git+{package['url']}@{revisions[package['identity']]}"}
    toolchain = json.loads(output("swift", "-print-target-info"))
    resources = pathlib.Path(toolchain["paths"]["runtimeResourcePath"])
    expression, said = licence(resources.parents[1] / "share/swift/LICENSE.txt")
    version = re.search(r"Swift version ([\d.]+)", output("swift", "--version"))[1]
    return [*(found[name] for name in sorted(found)), {
        "name": "swift", "version": version, "licence": expression, "said": said, "linked": "STATIC_LINK",
        "from": "https://www.swift.org/install/", "comment": "The runtime, the standard library, libdispatch, and swift-backtrace-static."}]


def libraries(program):
    """The Debian packages of the libraries that the program loads itself."""
    names = re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", program))
    paths = dict(re.findall(r"^\s*(?:\S*/)?(\S+?)(?: => (\S+))? \(0x", output("ldd", program), re.M))
    found = {}
    for name in names:
        # A debug build loads the runtime of the toolchain, which is named above.
        path = pathlib.Path(paths[name] or f"/lib64/{name}")
        if "swift" in str(path):
            continue
        known = [expression for beginning, expression in LIBRARIES.items() if name.startswith(beginning)]
        if not known:
            raise SystemExit(f"contents: the licence of {name} is not known")
        candidates = {str(path), str(path.resolve()), "/usr" + str(path), str(path.resolve()).removeprefix("/usr")}
        owner = next(line.split(":")[0] for line in subprocess.run(
            ["dpkg-query", "--search", *candidates], check=False, capture_output=True, text=True).stdout.splitlines())
        version = output("dpkg-query", "--show", "--showformat=${Version}", owner)
        package = found.setdefault(owner, {
            "name": owner, "version": version, "licence": known[0], "said": "", "linked": "DYNAMIC_LINK", "files": [],
            "from": "NOASSERTION"})
        package["files"].append(name)
    for package in found.values():
        package["comment"] = f"Loaded from the system: {', '.join(package.pop('files'))}. The version is that of the build."
    return [found[name] for name in sorted(found)]


def copyright_file(program, version):
    lines = [
        f"auction-room {version} is licensed under the Apache License, version 2.0, which is in",
        "/usr/share/common-licenses/Apache-2.0 on Debian systems.", "",
        "The program contains, linked statically:"]
    packages = swift_packages()
    for package in packages:
        lines += ["", f"{package['name']} {package['version']}", f"Source: {package['from']}", f"License: {package['licence']}"]
        lines += ["", *("    " + line if line.strip() else "" for line in package["said"].splitlines())] if package["said"] else []
    return "\n".join([*lines, "", "Swift-exception: as an exception, if you use this Software to compile your source code and portions of this",
                      "Software are embedded into the binary product as a result, you may redistribute such product without",
                      "providing attribution as would otherwise be required by Sections 4(a), 4(b) and 4(d) of the License.", ""])


def spdx(program, version, epoch, package_file):
    digest = hashlib.sha256(pathlib.Path(package_file).read_bytes()).hexdigest()
    created = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    own = {"SPDXID": "SPDXRef-auction-room", "name": "auction-room", "versionInfo": version,
           "packageFileName": pathlib.Path(package_file).name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
           "checksums": [{"algorithm": "SHA256", "checksumValue": digest}], "licenseConcluded": "Apache-2.0",
           "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION"}
    packages, relationships = [own], [
        {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]}]
    for part in [*swift_packages(), *libraries(program)]:
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", part["name"])
        packages.append({
            "SPDXID": identifier, "name": part["name"], "versionInfo": part["version"], "downloadLocation": part["from"],
            "filesAnalyzed": False, "licenseConcluded": part["licence"], "licenseDeclared": part["licence"],
            "copyrightText": "NOASSERTION", "primaryPackagePurpose": "LIBRARY",
            **({"comment": part["comment"]} if "comment" in part else {})})
        relationships.append(
            {"spdxElementId": own["SPDXID"], "relationshipType": part["linked"], "relatedSpdxElement": identifier})
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"auction-room-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/auction-room-{version}-{digest}",
        "creationInfo": {"created": created, "creators": ["Tool: auction-room docker/debian/contents.py"]},
        "packages": packages, "relationships": relationships}, indent=1, ensure_ascii=False) + "\n"


commands = {"copyright": copyright_file, "spdx": spdx}
sys.stdout.write(commands[sys.argv[1]](*sys.argv[2:]))
