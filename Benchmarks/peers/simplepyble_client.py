"""The mock's works with simplepyble, SimpleBLE's Python package: simplepyble_client.py WORK [NUMBER...]."""

import os
import threading
import time

import simplepyble

from measurement import (
    CONTROL, NOTIFIED, READ_ONLY, SERVICE, STATUS, VALUE, WRITTEN, Measurement, Values, address, arguments,
    check_written, order, unsupported)

adapter = simplepyble.Adapter.get_adapters()[0]


def find(count=1):
    """Polls: with its callbacks for scans, stopping the scan ends in a timeout of a D-Bus call."""
    wanted = {address(index) for index in range(count)}
    adapter.scan_start()
    while True:
        found = {found.address().upper(): found for found in adapter.scan_get_results()}
        if wanted <= set(found):
            break
        time.sleep(0.001)
    adapter.scan_stop()
    return [found[address(index)] for index in range(count)]


def connect(peripheral):
    """Until all services are there: they come in while it has connected already."""
    peripheral.connect()
    while sum(len(service.characteristics()) for service in peripheral.services()) < 27:
        time.sleep(0.0001)
    return peripheral


def connected():
    return connect(find()[0])


def take_values(numbers, peripherals):
    values, complete = Values(numbers[0]), threading.Event()

    def received(value):
        if values.take(value):
            complete.set()

    for peripheral in peripherals:
        connect(peripheral)
        peripheral.notify(SERVICE, NOTIFIED, received)
    measurement = Measurement()
    peripherals[0].write_request(SERVICE, CONTROL, order(numbers))
    complete.wait()
    measurement.end(numbers[0])
    values.check()


def notifications(numbers):
    take_values(numbers, find())


def many(numbers):
    take_values(numbers, find(numbers[3]))


def reads(numbers):
    peripheral = connected()
    measurement = Measurement()
    for _ in range(numbers[0]):
        peripheral.read(SERVICE, READ_ONLY)
    measurement.end(numbers[0])


def requests(numbers):
    peripheral = connected()
    measurement = Measurement()
    for _ in range(numbers[0]):
        peripheral.write_request(SERVICE, WRITTEN, VALUE)
    measurement.end(numbers[0])
    check_written(peripheral.read(SERVICE, STATUS), numbers[0], 0)


def commands(numbers):
    peripheral = connected()
    measurement = Measurement()
    for _ in range(numbers[0]):
        peripheral.write_command(SERVICE, WRITTEN, VALUE)
    measurement.end(numbers[0])
    check_written(peripheral.read(SERVICE, STATUS), numbers[0], 1)


def start(_):
    measurement = Measurement()
    find()
    measurement.end(1)


def connections(numbers):
    peripheral = find()[0]
    for _ in range(numbers[0]):
        measurement = Measurement()
        connect(peripheral)
        measurement.end(1)
        peripheral.disconnect()


def process(_):
    measurement = Measurement()
    connected().read(SERVICE, READ_ONLY)
    measurement.end(1)


def idle(_):
    peripheral = connected()
    peripheral.notify(SERVICE, NOTIFIED, lambda _: None)
    print("ready", flush=True)
    threading.Event().wait()


WORKS = {
    "notifications": notifications, "many": many, "reads": reads, "requests": requests, "commands": commands,
    "start": start, "connections": connections, "process": process, "idle": idle,
}

work, all_numbers = arguments()
if work not in WORKS:
    unsupported()
WORKS[work](all_numbers)
# Its threads do not end by themselves in every case.
os._exit(0)
