"""Finds the test functions of a Swift file and the code that belongs to each, by braces."""

import re

OPENING = re.compile(r'//|/\*|#*"""|#*"')
HEAD = re.compile(
    r"\b(?P<kind>struct|class|enum|actor|protocol|extension|func)\s+(?P<name>[\w.]+)[^{}]*$"
)
# A test's arguments stand in its attribute. Its name is no use of anything.
ATTRIBUTE = re.compile(r"@Test\b.*(?=\bfunc\b)", re.S)


def without_texts(text):
    """The code with comments and the contents of texts blanked out, line by line and column by column.

    Of a text the quotation marks stay. What it interpolates goes with it.
    """
    result = list(text)
    at = 0
    while match := OPENING.search(text, at):
        start, opening = match.start(), match[0]
        if opening == "//":
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            inner = (start, end)
        elif opening == "/*":
            end = text.find("*/", start) + 2
            inner = (start, end)
        else:
            end = end_of_text(text, match.end(), opening)
            inner = (match.end(), end - len(opening))
        for index in range(*inner):
            if result[index] != "\n":
                result[index] = " "
        at = max(end, start + 1)
    return "".join(result)


def end_of_text(text, at, opening):
    """Where a text ends that begins at an index, after its quotation marks."""
    hashes = "#" * opening.count("#")
    closing = opening.replace("#", "") + hashes
    while at < len(text):
        if text.startswith(closing, at):
            return at + len(closing)
        if text.startswith(f"\\{hashes}(", at):
            at = end_of_interpolation(text, at + 2 + len(hashes))
        elif text[at] == "\\" and not hashes:
            at += 2
        else:
            at += 1
    return len(text)


def end_of_interpolation(text, at):
    """Where an interpolation ends, after its parenthesis."""
    depth = 1
    while at < len(text) and depth:
        if match := re.compile(r'#*"""|#*"').match(text, at):
            at = end_of_text(text, match.end(), match[0])
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


class Source:
    """A file, with its types and functions."""

    def __init__(self, text):
        self.code = without_texts(text)
        # (names from the outermost on, kind, head, body) of each type, extension and function.
        self.scopes = []
        self._find()

    def _find(self):
        open_scopes = []
        start = 0
        for match in re.finditer(r"[{}]", self.code):
            if match[0] == "{":
                head = self.code[start : match.start()]
                open_scopes.append((HEAD.search(head), head, match.end(), start))
            elif open_scopes:
                name, head, begin, head_start = open_scopes.pop()
                if not name:
                    # A closure may stand in the head of what follows: a condition of a test.
                    start = head_start
                    continue
                outer = [scope[0]["name"] for scope in open_scopes if scope[0]]
                body = self.code[begin : match.start()]
                self.scopes.append((outer + [name["name"]], name["kind"], head, body))
            start = match.end()

    def tests(self):
        """The code of each test, by Suite.function: its arguments, its body, and what these use of the file."""
        helpers = {}
        tests = {}
        for names, kind, head, body in self.scopes:
            if kind == "func" and (attribute := ATTRIBUTE.search(head)):
                tests[".".join(names)] = attribute[0] + body
            elif kind != "extension" and not re.search(r"@Suite\b", head):
                helpers[names[-1]] = helpers.get(names[-1], "") + head + body
        return {name: self._with_helpers(body, helpers) for name, body in tests.items()}

    def _with_helpers(self, code, helpers):
        remaining = dict(helpers)
        while used := [name for name in remaining if re.search(rf"\b{name}\b", code)]:
            for name in used:
                code += "\n" + remaining.pop(name)
        return code
