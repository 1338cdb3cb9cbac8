"""The mock's works with bleak: bleak_client.py WORK [NUMBER...]."""

import asyncio
import sys

from bleak import BleakClient, BleakScanner
from bleak.backends.device import BLEDevice

from measurement import (
    CONTROL, MANY, NOTIFIED, READ_ONLY, STATUS, VALUE, WRITTEN, Measurement, Values, address, arguments, check_written,
    order, unsupported)


async def find():
    return await BleakScanner.find_device_by_address(address(0), timeout=600)


def known(index=0):
    """A device that is not scanned for: how much a scan hears until it ends is chance."""
    path = "/org/bluez/hci0/dev_" + address(index).replace(":", "_")
    return BLEDevice(address(index), None, {"path": path, "props": {"Adapter": "/org/bluez/hci0"}})


async def subscribe(client, values, complete, **options):
    def received(_, value):
        if values.take(value):
            complete.set()

    await client.start_notify(NOTIFIED, received, **options)


async def take_values(numbers, **options):
    values, complete = Values(numbers[0]), asyncio.Event()
    async with BleakClient(known()) as client:
        await subscribe(client, values, complete, **options)
        measurement = Measurement()
        await client.write_gatt_char(CONTROL, order(numbers), response=True)
        await complete.wait()
        measurement.end(numbers[0])
        values.check()


async def notifications(numbers):
    await take_values(numbers)


async def acquired(numbers):
    await take_values(numbers, bluez={"use_start_notify": False})


async def many(numbers):
    values, complete = Values(numbers[0]), asyncio.Event()
    clients = [BleakClient(known(index)) for index in range(numbers[3])]
    for client in clients:
        await client.connect()
        await subscribe(client, values, complete)
    measurement = Measurement()
    await clients[0].write_gatt_char(CONTROL, order(numbers), response=True)
    await complete.wait()
    measurement.end(numbers[0])
    values.check()


async def subscription(numbers):
    others, device = [], 1
    async with BleakClient(known()) as client:
        left = numbers[1]
        while left > 0:
            other = BleakClient(known(device))
            await other.connect()
            for characteristic in MANY[:left]:
                await other.start_notify(characteristic, lambda *_: None)
            others.append(other)
            left, device = left - 16, device + 1
        measurement = Measurement()
        for _ in range(numbers[0]):
            await client.start_notify(NOTIFIED, lambda *_: None)
            await client.stop_notify(NOTIFIED)
        measurement.end(numbers[0])


async def reads(numbers):
    async with BleakClient(known()) as client:
        measurement = Measurement()
        for _ in range(numbers[0]):
            await client.read_gatt_char(READ_ONLY)
        measurement.end(numbers[0])


async def reads_at_once(numbers):
    async def some(client, characteristic, count):
        for _ in range(count):
            await client.read_gatt_char(characteristic)

    async with BleakClient(known()) as client:
        each = numbers[0] // 16
        measurement = Measurement()
        await asyncio.gather(*(some(client, characteristic, each) for characteristic in MANY))
        measurement.end(each * 16)


async def write(numbers, response, place):
    async with BleakClient(known()) as client:
        measurement = Measurement()
        for _ in range(numbers[0]):
            await client.write_gatt_char(WRITTEN, VALUE, response=response)
        measurement.end(numbers[0])
        check_written(await client.read_gatt_char(STATUS), numbers[0], place)


async def requests(numbers):
    await write(numbers, True, 0)


async def commands(numbers):
    await write(numbers, False, 1)


async def heard(count, begin_at):
    """Waits for so many advertisements."""
    complete, left, measurement = asyncio.Event(), count, Measurement()

    def detected(_device, _data):
        nonlocal left, measurement
        if left == begin_at:
            measurement = Measurement()
        left -= 1
        if left == 0:
            complete.set()

    async with BleakScanner(detected):
        await complete.wait()
        measurement.end(count)


async def scan(numbers):
    await heard(numbers[0], numbers[0])


async def rotating(numbers):
    await heard(numbers[0], 0)


async def start(_):
    measurement = Measurement()
    await find()
    measurement.end(1)


async def connections(numbers):
    device = await find()
    for _ in range(numbers[0]):
        measurement = Measurement()
        client = BleakClient(device)
        await client.connect()
        measurement.end(1)
        assert len(client.services.characteristics) == 27, "characteristics are missing"
        await client.disconnect()


async def process(_):
    measurement = Measurement()
    async with BleakClient(await find()) as client:
        await client.read_gatt_char(READ_ONLY)
        measurement.end(1)


async def idle(_):
    async with BleakClient(known()) as client:
        await client.start_notify(NOTIFIED, lambda *_: None)
        print("ready", flush=True)
        await asyncio.Event().wait()


WORKS = {
    "notifications": notifications, "acquired": acquired, "many": many, "subscription": subscription, "reads": reads,
    "reads-at-once": reads_at_once, "requests": requests, "commands": commands, "scan": scan, "rotating": rotating,
    "start": start, "connections": connections, "process": process, "idle": idle,
}

work, all_numbers = arguments()
if work not in WORKS:
    unsupported()
asyncio.run(WORKS[work](all_numbers))
sys.exit(0)
