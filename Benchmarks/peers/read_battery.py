"""The shortest bleak script that reads a battery level of a device that is connected already."""

import asyncio
import sys

from bleak import BleakClient
from bleak.backends.device import BLEDevice

address = sys.argv[1]
path = "/org/bluez/hci0/dev_" + address.replace(":", "_")


async def main():
    # A device that is connected does not advertise, and bleak finds addresses by scanning: so it gets the path.
    client = BleakClient(BLEDevice(address, None, {"path": path, "props": {"Adapter": "/org/bluez/hci0"}}))
    await client.connect()
    print((await client.read_gatt_char("00002a19-0000-1000-8000-00805f9b34fb")).hex())


asyncio.run(main())
