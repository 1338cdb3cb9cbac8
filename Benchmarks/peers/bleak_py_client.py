"""The mock's works with bleak-py, which wraps btleplug: bleak_py_client.py WORK [NUMBER...]."""

import asyncio
import os

from bleak_py import discover, find_device_by_address

from measurement import (
    CONTROL, MANY, NOTIFIED, READ_ONLY, STATUS, VALUE, WRITTEN, Measurement, Values, address, arguments, check_written,
    order, unsupported)


async def find(index=0):
    return await find_device_by_address(address(index), timeout=600)


async def connected(index=0):
    device = await find(index)
    await device.connect()
    return device


async def subscribe(device, values, complete):
    async def received(_, value):
        if values.take(value):
            complete.set()

    await device.start_notify(NOTIFIED, received)


async def take_values(numbers, devices):
    values, complete = Values(numbers[0]), asyncio.Event()
    for device in devices:
        await subscribe(device, values, complete)
    measurement = Measurement()
    await devices[0].write_gatt_char(CONTROL, order(numbers), response=True)
    await complete.wait()
    measurement.end(numbers[0])
    values.check()


async def notifications(numbers):
    await take_values(numbers, [await connected()])


async def many(numbers):
    found = {}
    async for device in await discover(timeout=3):
        found[device.address()] = device
    devices = [found[address(index)] for index in range(numbers[3])]
    for device in devices:
        await device.connect()
    await take_values(numbers, devices)


async def reads(numbers):
    device = await connected()
    measurement = Measurement()
    for _ in range(numbers[0]):
        await device.read_gatt_char(READ_ONLY)
    measurement.end(numbers[0])


async def reads_at_once(numbers):
    async def some(device, characteristic, count):
        for _ in range(count):
            await device.read_gatt_char(characteristic)

    device = await connected()
    each = numbers[0] // 16
    measurement = Measurement()
    await asyncio.gather(*(some(device, characteristic, each) for characteristic in MANY))
    measurement.end(each * 16)


async def write(numbers, response, place):
    device = await connected()
    measurement = Measurement()
    for _ in range(numbers[0]):
        await device.write_gatt_char(WRITTEN, VALUE, response=response)
    measurement.end(numbers[0])
    check_written(await device.read_gatt_char(STATUS), numbers[0], place)


async def requests(numbers):
    await write(numbers, True, 0)


async def commands(numbers):
    await write(numbers, False, 1)


async def start(_):
    measurement = Measurement()
    await find()
    measurement.end(1)


async def connections(numbers):
    device = await find()
    for _ in range(numbers[0]):
        measurement = Measurement()
        await device.connect()
        measurement.end(1)
        await device.disconnect()


async def process(_):
    measurement = Measurement()
    device = await connected()
    await device.read_gatt_char(READ_ONLY)
    measurement.end(1)


async def idle(_):
    device = await connected()

    async def received(_, __):
        pass

    await device.start_notify(NOTIFIED, received)
    print("ready", flush=True)
    await asyncio.Event().wait()


WORKS = {
    "notifications": notifications, "many": many, "reads": reads, "reads-at-once": reads_at_once, "requests": requests,
    "commands": commands, "start": start, "connections": connections, "process": process, "idle": idle,
}

work, all_numbers = arguments()
if work not in WORKS:
    unsupported()
asyncio.run(WORKS[work](all_numbers))
# Its threads do not end by themselves in every case.
os._exit(0)
