"""Uses the lab's bluetoothd through a gateway, a broker and a fleet.

bleak reads a SensorTag, and a part of the contract suite runs.

Usage in the guest: gateway_check.py PROGRAMS TESTS [PART ...]

PROGRAMS is the folder of gatt-gateway and gatt-fleet, TESTS the package's test program.
"""

import asyncio
import os
import pathlib
import shutil
import sys
import tempfile
import time

from bleak import BleakClient, BleakScanner

from control_client import Control
from programs import LIMIT

TAG = "BC:6A:29:AB:AB:50"
PORT = 18830
# What is run of the contract, by the names of its files: the guest is slow.
CONTRACT = "/ValueContractTests|/NotificationContractTests|/ConnectionContractTests"


class Wrong(Exception):
    """What happened is not what should have."""


def tag(number):
    return f"f000{number:04x}-0451-4000-b000-000000000000"


class Chain:
    """Broker, gateway and fleet."""

    def __init__(self, programs, folder):
        self.programs = programs
        self.folder = folder
        self.running = []

    async def start(self, *command, environment=None):
        process = await asyncio.create_subprocess_exec(
            *command, env={**os.environ, **(environment or {})}, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE)
        self.running.append(process)
        return process

    async def __aenter__(self):
        configuration = pathlib.Path(self.folder) / "mosquitto.conf"
        configuration.write_text(f"listener {PORT} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\n")
        await self.start(shutil.which("mosquitto") or "/usr/sbin/mosquitto", "-c", str(configuration))
        broker = f"mqtt://127.0.0.1:{PORT}"
        await self.start(
            str(self.programs / "gatt-gateway"), "--broker", broker, "--name", "lab", "--interval", "0.1",
            "--repeat", "1", "--state", self.folder,
            environment={"DBUS_SYSTEM_BUS_ADDRESS": os.environ["COREBLUEZ_TEST_BUS"]})
        fleet = await self.start(
            str(self.programs / "gatt-fleet"), "--broker", broker, "--lease", "60", "--experimental")
        async with asyncio.timeout(LIMIT):
            line = (await fleet.stdout.readline()).decode().strip()
        if not line.startswith("DBUS_SYSTEM_BUS_ADDRESS="):
            raise Wrong(f"the fleet said {line!r}")
        self.bus = line.partition("=")[2]
        return self

    async def __aexit__(self, *_):
        for process in reversed(self.running):
            if process.returncode is None:
                process.terminate()
            async with asyncio.timeout(LIMIT):
                await process.wait()


class Check:
    """The parts, one method each."""

    def __init__(self, chain, control, tests):
        self.chain = chain
        self.control = control
        self.tests = tests

    async def bleak(self):
        """bleak reads the firmware's version and the temperature of a SensorTag."""
        device = await BleakScanner.find_device_by_address(TAG, timeout=LIMIT)
        if device is None:
            raise Wrong("the tag was not found")
        values = asyncio.Queue()
        async with BleakClient(device, timeout=LIMIT) as client:
            firmware = (await client.read_gatt_char("00002a26-0000-1000-8000-00805f9b34fb")).decode()
            await client.start_notify(tag(0xAA01), lambda _, value: values.put_nowait(bytes(value)))
            await client.write_gatt_char(tag(0xAA02), b"\x01", response=True)
            async with asyncio.timeout(LIMIT):
                while not any(value := await values.get()):
                    pass
        entries = (await self.control.do("log", "tag"))["entries"]
        sent = [bytes.fromhex(each["value"]) for each in entries if each["op"] == "notify"]
        if value not in sent:
            raise Wrong(f"{value.hex()} is not among what the tag sent")
        print(f"     firmware {firmware!r}, temperature {value.hex()}")

    async def contract(self):
        """A part of the contract suite, unchanged."""
        environment = {key: text for key, text in os.environ.items() if key != "COREBLUEZ_TEST_HARNESS"}
        process = await asyncio.create_subprocess_exec(
            self.tests, "--testing-library", "swift-testing", "--filter", CONTRACT,
            env={**environment, "COREBLUEZ_TEST_BUS": self.chain.bus}, stdin=asyncio.subprocess.DEVNULL)
        if await process.wait() != 0:
            raise Wrong(f"status {process.returncode}")


async def main():
    programs, tests, wanted = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        async with Control(os.environ["COREBLUEZ_TEST_CONTROL"]) as control, Chain(programs, folder) as chain:
            os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = chain.bus
            for part in wanted or ["bleak", "contract"]:
                await control.do("reset")
                start = time.monotonic()
                try:
                    await getattr(Check(chain, control, tests), part)()
                    print(f"ok   {part} ({time.monotonic() - start:.0f} s)", flush=True)
                except (Wrong, TimeoutError, AssertionError, OSError) as error:
                    failed += 1
                    print(f"FAIL {part}: {error!r}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
