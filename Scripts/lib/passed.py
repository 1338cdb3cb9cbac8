"""Runs a command with the files that it hasn't passed in their present form: passed.py NAME STATE COMMAND...

The standard input has the files' names, with a zero byte after each. STATE is any text on which the result depends
besides the files. .build/checks/NAME has what has passed; a run that fails adds nothing.
"""

import hashlib
import pathlib
import subprocess
import sys

name, state, *command = sys.argv[1:]
kept = pathlib.Path(".build/checks", name)
passed = set(kept.read_text().split()) if kept.exists() else set()
present = {}
for file in sys.stdin.read().split("\0")[:-1]:
    present[file] = hashlib.sha256(f"{state}\0{file}\0".encode() + pathlib.Path(file).read_bytes()).hexdigest()
files = [file for file, digest in present.items() if digest not in passed]
if not files:
    sys.exit()
if subprocess.run([*command, *files]).returncode:
    sys.exit(1)
kept.parent.mkdir(parents=True, exist_ok=True)
kept.write_text("\n".join(present.values()))
