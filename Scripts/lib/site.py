"""Prepares the documents for DocC, and checks the site that DocC makes of them; Scripts/docs runs both.

    site.py prepare OUTPUT [REPOSITORY]  copies the catalogs and all documents for people into OUTPUT/catalogs
    site.py check SITE                   prints each link of the site that leads nowhere

The documents have links as GitHub understands them: to files, and to anchors of GitHub's. DocC gets copies in which
these lead to the site's pages. A link to another file leads to the REPOSITORY, or is only its title.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import markdown

GUIDES = "Guides"
FRONT_PAGE = pathlib.Path("Documentation/README.md")
TITLE = "Guides to CoreBlueZ"
DOCUMENTS = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--",
             "*.md", ":!.github", ":!Tests", ":!Demos/SensorTag/sensortag-web"]
PICTURE = re.compile(
    r'<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]*)">\s*'
    r'<img alt="([^"]*)"\s*src="([^"]*)">\s*</picture>')


class Page:
    """A document, and where it stands on the site."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        self.catalog = next((part[:-5] for part in path.parts if part.endswith(".docc")), GUIDES)
        self.name = path.stem
        if path == FRONT_PAGE:
            self.name = GUIDES
        elif self.catalog == GUIDES and path.stem == "README":
            self.name = "-".join(path.parts[:-1]) or "About"
        self.is_root = self.name == self.catalog
        place = self.catalog if self.is_root else f"{self.catalog}/{self.name}"
        self.address = f"/documentation/{place.lower()}"


def find_pages():
    names = subprocess.run(DOCUMENTS, check=True, capture_output=True, text=True).stdout.split("\0")[:-1]
    pages = {page.path: page for page in map(Page, map(pathlib.Path, names))}
    assert len({page.address for page in pages.values()}) == len(pages), "two documents have one address"
    return pages


def owners(symbols):
    """The modules of each type, and for each module the extended module of what it adds to another one's types."""
    types, additions = {}, {}
    for graph in symbols.glob("*/*.symbols.json"):
        _, _, extended = graph.name.removesuffix(".symbols.json").partition("@")
        for symbol in json.loads(graph.read_text())["symbols"]:
            name = "/".join(symbol["pathComponents"])
            if extended:
                additions[graph.parent.name, name] = extended
            elif "/" not in name:
                types.setdefault(name, set()).add(graph.parent.name)
    return types, additions


class Preparation:
    """Copies documents into catalogs."""

    def __init__(self, output, repository):
        self.pages = find_pages()
        self.symbols = output / "symbols"
        self.types, self.additions = owners(self.symbols)
        self.catalogs = output / "catalogs"
        self.repository = repository

    def target(self, page, target):
        """Where a link of a page leads on the site; None if nowhere."""
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            return target
        place, _, fragment = target.partition("#")
        path = pathlib.Path(os.path.normpath(page.path.parent / place)) if place else page.path
        other = self.pages.get(path) or self.pages.get(path / "README.md")
        if other:
            return other.address + (f"#{markdown.anchors(other.text)[fragment]}" if fragment else "")
        return self.repository and f"{self.repository}/{path}"

    def image(self, page, name, variant=""):
        source = page.path.parent / name
        copy = f"{source.stem.removesuffix('-dark') if variant else source.stem}{variant}{source.suffix}"
        shutil.copy(source, self.catalogs / f"{page.catalog}.docc" / copy)
        return copy

    def link(self, page, match):
        if match["image"]:
            return f"![{match['title']}]({self.image(page, match['target'])})"
        target = self.target(page, match["target"])
        return f"[{match['title']}]({target})" if target else match["title"]

    def symbol(self, page, match):
        """A link to a symbol of another module begins with the module's name."""
        link = re.fullmatch(r"``((\w+)[^`]*)``", match[0])
        modules = self.types.get(link[2], set()) if link else set()
        if not modules or page.catalog in modules or link[2] == page.catalog:
            return match[0]
        assert len(modules) == 1, f"{page.path}: {match[0]} is in {modules}"
        for (module, name), extended in self.additions.items():
            if name == link[1] and "/" in name:
                return f"``{extended}/{name}``" if module == page.catalog else f"``/{module}/{extended}/{name}``"
        return f"``/{min(modules)}/{link[1]}``"

    def picture(self, page, match):
        """A picture with a dark variant, which has the same name with a mark."""
        self.image(page, match[1], "~dark")
        return f"![{' '.join(match[2].split())}]({match[3]})"

    def front_page(self, text):
        """The front page: what readers want to do, then the libraries."""
        _, summary, rest = text.split("\n\n", 2)
        modules = sorted(path.name for path in self.symbols.iterdir())
        links = ", ".join(f"[{module}](/documentation/{module.lower()})" for module in modules)
        return (f"# {TITLE}\n\n@Metadata {{\n@TechnologyRoot\n}}\n\n{summary}\n\n{rest}\n\n"
                f"## Symbols of the libraries\n\n{links}\n")

    def copy(self, page):
        text = PICTURE.sub(lambda match: self.picture(page, match), page.text)
        text = markdown.rewritten(text, lambda match: self.link(page, match), lambda match: self.symbol(page, match))
        if page.path == FRONT_PAGE:
            text = self.front_page(text)
        (self.catalogs / f"{page.catalog}.docc" / f"{page.name}.md").write_text(text)

    def run(self):
        for page in self.pages.values():
            (self.catalogs / f"{page.catalog}.docc").mkdir(parents=True, exist_ok=True)
            self.copy(page)


def walk(value):
    """Every dictionary in a value of JSON."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from walk(each)


def check(site):
    targets, links = {}, []
    for path in sorted((site / "data").rglob("*.json")):
        address = "/" + str(path.relative_to(site / "data")).removesuffix(".json")
        anchors = targets[address] = set()
        for each in walk(json.loads(path.read_text())):
            anchors.update(filter(None, [each.get("anchor")]))
            for key in ("url", "destination"):
                if str(each.get(key)).startswith("/documentation/"):
                    links.append((address, each[key]))
    problems = set()
    for address, link in links:
        place, _, fragment = link.partition("#")
        if place not in targets or fragment and fragment not in targets[place]:
            problems.add(f"{address}: {link} is not on the site")
    print(f"{len(targets)} pages, {len(links)} links", *sorted(problems), sep="\n")
    return len(problems)


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        Preparation(pathlib.Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "").run()
    else:
        sys.exit(bool(check(pathlib.Path(sys.argv[2]))))
