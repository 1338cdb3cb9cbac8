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


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, rows, words, environment):
        self.screen = pyte.Screen(COLUMNS, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.execvpe(words[0], words, environment | {"TERM": "xterm-256color", "LANG": "C.UTF-8"})
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, COLUMNS, 0, 0))
        os.kill(self.process, signal.SIGWINCH)

    def read_until(self, condition):
        """Reads until the screen fulfils the condition, or the program has ended."""
        deadline = time.monotonic() + DEADLINE
        while not condition(self.screen.display):
            if time.monotonic() > deadline:
                sys.exit("The screen did not come: " + "\n".join(self.screen.display))
            if select.select([self.master], [], [], 1)[0]:
                try:
                    data = os.read(self.master, 65536)
                except OSError:
                    return
                if not data:
                    return
                self.stream.feed(data)

    def end(self):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGINT)
        with contextlib.suppress(OSError):
            while os.read(self.master, 65536):
                pass
        os.waitpid(self.process, 0)
        os.close(self.master)


def style(cell):
    colour = cell.fg if cell.fg in COLOURS else "default"
    return colour, cell.bold, cell.reverse


def runs(screen, row):
    """The pieces of a row: the column, the text and its style."""
    cells = [(column, screen.buffer[row][column]) for column in range(screen.columns)]
    while cells and cells[-1][1].data == " " and not cells[-1][1].reverse:
        cells.pop()
    for kind, group in itertools.groupby(cells, key=lambda each: style(each[1])):
        group = list(group)
        text = "".join(cell.data for _, cell in group)
        if text.strip() or kind[2]:
            yield group[0][0], text, kind


def draw(screens, path, title):
    """Writes the screens, one below the other, as one picture."""
    lines = []
    for screen in screens:
        last = max((row for row, text in enumerate(screen.display) if text.strip()), default=0)
        lines += [list(runs(screen, row)) for row in range(last + 1)]
    width, height = COLUMNS * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    light, dark = ("".join(f".{name}{{fill:{pair[index]}}}" for name, pair in COLOURS.items()) for index in (0, 1))
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<title>{html.escape(title)}</title>",
        f"<style>text{{font:14px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}}"
        f".bold{{font-weight:bold}}{light}@media (prefers-color-scheme:dark){{{dark}}}</style>",
        f'<rect class="ground" width="{width}" height="{height}" rx="8"/>',
    ]
    for number, line in enumerate(lines):
        top = MARGIN + number * LINE
        for column, text, (colour, bold, reverse) in line:
            left, length = MARGIN + column * CELL, len(text) * CELL
            if reverse:
                out.append(f'<rect class="{colour}" x="{left}" y="{top}" width="{length}" height="{LINE}"/>')
            names = ("ground" if reverse else colour) + (" bold" if bold else "")
            out.append(f'<text class="{names}" x="{left}" y="{top + 14}" textLength="{length}" '
                       f'lengthAdjust="spacingAndGlyphs" xml:space="preserve">{html.escape(text)}</text>')
    path.write_text("\n".join([*out, "</svg>", ""]))
    print(f"Wrote {path}")


def monitor():
    terminal = Terminal(20, [str(PROGRAMS / "sensortag"), "monitor", "--simulate"], dict(os.environ))
    terminal.read_until(lambda lines: any("for 0:4" in line for line in lines))
    draw([terminal.screen], FOLDER / "monitor.svg", "sensortag monitor: one row per sensor")
    terminal.end()


def gatt():
    simulator = subprocess.Popen([PROGRAMS / "bluez-simulator"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 text=True)
    try:
        name, address = simulator.stdout.readline().strip().split("=", 1)
        environment = dict(os.environ) | {name: address, "PATH": f"{PROGRAMS}:{os.environ['PATH']}", "PS1": "$ "}
        shell = Terminal(40, ["sh"], environment)
        shell.read_until(lambda lines: any(line.startswith("$") for line in lines))
        prompts = 1
        for command in ("gatt scan --count 1", "gatt read SensorTag firmware",
                        "gatt read SensorTag manufacturer --format hex", "gatt inspect SensorTag | head -8"):
            os.write(shell.master, command.encode() + b"\n")
            prompts += 1
            shell.read_until(lambda lines, wanted=prompts: sum(line.startswith("$") for line in lines) >= wanted)
        draw([shell.screen], FOLDER / "gatt.svg", "gatt: scanning, reading, inspecting")
        shell.end()
    finally:
        simulator.send_signal(signal.SIGINT)
        simulator.wait()


monitor()
gatt()
