"""Prints a program's bill of materials, as SPDX 2.3: the Swift packages and libraries that are linked into it.

    python3 bill_of_materials.py PROGRAM VERSION COMMIT PRODUCT...

The parts are those that the products need by the manifest, with the revisions to which the build resolved them.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.parse

PROGRAM, VERSION, COMMIT, *PRODUCTS = sys.argv[1:]
# The libraries of the system, by target: their names for pkg-config, and Debian's packages.
LIBRARIES = {"CBlueZDBus": ("dbus-1", "libdbus-1-dev"), "CMosquitto": ("libmosquitto", "libmosquitto-dev")}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def parts_of(products):
    """What the products need: ("package", identity), and ("system", name of pkg-config, Debian package)."""
    manifest = json.loads(output("swift", "package", "dump-package"))
    targets = {target["name"]: target for target in manifest["targets"]}
    # The programs are targets of their names.
    pending, reached, parts = list(products), set(), set()
    while pending:
        name = pending.pop()
        if name in reached:
            continue
        reached.add(name)
        if name in LIBRARIES:
            parts.add(("system", *LIBRARIES[name]))
        for dependency in targets[name]["dependencies"]:
            for kind, (needed, *rest) in dependency.items():
                if kind == "product":
                    parts.add(("package", rest[0].lower()))
                else:
                    pending.append(needed)
    return parts


def entry(name, version, location, purl, **more):
    identifier = re.sub(r"[^A-Za-z0-9.]", "-", name)
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}
    return {"SPDXID": f"SPDXRef-{identifier}", "name": name, "versionInfo": version, "downloadLocation": location,
            "filesAnalyzed": False, **more, **({"externalRefs": [reference]} if purl else {})}


def main():
    pins = {pin["identity"]: pin for pin in json.loads(pathlib.Path("Package.resolved").read_text())["pins"]}
    architecture = output("dpkg", "--print-architecture")
    swift = re.search(r"Swift version (\S+)(?: \((\S+)\))?", output("swift", "--version"))
    packages = [
        entry(PROGRAM, VERSION, "NOASSERTION", None, sourceInfo=f"Built from commit {COMMIT} of CoreBlueZ"),
        entry("swift", swift[1], "https://www.swift.org/install/linux", None,
              sourceInfo=f"Compiler and libraries of the toolchain {swift[2] or swift[1]}")]
    links = ["DESCRIBES", "STATIC_LINK"]
    for kind, name, *rest in sorted(parts_of(PRODUCTS)):
        if kind == "package":
            state, location = pins[name]["state"], pins[name]["location"].removesuffix(".git")
            purl = f"pkg:swift/{location.removeprefix('https://')}@{state['version']}"
            packages.append(entry(name, state["version"], f"git+{location}@{state['revision']}", purl))
            links.append("STATIC_LINK")
        else:
            debian = output("dpkg-query", "--show", "--showformat=${Version}", rest[0])
            purl = f"pkg:deb/debian/{rest[0]}@{urllib.parse.quote(debian)}?arch={architecture}"
            packages.append(entry(name, output("pkg-config", "--modversion", name), "NOASSERTION", purl))
            links.append("DYNAMIC_LINK")
    created = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{PROGRAM}_{VERSION}_{architecture}",
        "documentNamespace": f"https://spdx.org/spdxdocs/{PROGRAM}-{VERSION}-{architecture}-{COMMIT}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", created),
            "creators": ["Organization: the contributors to CoreBlueZ", "Tool: Scripts/package"],
        },
        "packages": packages,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT" if link == "DESCRIBES" else packages[0]["SPDXID"],
             "relationshipType": link, "relatedSpdxElement": part["SPDXID"]}
            for link, part in zip(links, packages, strict=True)],
    }, sys.stdout, indent=2)
    print()


main()
