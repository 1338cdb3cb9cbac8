"""Another program on the same adapter: bleak, with a link to the probe and a subscription of its own.

Prints its events on standard output, one line each: ready, value HEX, read HEX, scanning, found ADDRESS,
disconnected. Takes commands from standard input: read, scan. Ends its link at the end of standard input.
"""

import asyncio
import sys

from bleak import BleakClient, BleakScanner

PROBE = "BC:6A:29:AB:AB:51"
TAG = "BC:6A:29:AB:AB:50"
DEADLINE = 120.0


def probe(number):
    return f"c0b1{number:04x}-7a6b-4d5e-8f90-1a2b3c4d5e6f"


def say(*words):
    print(*words, flush=True)


async def commands():
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := (await reader.readline()).decode().strip():
        yield line


async def scan():
    found = asyncio.Event()

    def heard(device, _):
        if device.address == TAG:
            found.set()

    async with BleakScanner(heard):
        say("scanning")
        await asyncio.wait_for(found.wait(), DEADLINE)
    say("found", TAG)


async def main():
    device = await BleakScanner.find_device_by_address(PROBE, timeout=DEADLINE)
    assert device is not None, "the probe was not found"
    async with BleakClient(device, disconnected_callback=lambda _: say("disconnected"), timeout=DEADLINE) as client:
        await client.start_notify(probe(3), lambda _, value: say("value", value.hex()))
        say("ready")
        async for command in commands():
            if command == "read":
                say("read", (await client.read_gatt_char(probe(1))).hex())
            elif command == "scan":
                await scan()


asyncio.run(main())
