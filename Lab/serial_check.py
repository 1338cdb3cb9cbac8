"""Sends bytes through the lab's serial devices, in each way that there is, and compares what came with what was sent.

Usage in the guest: serial_check.py PROGRAM [PART ...]; the program is that of Benchmarks/streams.
"""

import asyncio
import os
import pathlib
import sys
import time

from dbus_fast import Message
from dbus_fast.aio import MessageBus

from control_client import Control
from programs import Program, run
from transcript import CHARACTERISTIC, OBJECTS

NAME = "Lab UART"
WRITE = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
COUNT = 6000
ECHO = pathlib.Path(__file__).resolve().parent.parent / "Benchmarks/streams/echo.py"
# MTU 247 less 3.
FRAGMENT = 244
# The MTU that every link has, 23, less 3.
SMALLEST = 20


class Wrong(Exception):
    """Something else happened than should have."""


async def reports_mtu():
    """Whether bluetoothd has the property MTU, as from 5.62 on, by the introspection of any characteristic."""
    bus = await MessageBus(bus_address=os.environ["DBUS_SYSTEM_BUS_ADDRESS"]).connect()
    try:
        objects = await bus.call(Message("org.bluez", "/", OBJECTS, "GetManagedObjects"))
        path = next((path for path, interfaces in objects.body[0].items() if CHARACTERISTIC in interfaces), None)
        if path is None:
            raise Wrong("bluetoothd has no characteristic")
        node = await bus.introspect("org.bluez", path)
        interface = next(each for each in node.interfaces if each.name == CHARACTERISTIC)
        return any(each.name == "MTU" for each in interface.properties)
    finally:
        bus.disconnect()


class Check:
    """The parts, one method each."""

    def __init__(self, program, control):
        self.program = program
        self.control = control

    async def written(self, operation):
        """The bytes that the device got by `write` or `command`, and the lengths of the fragments."""
        entries = (await self.control.do("log", "uart"))["entries"]
        values = [bytes.fromhex(each["value"]) for each in entries if (each["op"], each["char"]) == (operation, WRITE)]
        return b"".join(values), [len(value) for value in values]

    async def echo(self, operation, *options):
        """Bytes there and back. A socket says the link's MTU on every bluetoothd; otherwise only the property does."""
        code, lines, errors = await run(self.program, "echo", "--name", NAME, "--count", str(COUNT), *options)
        if code != 0:
            raise Wrong(f"status {code}, {errors!r}")
        data, lengths = await self.written(operation)
        fragment = FRAGMENT if operation == "command" or await reports_mtu() else SMALLEST
        whole, rest = divmod(COUNT, fragment)
        if lengths != [fragment] * whole + [rest] * bool(rest):
            raise Wrong(f"the device got {len(data)} bytes in {lengths}, not in pieces of {fragment}")
        return f"{COUNT / float(lines[-1]) / 1000:.1f} kB/s there and back"

    async def requests(self):
        """Write requests; notifications through a socket."""
        return await self.echo("write")

    async def signals(self):
        """Write requests; notifications by signals."""
        return await self.echo("write", "--signals")

    async def acquired(self):
        """Both through sockets."""
        return await self.echo("command", "--acquired")

    async def lost(self):
        """The link ends amid the bytes: an error says which of them are in doubt."""
        many = "1000000"
        async with Program(self.program, "echo", "--name", NAME, "--count", many, "--acquired") as program:
            while len((await self.written("command"))[0]) < COUNT:
                if program.process.returncode is not None:
                    raise Wrong(await program.complaints())
                await asyncio.sleep(0.2)
            await self.control.do("disconnect", "uart")
            code = await program.end()
            errors = await program.complaints()
        if code == 0 or "were not confirmed" not in errors:
            raise Wrong(f"status {code}, {errors!r}")

    async def bleak(self):
        """The same as `requests`, with bleak."""
        code, lines, errors = await run(sys.executable, "-B", str(ECHO), str(COUNT), NAME, str(FRAGMENT))
        if code != 0:
            raise Wrong(f"status {code}, {errors!r}")
        return f"{COUNT / float(lines[-1]) / 1000:.1f} kB/s there and back"


async def main():
    program, wanted = sys.argv[1], sys.argv[2:]
    failed = 0
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = os.environ["COREBLUEZ_TEST_BUS"]
    async with Control(os.environ["COREBLUEZ_TEST_CONTROL"]) as control:
        for part in wanted or ["requests", "signals", "acquired", "lost", "bleak"]:
            await control.do("reset")
            await control.do("advertise", "uart", on=True)
            start = time.monotonic()
            try:
                words = await getattr(Check(program, control), part)() or ""
                print(f"ok {time.monotonic() - start:5.1f} s  serial: {part} {words}", flush=True)
            except Exception as error:  # what is wrong with one part does not keep the others from being checked
                failed += 1
                print(f"serial: {part}: {type(error).__name__}: {error}", flush=True)
    if failed:
        sys.exit(f"serial: {failed} parts failed")


if __name__ == "__main__":
    asyncio.run(main())
