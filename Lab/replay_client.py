"""Subscribes to everything that the lab's CC2650 notifies, with bleak, and prints each value: its UUID and hexadecimal
digits. Subscribes first, then sets the periods, then switches the sensors on. Ends with SIGINT.

Usage: replay_client.py ADDRESS signals|sockets; by StartNotify or by AcquireNotify.
"""

import asyncio
import signal
import sys

from bleak import BleakClient, BleakScanner

from programs import LIMIT

# In the order of the handles, unlike `sensortag`'s.
DATA = ("2a19", "aa01", "aa21", "aa41", "aa71", "aa81", "ffe1")
# The shortest ones.
PERIODS = {"aa03": "1e", "aa23": "0a", "aa44": "0a", "aa73": "0a", "aa83": "0a"}
# What switches the sensors on; 7f02 is all axes of the movement sensor, and a range of 8 g.
CONFIGURATIONS = {"aa02": "01", "aa22": "01", "aa42": "01", "aa72": "01", "aa82": "7f02"}
FIRMWARE = "2a26"


def full(short):
    """The UUID of four digits, on TI's base or on that of Bluetooth."""
    if short.startswith("aa"):
        return f"f000{short}-0451-4000-b000-000000000000"
    return f"0000{short}-0000-1000-8000-00805f9b34fb"


async def main():
    address, way = sys.argv[1:]
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stopped.set)
    device = await BleakScanner.find_device_by_address(address, timeout=LIMIT)
    if device is None:
        sys.exit("bleak: the tag was not found")
    async with BleakClient(device, timeout=LIMIT) as client:
        # `sensortag` reads it, too, so it must be in the recording.
        await client.read_gatt_char(full(FIRMWARE))
        for uuid in map(full, DATA):
            await client.start_notify(
                uuid,
                lambda characteristic, value: print(characteristic.uuid, value.hex(), flush=True),
                bluez={"use_start_notify": way == "signals"},
            )
        for short, value in {**PERIODS, **CONFIGURATIONS}.items():
            await client.write_gatt_char(full(short), bytes.fromhex(value), response=True)
        await stopped.wait()


if __name__ == "__main__":
    asyncio.run(main())
