"""Writes the Bluetooth SIG's assigned numbers, as the Python packages bleak and bumble ship them, as Swift literals.

Each list is one string of entries in the order of their numbers: four hexadecimal digits, the name, and "~".
"""

import pathlib
import re
import sys

from bleak.uuids import uuid16_dict
from bumble import company_ids, core, gatt

WIDTH = 110
LINES = 380


def literal(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def entry(number, name):
    # The source of one name is TeX, of which the packages have left a part.
    name = re.sub(r"\s?extsubscript\{(\w+)\}", r"\1", " ".join(name.split()))
    assert "~" not in name, name
    return f"{number:04X}{name}~"


def lines(entries):
    """The text in pieces that fit a line. White space never ends a line and escapes are never torn apart."""
    text, result = "".join(entries), []
    while text:
        end = min(len(text), WIDTH)
        while len(literal(text[:end])) > WIDTH or text[end - 1] == " ":
            end -= 1
        result.append("        " + literal(text[:end]) + "\\")
        text = text[end:]
    return result


def write(folder, name, comment, numbers):
    parts = [[]]
    for number, text in sorted(numbers.items()):
        candidate = parts[-1] + [entry(number, text)]
        if len(candidate) % 50 == 0 and len(lines(candidate)) > LINES - 20:
            parts.append([])
        parts[-1].append(entry(number, text))
    for index, part in enumerate(parts):
        suffix = "" if len(parts) == 1 else str(index + 1)
        file = folder / f"AssignedNumbers+{name[0].upper()}{name[1:]}{suffix}.swift"
        body = "\n".join(lines(part)).removesuffix("\\")
        file.write_text(
            f"extension AssignedNumbers {{\n    /// {comment}. Written by `Scripts/measure numbers`.\n"
            f'    static var {name}{suffix}: String {{\n        """\n{body}\n        """\n    }}\n}}\n')


def attributes():
    """UUIDs of 16 bits. Bumble's names are the newer ones; those of descriptors are complete in bleak."""
    numbers = {number: name for number, name in uuid16_dict.items() if number >= 0x1800 and number >> 8 != 0x27}
    for value in vars(gatt).values():
        if isinstance(value, core.UUID) and value.name and len(value.uuid_bytes) == 2:
            number = int.from_bytes(value.uuid_bytes, "little")
            if number >> 8 != 0x29 or number not in numbers:
                numbers[number] = value.name
    return numbers


def appearances():
    """Category in the upper ten bits, subcategory in the lower six (Assigned Numbers, 2.6)."""
    short = {"PC", "PDA", "IOT", "AV", "HVAC", "LED", "HID", "TV", "CD", "DVD", "USB", "HDD", "NAS", "RFID"}

    def words(text):
        return " ".join(word if word in short else word.capitalize() for word in text.split("_"))

    numbers = {}
    for category in core.Appearance.Category:
        numbers[category << 6] = words(category.name)
        numbers.update((category << 6 | subcategory, words(subcategory.name))
                       for subcategory in core.Appearance.SUBCATEGORY_CLASSES.get(category, []) if subcategory)
    return numbers


folder = pathlib.Path(sys.argv[1])
for old in folder.glob("AssignedNumbers+*.swift"):
    old.unlink()
write(folder, "attributes", "Services, declarations, descriptors and characteristics", attributes())
write(folder, "companies", "Company identifiers", company_ids.COMPANY_IDENTIFIERS)
write(folder, "appearances", "Appearances", appearances())
