"""A second central: bleak, a Python library, against the lab's peripherals.

Shows whether a failure is the lab's or the framework's: if this passes and the contract suite does not, look at the
framework.
"""

import asyncio
import os
import time

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakDBusError, BleakError

from control_client import Control

TAG = "BC:6A:29:AB:AB:50"
PROBE = "BC:6A:29:AB:AB:51"
DEADLINE = 120.0


def probe(number):
    return f"c0b1{number:04x}-7a6b-4d5e-8f90-1a2b3c4d5e6f"


def ti(number):
    return f"f000{number:04x}-0451-4000-b000-000000000000"


class Smoke:
    """The checks, in order."""

    def __init__(self, control):
        self.control = control
        self.start = time.monotonic()

    def passed(self, what):
        print(f"ok {time.monotonic() - self.start:6.2f} s  {what}", flush=True)

    async def until(self, condition, what):
        end = time.monotonic() + DEADLINE
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"{what}: not within {DEADLINE} s")
            await asyncio.sleep(0.02)

    async def find(self):
        found = {}
        named = asyncio.Event()

        def heard(device, advertisement):
            found[device.address] = (device, advertisement)
            if all(found.get(each, (None, None))[1] and found[each][1].local_name for each in (TAG, PROBE)):
                named.set()

        async with BleakScanner(heard):
            await asyncio.wait_for(named.wait(), DEADLINE)
        tag, heard_probe = found[TAG][1], found[PROBE][1]
        assert tag.local_name == "SensorTag" and not tag.service_uuids, tag
        assert heard_probe.local_name == "CoreBlueZ Probe", heard_probe
        assert heard_probe.manufacturer_data == {0xFFFF: b"\x01\x02\x03"}, heard_probe
        self.passed("scan: tag and probe, names and manufacturer data")
        return found[TAG][0], found[PROBE][0]

    async def probe(self, device):
        ended = asyncio.Event()
        async with BleakClient(device, disconnected_callback=lambda _: ended.set(), timeout=DEADLINE) as client:
            assert sum(each.uuid == probe(0x10) for each in client.services) == 2
            self.passed("connect and discover: the repeated service twice")
            assert await client.read_gatt_char(probe(2)) == bytes(index % 251 for index in range(400))
            self.passed("read of 400 bytes")
            await client.write_gatt_char(probe(1), bytes(range(200)), response=True)
            assert await client.read_gatt_char(probe(1)) == bytes(range(200))
            await client.write_gatt_char(probe(6), b"command", response=False)
            self.passed("write, with and without response")
            await self.notifications(client)
            await self.errors(client)
            await self.control.do("disconnect", "probe")
            await asyncio.wait_for(ended.wait(), DEADLINE)
            self.passed("disconnection by the peer")

    async def notifications(self, client):
        values = []
        await client.start_notify(probe(3), lambda _, value: values.append(bytes(value)))
        sent = await self.control.do("notify", "probe", char=probe(3), value="ab", count=50, number=True)
        assert sent["sent"] == 50, sent
        await self.until(lambda: len(values) == 50, "50 notifications")
        assert values == [b"\xab" + index.to_bytes(4, "little") for index in range(50)]
        await client.stop_notify(probe(3))
        self.passed("50 notifications in order")

    async def errors(self, client):
        for code in (0x01, 0x02, 0x03, 0x80):
            await self.control.do("fail", "probe", char=probe(1), op="read", att=code)
            try:
                await client.read_gatt_char(probe(1))
            except (BleakDBusError, BleakError) as error:
                self.passed(f"ATT error 0x{code:02x}: {error}")
            else:
                raise AssertionError(f"no error for 0x{code:02x}")
        await self.control.do("fail", "probe", char=probe(1), op="read", att=0)

    async def tag(self, device):
        ended = asyncio.Event()
        client = BleakClient(device, disconnected_callback=lambda _: ended.set(), timeout=DEADLINE)
        await client.connect()
        values = []
        assert await client.read_gatt_char(ti(0xAA43)) == bytes(16)
        await client.write_gatt_char(ti(0xAA42), b"\x02", response=True)
        assert any(await client.read_gatt_char(ti(0xAA43)))
        await client.start_notify(ti(0xAA41), lambda _, value: values.append(bytes(value)))
        await client.write_gatt_char(ti(0xAA44), b"\x0a", response=True)
        await client.write_gatt_char(ti(0xAA42), b"\x01", response=True)
        await self.until(lambda: len(values) >= 5, "5 barometer notifications")
        assert values[0][2:] == bytes(2) and values[1][2:] != bytes(2), values
        self.passed("barometer: calibration and alternating halves")
        await self.control_values(client)
        await client.write_gatt_char(ti(0xAA42), b"\x00", response=True)
        await self.until(lambda: values[-1] == bytes(4), "zeros when switched off")
        assert await client.read_gatt_char(ti(0xAA43)) == bytes(16)
        self.passed("switched off: a notification of zeros, no calibration")
        await self.device_information(client)
        await client.write_gatt_char(ti(0xAA42), b"\x01", response=True)
        await self.control.do("vanish", "tag")
        await asyncio.wait_for(ended.wait(), DEADLINE)
        self.passed("the link is lost silently")
        await self.control.do("return", "tag")
        async with BleakClient(device, timeout=DEADLINE) as client:
            assert await client.read_gatt_char(ti(0xAA42)) == b"\x00"
            assert await client.read_gatt_char(ti(0xAA44)) == b"\x64"
        self.passed("after a reconnection the sensors are off, periods are those of the start")

    async def control_values(self, client):
        """What the tag refuses: a period under the minimum, a wrong length."""
        for uuid, value, code in ((0xAA44, b"\x09", 0x80), (0xAA03, b"\x1d", 0x80), (0xAA02, b"\x01\x00", 0x0D)):
            try:
                await client.write_gatt_char(ti(uuid), value, response=True)
            except (BleakDBusError, BleakError) as error:
                assert (f"{code:#04x}" in str(error)) or code == 0x0D, error
            else:
                raise AssertionError(f"{uuid:04x} took {value.hex()}")
        self.passed("refused: periods under the minimum, a wrong length")

    async def device_information(self, client):
        values = {
            0x2A26: b"1.5 (Oct 23 2013)",
            0x2A29: b"Texas Instruments",
            0x2A24: b"N.A.\x00",
            0x2A50: bytes.fromhex("010d0000001001"),
        }
        for uuid, value in values.items():
            read = await client.read_gatt_char(f"0000{uuid:04x}-0000-1000-8000-00805f9b34fb")
            assert read == value, (uuid, read)
        self.passed("device information")


async def main():
    async with Control(os.environ["COREBLUEZ_TEST_CONTROL"]) as control:
        smoke = Smoke(control)
        await control.do("reset")
        tag, probe_device = await smoke.find()
        await smoke.probe(probe_device)
        await smoke.tag(tag)
        smoke.passed("everything")


asyncio.run(main())
