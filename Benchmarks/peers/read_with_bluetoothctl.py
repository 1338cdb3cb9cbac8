"""Has bluetoothctl read the battery level of a connected device: it is driven by a terminal, as by a person who types
fast. Prints the value, and what bluetoothctl took.

Usage: read_with_bluetoothctl.py BLUETOOTHCTL ADDRESS
"""

import os
import pty
import re
import sys
import time

program, address = sys.argv[1:]
start = time.monotonic()
child, terminal = pty.fork()
if child == 0:
    os.execv(program, [program])
text = ""


def wait_for(pattern, seconds=10):
    """Reads until the pattern is there, and returns what it found; what was before is dropped."""
    global text
    end = time.monotonic() + seconds
    while not (match := re.search(pattern, text)):
        if time.monotonic() > end:
            sys.exit(f"bluetoothctl has not printed {pattern}: {text[-300:]!r}")
        text += os.read(terminal, 4096).decode(errors="replace")
    text = text[match.end():]
    return match


def send(line):
    os.write(terminal, line.encode() + b"\n")


wait_for("Agent registered")
send("menu gatt")
send("list-attributes " + address)
path = wait_for(r"(/org/bluez/\S+/char\w+)\s+(?:\x1b\[\S*)?00002a19-").group(1)
send("select-attribute " + path)
wait_for(r"char\w+\S*\]")
send("read")
# The value, in hexadecimal digits and as a character.
print(wait_for(r"(?:^|[\r\n]|\x1b\[K)\s\s([0-9a-f]{2})\s+\S\s").group(1))
with open(f"/proc/{child}/status", encoding="ascii") as file:
    memory = file.read().split("VmHWM:")[1].split()[0]
send("quit")
_, _, usage = os.wait4(child, 0)
print(f"driven wall={time.monotonic() - start} cpu={usage.ru_utime + usage.ru_stime} memory={memory}")
