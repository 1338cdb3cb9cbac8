"""Prints a program's bill of materials, as SPDX 2.3: the Swift packages and libraries that are linked into it.

    python3 bill_of_materials.py PROGRAM VERSION COMMIT PACKAGE-FOLDER SCRATCH-FOLDER PRODUCT...

The parts are those that the products need by the manifests, with the revisions to which the build resolved them.
"""
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.parse

PROGRAM, VERSION, COMMIT, FOLDER, SCRATCH, *PRODUCTS = sys.argv[1:]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@functools.cache
def manifest(folder):
    return json.loads(output("swift", "package", "--package-path", str(folder), "dump-package"))


def folder_of(package, folder):
    """The identity and the folder of a package that the one in the folder names; no identity if it is one of ours."""
    for dependency in manifest(folder)["dependencies"]:
        for kind, (description, *_) in dependency.items():
            names = description["identity"], description.get("nameForTargetDependencyResolutionOnly")
            if package.lower() in [name.lower() for name in names if name]:
                if kind == "fileSystem":
                    return None, pathlib.Path(description["path"])
                return description["identity"], pathlib.Path(SCRATCH, "checkouts", description["identity"]).resolve()
    raise KeyError(f"{folder} has no package {package}")


def collect(folder, product, parts, done):
    """Adds what a product needs: ("package", identity), and ("system", name of pkg-config, Debian package)."""
    if (folder, product) in done:
        return
    done.add((folder, product))
    package = manifest(folder)
    products = {name["name"]: name["targets"] for name in package["products"]}
    targets = {target["name"]: target for target in package["targets"]}
    pending = list(products.get(product, [product]))
    reached = set()
    while pending:
        name = pending.pop()
        if name in reached or name not in targets:
            continue
        reached.add(name)
        target = targets[name]
        if target["type"] == "system":
            parts.add(("system", target["pkgConfig"], target["providers"][0]["apt"][0][0]))
        for dependency in target["dependencies"]:
            for kind, (needed, *rest) in dependency.items():
                if kind != "product":
                    pending.append(needed)
                else:
                    identity, place = folder_of(rest[0], folder)
                    if identity:
                        parts.add(("package", identity))
                    collect(place, needed, parts, done)


def entry(name, version, location, purl, **more):
    identifier = re.sub(r"[^A-Za-z0-9.]", "-", name)
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}
    return {"SPDXID": f"SPDXRef-{identifier}", "name": name, "versionInfo": version, "downloadLocation": location,
            "filesAnalyzed": False, **more, **({"externalRefs": [reference]} if purl else {})}


def main():
    parts = set()
    for product in PRODUCTS:
        collect(pathlib.Path(FOLDER).resolve(), product, parts, set())
    pins = {pin["identity"]: pin for pin in json.loads(pathlib.Path(FOLDER, "Package.resolved").read_text())["pins"]}
    architecture = output("dpkg", "--print-architecture")
    packages = [entry(PROGRAM, VERSION, "NOASSERTION", None, sourceInfo=f"Built from commit {COMMIT} of CoreBlueZ")]
    links = []
    swift = re.search(r"Swift version (\S+)(?: \((\S+)\))?", output("swift", "--version"))
    packages.append(entry("swift", swift[1], "https://www.swift.org/install/linux", None,
                          sourceInfo=f"Compiler and libraries of the toolchain {swift[2] or swift[1]}"))
    links.append("STATIC_LINK")
    for kind, name, *rest in sorted(parts):
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
    main_package = packages[0]["SPDXID"]
    relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", main_package)]
    relationships += [(main_package, link, part["SPDXID"]) for link, part in zip(links, packages[1:], strict=True)]
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
        "relationships": [dict(zip(("spdxElementId", "relationshipType", "relatedSpdxElement"), names))
                          for names in relationships],
    }, sys.stdout, indent=2)
    print()


main()
