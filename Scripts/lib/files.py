"""Lists files of the repository, new ones included: files.py PATTERN... prints them, with a zero byte after each."""

import pathlib
import subprocess
import sys

LIST = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]


def matching(*patterns):
    names = subprocess.run([*LIST, *patterns], check=True, capture_output=True, text=True).stdout.split("\0")[:-1]
    return [path for path in map(pathlib.Path, names) if path.is_file()]


def files(*patterns):
    """The files that match git's patterns. A pattern that matches none ends the program: its files have moved, and a
    check would pass without them."""
    for pattern in patterns:
        if not matching(pattern.removeprefix(":!")):
            sys.exit(f"No file matches {pattern}")
    return matching(*patterns)


if __name__ == "__main__":
    print(*files(*sys.argv[1:]), sep="\0", end="\0")
