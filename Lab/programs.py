"""Runs programs in the guest, line by line or on a terminal of their own."""

import asyncio
import codecs
import fcntl
import os
import pty
import re
import signal
import struct
import termios

# How long a program may take for what it is waited for.
LIMIT = 120.0


class Program:
    """A command whose output comes line by line; each goes to `take`, too."""

    def __init__(self, *command, take=lambda line: None):
        self.command = command
        self.take = take
        self.lines = []

    async def __aenter__(self):
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(
            *self.command, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe
        )
        self.errors = asyncio.ensure_future(self.process.stderr.read())
        return self

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        await self.errors

    async def until(self, condition):
        """Reads lines until the condition holds; false at the end of the output."""
        async with asyncio.timeout(LIMIT):
            while not condition():
                line = await self.process.stdout.readline()
                if not line:
                    return False
                self.lines.append(line.decode())
                self.take(self.lines[-1])
        return True

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)

    async def end(self):
        """The exit code, when everything was read."""
        await self.until(lambda: False)
        return await self.process.wait()

    async def complaints(self):
        return (await self.errors).decode()


async def run(*command):
    """Exit code, lines of the output, standard error."""
    async with Program(*command) as program:
        code = await program.end()
        return code, program.lines, await program.complaints()


class Terminal:
    """A command on a pseudo-terminal of 100 columns and 40 rows, and the text that its screen shows."""

    ROWS, COLUMNS = 40, 100
    ENTER, LEAVE, SHOW_CURSOR = "\x1b[?1049h", "\x1b[?1049l", "\x1b[?25h"
    PIECE = re.compile(r"\x1b\[(\d+);\d+H|\x1b\[\??[\d;]*([A-Za-z])|([^\x1b]+)")

    def __init__(self, *command):
        self.command = command
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.output = ""
        self.unread = ""
        self.screen = {}
        self.row = 1

    async def __aenter__(self):
        self.leader, self.follower = pty.openpty()
        fcntl.ioctl(self.leader, termios.TIOCSWINSZ, struct.pack("HHHH", self.ROWS, self.COLUMNS, 0, 0))
        self.before = termios.tcgetattr(self.follower)
        os.set_blocking(self.leader, False)
        self.process = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=self.follower,
            stdout=self.follower,
            stderr=self.follower,
            env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
            start_new_session=True,
            # The terminal becomes the one whose keys send signals.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        return self

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        os.close(self.leader)
        os.close(self.follower)

    def read(self):
        """Takes what was written and draws it."""
        try:
            text = self.decoder.decode(os.read(self.leader, 1 << 16))
        except BlockingIOError:
            return False
        self.output += text
        self.unread += text
        # A sequence may come in two parts.
        cut = self.unread.rfind("\x1b")
        whole = cut < 0 or self.PIECE.match(self.unread, cut) is not None
        complete = self.unread if whole else self.unread[:cut]
        self.unread = self.unread[len(complete) :]
        for row, command, text in self.PIECE.findall(complete):
            if row:
                self.row = int(row)
            elif command == "J":
                self.screen.clear()
            elif command == "K":
                self.screen[self.row] = ""
            elif text:
                self.screen[self.row] = self.screen.get(self.row, "") + text
        return True

    async def until(self, condition):
        """Draws until the condition holds; false if the program ends first."""
        async with asyncio.timeout(LIMIT):
            while not condition():
                if self.read():
                    continue
                if self.process.returncode is not None:
                    return condition()
                await asyncio.sleep(0.02)
        return True

    def type(self, text):
        os.write(self.leader, text.encode())

    async def end(self):
        async with asyncio.timeout(LIMIT):
            while self.process.returncode is None:
                self.read()
                await asyncio.sleep(0.02)
        while self.read():
            pass
        return self.process.returncode

    def is_restored(self):
        """Whether the terminal is as it was: its settings, the screen, the cursor."""
        return (
            termios.tcgetattr(self.follower) == self.before
            and self.output.rfind(self.LEAVE) > self.output.rfind(self.ENTER) >= 0
            and self.output.rfind(self.SHOW_CURSOR) > self.output.rfind(self.ENTER)
        )
