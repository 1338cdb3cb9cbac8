"""Runs programs in an emulated terminal, and draws what it shows as SVG: pictures.py PROGRAMS FOLDER."""

import contextlib
import fcntl
import html
import itertools
import os
import pathlib
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pyte

PROGRAMS, FOLDER = map(pathlib.Path, sys.argv[1:])
COLUMNS, CELL, LINE, MARGIN, DEADLINE = 100, 8, 18, 12, 120
# Foreground, background, and the colours that programs choose by name: in light, and in dark.
COLOURS = {
    "default": ("#1f2328", "#e6edf3"), "ground": ("#f6f8fa", "#161b22"), "red": ("#b31d28", "#ff7b72"),
    "green": ("#116329", "#3fb950"), "brown": ("#7d4e00", "#d29922"), "blue": ("#0550ae", "#58a6ff"),
    "magenta": ("#6639ba", "#bc8cff"), "cyan": ("#1b7c83", "#39c5cf"), "black": ("#57606a", "#8b949e"),
    "white": ("#57606a", "#b1bac4"), "dim": ("#6e7781", "#8b949e"),
}
GATT = ("gatt scan --count 1", "gatt read SensorTag firmware", "gatt read SensorTag manufacturer --format hex",
        "gatt inspect SensorTag | head -8")


@contextlib.contextmanager
def terminal(rows, words, **environment):
    """Runs a program in a terminal of its own: its screen, a function that reads until the screen fulfils a condition
    or the program has ended, and a function that types."""
    screen = pyte.Screen(COLUMNS, rows)
    stream = pyte.ByteStream(screen)
    process, master = pty.fork()
    if process == 0:
        os.execvpe(words[0], words, {**os.environ, **environment, "TERM": "xterm-256color", "LANG": "C.UTF-8"})
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, COLUMNS, 0, 0))
    os.kill(process, signal.SIGWINCH)

    def read_until(condition):
        deadline = time.monotonic() + DEADLINE
        while not condition(screen.display):
            if time.monotonic() > deadline:
                sys.exit("The screen did not come: " + "\n".join(screen.display))
            if select.select([master], [], [], 1)[0]:
                try:
                    stream.feed(os.read(master, 65536))
                except OSError:
                    return

    yield screen, read_until, lambda text: os.write(master, text.encode())
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGINT)
        while os.read(master, 65536):
            pass
    os.waitpid(process, 0)
    os.close(master)


def style(cell):
    """The colour, whether it is bold, and whether it is reversed."""
    return cell.fg if cell.fg in COLOURS else "default", cell.bold, cell.reverse


def runs(screen, row):
    """The pieces of a row: the column, the text and its style."""
    cells = [(column, screen.buffer[row][column]) for column in range(COLUMNS)]
    while cells and cells[-1][1].data == " " and not cells[-1][1].reverse:
        cells.pop()
    for kind, group in itertools.groupby(cells, key=lambda each: style(each[1])):
        group = list(group)
        text = "".join(cell.data for _, cell in group)
        if text.strip() or kind[2]:
            yield group[0][0], text, kind


def draw(screen, name, title):
    last = max((row for row, text in enumerate(screen.display) if text.strip()), default=0)
    width, height = COLUMNS * CELL + 2 * MARGIN, (last + 1) * LINE + 2 * MARGIN
    light, dark = ("".join(f".{name}{{fill:{pair[index]}}}" for name, pair in COLOURS.items()) for index in (0, 1))
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<title>{html.escape(title)}</title>",
        f"<style>text{{font:14px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}}"
        f".bold{{font-weight:bold}}{light}@media (prefers-color-scheme:dark){{{dark}}}</style>",
        f'<rect class="ground" width="{width}" height="{height}" rx="8"/>',
    ]
    for row in range(last + 1):
        top = MARGIN + row * LINE
        for column, text, (colour, bold, reverse) in runs(screen, row):
            left, length = MARGIN + column * CELL, len(text) * CELL
            if reverse:
                out.append(f'<rect class="{colour}" x="{left}" y="{top}" width="{length}" height="{LINE}"/>')
            names = ("ground" if reverse else colour) + (" bold" if bold else "")
            out.append(f'<text class="{names}" x="{left}" y="{top + 14}" textLength="{length}" '
                       f'lengthAdjust="spacingAndGlyphs" xml:space="preserve">{html.escape(text)}</text>')
    (FOLDER / name).write_text("\n".join([*out, "</svg>", ""]))


with terminal(20, [str(PROGRAMS / "sensortag"), "monitor", "--simulate"]) as (screen, read_until, _):
    read_until(lambda lines: any("for 0:4" in line for line in lines))
    draw(screen, "monitor.svg", "sensortag monitor: one row per sensor")
with subprocess.Popen([PROGRAMS / "bluez-simulator"], stdout=subprocess.PIPE, text=True) as simulator:
    try:
        bus = dict([simulator.stdout.readline().strip().split("=", 1)])
        path = f"{PROGRAMS}:{os.environ['PATH']}"
        with terminal(40, ["sh"], **bus, PATH=path, PS1="$ ") as (screen, read_until, write):
            for number, command in enumerate((*GATT, ""), start=1):
                read_until(lambda lines: sum(line.startswith("$") for line in lines) >= number)
                write(command and f"{command}\n")
            draw(screen, "gatt.svg", "gatt: scanning, reading, inspecting")
            write("exit\n")
    finally:
        simulator.terminate()
