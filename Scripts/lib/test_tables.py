"""Reads the tables of documents whose last column names tests, and says what is wrong with a row."""

import pathlib
import re

from swift_scopes import Source

ROOT = pathlib.Path(__file__).resolve().parents[2]
DECLARATION = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:nonisolated(?:\(\w+\))?\s+)?(?:public|open)\s+"
    r"(?:(?:private|internal|fileprivate|package)\(set\)\s+|"
    r"(?:static|class|final|nonisolated(?:\(\w+\))?|convenience|override|weak|mutating|isolated|indirect)\s+)*"
    r"(?:func|var|let|struct|class|enum|actor|protocol|typealias|subscript|init)\b\s*(\w+)?|"
    # The cases of an enum are as public as it is.
    r"^\s+case (\w+)(?=$|\(| = )",
    re.M,
)
PROTOCOL = re.compile(r"\bpublic protocol\b")
REQUIREMENT = re.compile(r"^    (?:@\w+ )*(?:static )?(?:func|var) (\w+)", re.M)


def rows(text):
    """Line number, section, header and cells of each row."""
    section, header = "", None
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            section = line.lstrip("#").strip()
        if not line.startswith("|"):
            header = None
        elif not set(line) <= set("| -:"):
            cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            if header:
                yield number, section, header, cells
            header = header or cells


def names(cell):
    """The names of ours in a cell, each with those it stands in: of ``A/b(c:)`` and of `A.b(c:)` [A, b]."""
    found = []
    for link, code in re.findall(r"``([^`]+)``|`([^`]+)`", cell):
        if link:
            link = re.sub(r"^/\w+/", "", link)
            parts = [re.match(r"\w*", part)[0] for part in re.sub(r"-\([\w]+\)$", "", link).split("/")]
        else:
            parts = re.match(r"\W*([\w.]*)", code)[1].split(".")
        if parts[-1] == "subscript":
            # By a name, or by a UUID.
            parts[-1] = "subscript[name]" if link.endswith("-(String)") else "subscript[uuid]"
        found.append(parts)
    return found


def used(parts):
    """What stands in code that uses a name, as a pattern."""
    if parts[-1] == "subscript[name]":
        return r'\w\??\["'
    if parts[-1] == "subscript[uuid]":
        return r"\w\??\[(?:0x|\w*\.?base|BluetoothUUID)"
    # An initializer is used by the type's name, in a call or as a superclass.
    return rf"\b{parts[-2] if parts[-1] == 'init' else parts[-1]}\b"


def public_names(modules):
    """What modules and the extensions in them declare public, by last name; an initializer counts as init."""
    declared = {"subscript[name]", "subscript[uuid]"}
    for path in (path for module in modules for path in sorted((ROOT / "Sources" / module).rglob("*.swift"))):
        text = path.read_text(encoding="utf-8")
        for match in DECLARATION.finditer(text):
            declared.add(match[1] or match[2] or match[0].split()[-1])
        if PROTOCOL.search(text):
            # The requirements of a protocol are as public as it is.
            for _, kind, head, body in Source(text).scopes:
                if kind == "protocol" and PROTOCOL.search(head):
                    declared.update(REQUIREMENT.findall(body))
    return declared


def tests(targets):
    """The code of each test of these targets, by Suite.function."""
    found = {}
    for path in (path for target in targets for path in sorted((ROOT / "Tests" / target).rglob("*.swift"))):
        found.update(Source(path.read_text(encoding="utf-8")).tests())
    return found


def problems(symbols, references, declared, known, unchecked=()):
    """What is wrong with a row that names these symbols and these tests.

    A test has to use each symbol: its last name stands in the test's code. Of the unchecked names it need not.
    """
    for name in (part for parts in symbols for part in parts):
        if name not in declared:
            yield f"nothing public is called {name}"
    for reference in references:
        if reference not in known:
            yield f"there is no test {reference}"
    code = "\n".join(known.get(reference, "") for reference in references)
    for parts in symbols:
        if parts[-1] not in unchecked and not re.search(used(parts), code):
            yield f"{'.'.join(parts)} is not used by {', '.join(references)}"
