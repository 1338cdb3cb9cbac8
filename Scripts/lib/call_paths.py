"""Lists the functions with hits in the coverage of three operations: call_paths.py FOLDER [--update|--check].

A closure counts as its function. Properties, subscripts, default arguments, initial values, what the compiler has
written, and functions that began before the operation don't count. Above D-Bus is all that isn't in DBus.
"""

import json
import pathlib
import re
import subprocess
import sys

ARTICLE = pathlib.Path("Sources/CoreBlueZ/CoreBlueZ.docc/HowItWorks.md")
BEGIN, END = "<!-- Written by Scripts/call-paths --update -->\n", "<!-- End of Scripts/call-paths -->\n"
TITLES = {
    "notification": "A notification, from the socket to the service's handler",
    "read": "A read, from the call to its completion",
    "connection": "Connecting and discovering everything, from the call to its completion",
}
# From the top of the article's picture to its bottom. A notification goes the other way.
FOLDERS = [
    "CoreBlueZ/Central", "CoreBlueZ/Connection", "CoreBlueZ/Peripheral", "CoreBlueZ/GATT", "CoreBlueZ/Async",
    "CoreBlueZ", "BlueZClient/Operations", "BlueZClient", "BluetoothRuntime", "BluetoothValues", "PrintableText",
    "DBus/Connection", "DBus/Messages", "DBus/Loop", "DBus",
]
MODULES = {folder.split("/")[0] for folder in FOLDERS}
CLOSURES = re.compile(r"^((implicit )?closure #\d+ (\(.*?\) )?in )+")
NO_FUNCTION = re.compile(r"\.(getter|setter|init|read2?|modify2?|(will|did)set|\w*[aA]ddressor)$|^variable|^default")


def functions(file):
    """The functions with hits as a dictionary from each file to the names, in the order of the source code."""
    root = f"{pathlib.Path.cwd()}/"
    modules = tuple(f"{root}Sources/{name}/" for name in MODULES)
    hits = {}
    for function in json.loads(file.read_text())["data"][0]["functions"]:
        if function["count"] > 0 and function["filenames"][0].startswith(modules):
            # The name of a private function begins with that of its file.
            symbol = function["name"].rsplit(":")[-1]
            hits[symbol] = (function["filenames"][0].removeprefix(root), function["regions"][0][:2])
    names = subprocess.run(
        ["swift", "demangle", "--compact", "--simplified"], input="\n".join(hits), text=True, check=True,
        capture_output=True).stdout.splitlines()
    result = {}
    for name, (path, _) in sorted(zip(names, hits.values(), strict=True), key=lambda hit: hit[1]):
        function = CLOSURES.sub("", name)
        names = result.setdefault(path, [])
        # Functions that differ in their types alone have one name.
        if not NO_FUNCTION.search(function) and (function == name or function not in names):
            names.append(function)
    return {path: [re.sub(r"^static | infix|<.*?>(?=\()", "", name) for name in names]
            for path, names in result.items() if names}


def place(path):
    return next(index for index, folder in enumerate(FOLDERS) if path.startswith(f"Sources/{folder}/"))


def section(operation, found):
    below = sum(len(names) for path, names in found.items() if path.startswith("Sources/DBus/"))
    above = sum(map(len, found.values())) - below
    direction = -1 if operation == "notification" else 1
    rows = [f"| `{path}` | {', '.join(f'`{name}`' for name in found[path])} |"
            for path in sorted(found, key=lambda path: (place(path) * direction, path))]
    text = f"### {TITLES[operation]}\n\n{above} functions above D-Bus, {below} in `DBus`.\n\n"
    return text + "\n".join(["| file | functions |", "| --- | --- |", *rows, "", ""]), f"{operation} {above} + {below}"


def main():
    folder, *option = sys.argv[1:]
    sections = [section(operation, functions(pathlib.Path(folder, f"{operation}.json"))) for operation in TITLES]
    text = BEGIN + "\n" + "".join(text for text, _ in sections) + END
    print(text.removeprefix(BEGIN).removesuffix(END), end="")
    print("Functions above D-Bus + in DBus: " + ", ".join(total for _, total in sections))
    article = ARTICLE.read_text()
    updated = article.split(BEGIN)[0] + text + article.split(END)[1]
    if option == ["--update"]:
        ARTICLE.write_text(updated)
    elif option and article != updated:
        sys.exit(f"{ARTICLE} has other functions: run Scripts/call-paths --update.")


main()
