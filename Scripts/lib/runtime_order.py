"""Prints the functions of the Swift libraries that programs use, those that most programs use first."""

import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks/lib"))

import bench  # noqa: E402

STRAP = "00:AA:02:00:00:01"
HEADER = """\
# What programs use of the Swift libraries from their start to a read value: the linker puts it together.
# Written by Scripts/update-runtime-order.
"""


def used_functions(command, environment):
    """The names of the functions of the program itself that a run enters."""
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile"
        subprocess.run(
            ["valgrind", "-q", "--tool=callgrind", "--demangle=no", "--compress-strings=no",
             f"--callgrind-out-file={profile}", *command],
            env={**os.environ, **environment}, check=True, stdout=subprocess.DEVNULL)
        lines = profile.read_text(encoding="utf-8").splitlines()
    functions, is_own = set(), False
    for line in lines:
        if line.startswith("ob="):
            is_own = line.removeprefix("ob=") == os.path.realpath(command[0])
        elif line.startswith("fn=") and is_own:
            # Callgrind numbers the levels of a recursion.
            functions.add(re.sub(r"'\d+$", "", line.removeprefix("fn=")))
    return functions


def symbols(file):
    """The functions that a program or library defines, and how often."""
    listing = subprocess.run(["nm", "--defined-only", file], capture_output=True, text=True, check=True).stdout
    names = (line.split() for line in listing.splitlines())
    return collections.Counter(name[2] for name in names if len(name) == 3 and name[1] in "tTwWV")


def library_functions(folder):
    """What the libraries of a folder define."""
    functions = set()
    for library in pathlib.Path(folder).glob("*.a"):
        functions |= symbols(library).keys()
    return functions


def main():
    client, gatt = os.environ["BENCHMARK_CLIENT"], os.environ["GATT"]
    runs = []
    with bench.mock() as environment:
        runs.append((client, used_functions([client, "process", "1"], environment)))
    with bench.server(gatt, "simulate", str(ROOT / "Tests/Programs/GattTests/peripherals.json")) as (line, _):
        environment = dict([line.split("=", 1)])
        for arguments in (["read", STRAP, "2A19"], ["inspect", STRAP], ["scan", "--duration", "1"]):
            runs.append((gatt, used_functions([gatt, *arguments], environment)))
    libraries, counts = library_functions(sys.argv[1]), {program: symbols(program) for program in (client, gatt)}
    uses = collections.Counter()
    for program, functions in runs:
        # A name that several files have for functions of their own would bring all of them.
        uses.update(name for name in functions if name in libraries and counts[program][name] == 1)
    print(HEADER, end="")
    for name in sorted(uses, key=lambda name: (-uses[name], name)):
        print(name)


main()
