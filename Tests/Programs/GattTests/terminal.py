"""Runs a command on a terminal of its own, and prints what that shows.

Usage: terminal.py STEP... -- COMMAND...; a step waits for a text (wait:TEXT), types keys (type:KEYS, with the escapes
of Python), types three keys so many times at random pauses and waits for the last of them (hurry:100), or sends a
signal (signal:INT). Ends with the command's status, with 128 and the signal's number if it died of one, with 99 if a
text does not come in time, and with 98 if the terminal's settings are not as they were.
"""

import codecs
import os
import pty
import random
import select
import signal
import sys
import termios
import time

LIMIT = 60

end = sys.argv.index("--")
steps, command = sys.argv[1:end], sys.argv[end + 1 :]
waiting, ready = os.pipe()
process, terminal = pty.fork()
if process == 0:
    # The settings are read before the command can change them.
    os.close(ready)
    os.read(waiting, 1)
    os.close(waiting)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    os.environ["TERM"] = "vt100"
    os.execvp(command[0], command)
os.close(waiting)
before = termios.tcgetattr(terminal)
os.close(ready)
shown = unread = b""


def take(deadline):
    """Takes what is shown; false at the end, or when the time is over."""
    global shown, unread
    if not select.select([terminal], [], [], max(0, deadline - time.monotonic()))[0]:
        return False
    try:
        part = os.read(terminal, 4096)
    except OSError:
        return False
    shown += part
    unread += part
    return bool(part)


def fail(text):
    sys.stdout.buffer.write(shown)
    sys.stdout.write(f"\n{text}\n")
    os.kill(process, signal.SIGKILL)
    sys.exit(99)


def wait(data):
    global unread
    deadline = time.monotonic() + LIMIT
    while data not in unread:
        if not take(deadline):
            fail(f"{data!r} did not come")
    unread = unread[unread.index(data) + len(data) :]


def hurry():
    for key in b"a", b"b", b"c":
        os.write(terminal, key)
        end = time.monotonic() + random.uniform(0, 0.0015)
        while time.monotonic() < end:
            pass
    wait(b"c")


for step in steps:
    kind, _, text = step.partition(":")
    data = codecs.escape_decode(text.encode())[0]
    if kind == "wait":
        wait(data)
    elif kind == "type":
        os.write(terminal, data)
    elif kind == "hurry":
        for _ in range(int(text)):
            hurry()
    else:
        os.kill(process, getattr(signal, f"SIG{text}"))
deadline = time.monotonic() + LIMIT
while take(deadline):
    pass
if time.monotonic() >= deadline:
    fail("it did not end")
status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
sys.stdout.buffer.write(shown)
sys.stdout.flush()
if termios.tcgetattr(terminal) != before:
    print("The terminal's settings are others than before.")
    sys.exit(98)
sys.exit(status if status >= 0 else 128 - status)
