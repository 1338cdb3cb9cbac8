"""Runs `cardreader` against the lab's card reader, and compares what it prints with what the reader has and received.

Usage in the guest: cardreader_check.py CARDREADER [PART ...]
"""

import asyncio
import json
import os
import signal
import sys
import time

from control_client import Control
from programs import Program, run

WRITE = "49535343-8841-43f4-a8d4-ecbe34729bb3"
ADDRESS = "C0:B1:00:00:01:07"
TRACK1 = "%B4000000000000002^LAB/LENA^30011010000000000?"
TRACK2 = ";4000000000000002=30011010000000000?"
# Everything is slow in the guest.
PATIENCE = ["--timeout", "120"]


class Wrong(Exception):
    """`cardreader` did not do what it should."""


class Check:
    """The parts, one method each."""

    def __init__(self, program, control):
        self.program = program
        self.control = control

    async def cardreader(self, *arguments):
        code, lines, errors = await run(self.program, *arguments, *PATIENCE)
        if code != 0:
            raise Wrong(f"cardreader {' '.join(arguments)}: status {code}, {errors!r}")
        return [line.rstrip("\n") for line in lines], errors

    async def written(self):
        """The values that the reader was written by requests."""
        entries = (await self.control.do("log", "reader"))["entries"]
        return [bytes.fromhex(each["value"]) for each in entries if (each["op"], each["char"]) == ("write", WRITE)]

    async def find(self):
        """Among devices that say as little: found by connecting, noise and a foreign frame passed over."""
        await self.control.do("advertise", "battery", on=True)
        lines, errors = await self.cardreader("--tracks", "--show-card-numbers")
        if lines != [f"track 1   {TRACK1}", f"track 2   {TRACK2}"]:
            raise Wrong(f"{lines!r}, {errors!r}")
        if "The reader sent an unsolicited frame: command EE01" not in errors or "Disconnecting..." not in errors:
            raise Wrong(errors)

    async def apdu(self):
        """A command of three packets, by address; its data come back."""
        name = bytes(range(1, 41))
        apdu = bytes([0x00, 0xA4, 0x04, 0x00, len(name)]) + name
        before = len(await self.written())
        lines, _ = await self.cardreader(ADDRESS, "--apdu", apdu.hex(), "--json")
        answer = json.loads(lines[0])
        if (answer["status"], answer["data"]) != ("9000", f"6F{42:02X}84{40:02X}" + name.hex().upper()):
            raise Wrong(f"{answer}")
        lengths = [len(value) for value in (await self.written())[before:]]
        if lengths != [20, 20, 12]:
            raise Wrong(f"written in {lengths}")

    async def interrupt(self):
        """Ctrl-C while nothing is answered: the link ends, and the program by the signal."""
        before = len(await self.written())
        async with Program(self.program, ADDRESS, "--apdu", "FF000000", *PATIENCE) as program:
            while len(await self.written()) == before:
                if program.process.returncode is not None:
                    raise Wrong(await program.complaints())
                await asyncio.sleep(0.2)
            program.interrupt()
            code = await program.end()
            errors = await program.complaints()
        if code != -signal.SIGINT or not errors.endswith("Disconnecting...\n"):
            raise Wrong(f"status {code}, {errors!r}")


async def main():
    program, wanted = sys.argv[1], sys.argv[2:]
    failed = 0
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = os.environ["COREBLUEZ_TEST_BUS"]
    async with Control(os.environ["COREBLUEZ_TEST_CONTROL"]) as control:
        for part in wanted or ["find", "apdu", "interrupt"]:
            await control.do("reset")
            for peer in ["tag", "tag2650", "probe"]:
                await control.do("advertise", peer, on=False)
            await control.do("advertise", "reader", on=True)
            start = time.monotonic()
            try:
                await getattr(Check(program, control), part)()
                print(f"ok {time.monotonic() - start:5.1f} s  cardreader: {part}", flush=True)
            except Exception as error:  # what is wrong with one part does not keep the others from being checked
                failed += 1
                print(f"cardreader: {part}: {type(error).__name__}: {error}", flush=True)
    if failed:
        sys.exit(f"cardreader: {failed} parts failed")


if __name__ == "__main__":
    asyncio.run(main())
