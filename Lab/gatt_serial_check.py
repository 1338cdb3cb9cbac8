"""Lets an unmodified socat use the lab's Nordic UART through `gatt serial`, through disconnections.

Usage in the guest: gatt_serial_check.py GATT [PART ...]
"""

import asyncio
import os
import pathlib
import signal
import sys
import tempfile
import time

from control_client import Control
from programs import LIMIT, run

NAME = "Lab UART"
# Everything is slow in the guest.
PATIENCE = ["--timeout", "120"]


class Wrong(Exception):
    """What happened is not what should have."""


class Port:
    """`gatt serial`, with a serial port or a TCP port that it offers."""

    def __init__(self, program, folder, *arguments):
        self.command = [program, "serial", NAME, *arguments, *PATIENCE]
        self.folder = folder
        self.messages = ""

    async def __aenter__(self):
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(
            *self.command, cwd=self.folder, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe
        )
        async with asyncio.timeout(LIMIT):
            self.address = (await self.process.stdout.readline()).decode().strip()
        if not self.address:
            raise Wrong((await self.process.stderr.read()).decode())
        return self

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()

    async def tells(self, text):
        """Reads messages until one has the text."""
        async with asyncio.timeout(LIMIT):
            while text not in self.messages:
                line = await self.process.stderr.readline()
                if not line:
                    raise Wrong(f"{text!r} is not among {self.messages!r}")
                self.messages += line.decode()

    async def end(self):
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(LIMIT):
            code = await self.process.wait()
        if code != -signal.SIGTERM:
            raise Wrong(f"status {code}")


class Socat:
    """socat between us and the port."""

    def __init__(self, address, folder):
        self.command = ["socat", "-", address]
        self.folder = folder

    async def __aenter__(self):
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*self.command, cwd=self.folder, stdin=pipe, stdout=pipe)
        return self

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()

    async def echoes(self, data):
        """Sends bytes and waits for them."""
        self.process.stdin.write(data)
        async with asyncio.timeout(LIMIT):
            came = await self.process.stdout.readexactly(len(data))
        if came != data:
            raise Wrong(f"{came!r} for {data!r}")


class Check:
    """The parts, one method each."""

    def __init__(self, program, control, folder):
        self.program = program
        self.control = control
        self.folder = folder

    async def through_disconnection(self, port, address):
        async with port, Socat(address(port), self.folder) as socat:
            await socat.echoes(b"before\n")
            await socat.echoes(bytes(index * 31 % 256 for index in range(2000)))
            await self.control.do("disconnect", "uart")
            await port.tells("reconnecting")
            await port.tells("Reconnected")
            await socat.echoes(b"behind\n")
            await port.end()
        code, lines, errors = await run(self.program, "info", NAME)
        if code != 0 or "connected\tno\n" not in lines:
            raise Wrong(f"the link was left behind: status {code}, {lines!r}, {errors!r}")
        entries = (await self.control.do("log", "uart"))["entries"]
        written = b"".join(bytes.fromhex(each["value"]) for each in entries if each["op"] == "write")
        if not written.startswith(b"before\n") or not written.endswith(b"behind\n"):
            raise Wrong(f"the device got {written!r}")

    async def pty(self):
        """A pseudo-terminal and its link stay; the link goes in the end."""
        link = pathlib.Path(self.folder) / "uart"
        port = Port(self.program, self.folder, "--pty=uart")
        await self.through_disconnection(port, lambda port: f"./{port.address},raw,echo=0,b9600")
        if link.is_symlink():
            raise Wrong("the link was left behind")

    async def tcp(self):
        """The connection stays."""
        port = Port(self.program, self.folder, "--tcp", "127.0.0.1:0")
        await self.through_disconnection(port, lambda port: f"TCP:{port.address}")


async def main():
    program, wanted = sys.argv[1], sys.argv[2:]
    failed = 0
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = os.environ["COREBLUEZ_TEST_BUS"]
    async with Control(os.environ["COREBLUEZ_TEST_CONTROL"]) as control:
        for part in wanted or ["pty", "tcp"]:
            await control.do("reset")
            await control.do("advertise", "uart", on=True)
            start = time.monotonic()
            try:
                with tempfile.TemporaryDirectory() as folder:
                    await getattr(Check(program, control, folder), part)()
                print(f"ok {time.monotonic() - start:5.1f} s  gatt serial: {part}", flush=True)
            except Exception as error:  # what is wrong with one part does not keep the others from being checked
                failed += 1
                print(f"gatt serial: {part}: {type(error).__name__}: {error}", flush=True)
    if failed:
        sys.exit(f"gatt serial: {failed} parts failed")


if __name__ == "__main__":
    asyncio.run(main())
