"""Finds the links and headings of a Markdown document, and the anchors that GitHub and DocC make of these."""

import re
import unicodedata

FENCE = r"^(?P<indent> *)(?P<fence>```+|~~~+).*?(?:^(?P=indent)(?P=fence) *$|\Z)"
CODE = r"(?P<ticks>`+)(?!`)(?:(?!\n\n).)*?(?<!`)(?P=ticks)(?!`)"
LINK = (
    r"(?P<image>!?)\[(?P<title>(?:`[^`]*`|!?\[[^\]]*\](?:\([^)]*\))?|[^\[\]])*)\]"
    r"\(<?(?P<target>[^)\s>]*)>?(?:\s+\"[^\"]*\")?\)"
)
TOKEN = re.compile(f"{FENCE}|{LINK}|{CODE}", re.M | re.S)
HEADING = re.compile(r"^(#+) +(.*?)[ #]*$", re.M)


def rewritten(text, link=None, code=None, between=None):
    """The text with each link, each code span and what stands between them replaced; blocks of code stay."""
    parts, end = [], 0
    for match in TOKEN.finditer(text):
        parts.append(between(text[end:match.start()]) if between else text[end:match.start()])
        replace = None if match["fence"] else code if match["ticks"] else link
        parts.append(replace(match) if replace else match[0])
        end = match.end()
    return "".join(parts) + (between(text[end:]) if between else text[end:])


def links(text):
    """The match of each link and each image outside of code."""
    return [match for match in TOKEN.finditer(text) if match["target"] is not None]


def prose(text):
    """The text with its code blanked out, line by line."""
    return TOKEN.sub(lambda match: match[0] if match["target"] is not None else re.sub(r"[^\n]", " ", match[0]), text)


def headings(text):
    """Level and text of each heading."""
    blocks = re.compile(FENCE, re.M | re.S)
    return [(len(marks), words) for marks, words in HEADING.findall(blocks.sub("", text))]


def shown(heading):
    """A heading as it is displayed."""
    return re.sub(r"\]\([^)]*\)|[\[`]", "", heading)


def anchors(text):
    """For each anchor of GitHub's, DocC's."""
    found = {}
    for _, heading in headings(text):
        words = shown(heading)
        name = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        number = 0
        while (anchor := f"{name}-{number}" if number else name) in found:
            number += 1
        words = "-".join(filter(None, re.split(r"[\s–—-]+", words)))
        found[anchor] = "".join(each for each in words if each == "-" or unicodedata.category(each)[0] != "P")
    return found
