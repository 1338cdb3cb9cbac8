"""A bleak script that takes one reading of the infrared thermometer of a SensorTag of 2012."""

import asyncio
import struct
import sys

from bleak import BleakClient, BleakScanner


def uuid(number):
    return f"f000{number:04x}-0451-4000-b000-000000000000"


async def main():
    device = await BleakScanner.find_device_by_address(sys.argv[1])
    complete = asyncio.Event()
    readings = []

    def received(_, value):
        if any(value):
            readings.append(value)
            complete.set()

    async with BleakClient(device) as client:
        await client.start_notify(uuid(0xAA01), received)
        await client.write_gatt_char(uuid(0xAA02), b"\1", response=True)
        await complete.wait()
        await client.write_gatt_char(uuid(0xAA02), b"\0", response=True)
        await client.stop_notify(uuid(0xAA01))
    _, ambient = struct.unpack("<hH", readings[0])
    print(f"ambient {ambient / 128:.2f}")


asyncio.run(main())
