"""Sends bytes through a Nordic UART and waits for the echo of all, with bleak; prints how long that takes in seconds.

Usage: echo.py COUNT [NAME [LENGTH]]; a write has LENGTH bytes.
"""

import asyncio
import sys
import time

from bleak import BleakClient, BleakScanner

WRITE = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
NOTIFY = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
COUNT = int(sys.argv[1])
NAME = sys.argv[2] if len(sys.argv) > 2 else "UART"
LENGTH = int(sys.argv[3]) if len(sys.argv) > 3 else 512


async def main():
    device = await BleakScanner.find_device_by_name(NAME, timeout=300)
    async with BleakClient(device, timeout=300) as client:
        data = bytes(index * 31 % 256 for index in range(COUNT))
        echo = bytearray()
        complete = asyncio.Event()

        def received(_, value):
            echo.extend(value)
            if len(echo) >= COUNT:
                complete.set()

        await client.start_notify(NOTIFY, received)
        start = time.perf_counter()
        for place in range(0, COUNT, LENGTH):
            await client.write_gatt_char(WRITE, data[place : place + LENGTH], response=True)
        await complete.wait()
        seconds = time.perf_counter() - start
        assert echo == data
        print(seconds)


asyncio.run(main())
