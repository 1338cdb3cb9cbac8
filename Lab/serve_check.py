"""This computer as two SensorTags: a CC2541 that the lab's central reads, and a CC2650 on another adapter that
`sensortag log` reads on a third one. Both readers get what the tags have notified, value by value, once each.

Usage in the guest: serve_check.py SENSORTAG [SECONDS]; 20 seconds if not given.
"""

import asyncio
import os
import pathlib
import subprocess
import sys

import demo_readings
from accessory_check import BTVIRT, OURS, THEIRS, Wrong, power
from control_client import Control
from dbus_fast import BusType, Message, MessageType
from dbus_fast.aio import MessageBus
from demo_check import INTERRUPTED, LEAST_READINGS, TOLD, Table, same
from programs import Program

CHARACTERISTIC = "org.bluez.GattCharacteristic1"
# What switches the sensors of a CC2541 on, by the characteristic; 07 is all axes of the gyroscope.
CONFIGURATION = {"aa02": "01", "aa12": "01", "aa22": "01", "aa32": "01", "aa42": "01", "aa52": "07"}
# Values on their way when a reader ends: those of a second, at the shortest period.
IN_FLIGHT = 10
DATA = ("aa01", "aa11", "aa21", "aa31", "aa41", "aa51")
# A characteristic that only this generation has.
ONLY = {"cc2541": "f000aa51", "cc2650": "f000aa71"}


def serve(program, model, adapter):
    """A tag, whose messages are lines of its output."""
    merged = ("/bin/sh", "-c", 'exec "$@" 2>&1', "serve", program, "serve", "--model", model, "--adapter", adapter)
    return Program(*merged)


async def begin(tag):
    if not await tag.until(lambda: any("is a SensorTag" in line for line in tag.lines)):
        raise Wrong(f"serve: {tag.lines}")


def full(short):
    return f"f000{short}-0451-4000-b000-000000000000"


class Monitor:
    """What programs notify and respond to bluetoothd, by their unique names on the bus."""

    def __init__(self):
        self.calls = {}
        self.uuids = {}
        self.entries = {}

    async def start(self):
        self.bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
        self.bus.add_message_handler(self.take)
        path, interface = "/org/freedesktop/DBus", "org.freedesktop.DBus.Monitoring"
        message = Message("org.freedesktop.DBus", path, interface, "BecomeMonitor", signature="asu", body=[[], 0])
        reply = await self.bus.call(message)
        if reply.message_type is MessageType.ERROR:
            raise Wrong(f"the bus cannot be watched: {reply.body}")

    def take(self, message):
        """Returns true, or a reply would be sent, and the bus ends monitors that send."""
        match message.message_type:
            case MessageType.METHOD_CALL:
                self.calls[(message.sender, message.serial)] = message
            case MessageType.METHOD_RETURN if call := self.calls.pop((message.destination, message.reply_serial), None):
                self.take_reply(call, message)
            case MessageType.SIGNAL if message.member == "PropertiesChanged" and message.body[0] == CHARACTERISTIC:
                if "Value" in message.body[1]:
                    self.note(message, message.path, "notify", message.body[1]["Value"].value)
        return message.destination is None or message.destination != self.bus.unique_name

    def take_reply(self, call, reply):
        if call.member == "GetManagedObjects":
            for path, interfaces in reply.body[0].items():
                if CHARACTERISTIC in interfaces and not path.startswith("/org/bluez"):
                    self.uuids[(reply.sender, path)] = interfaces[CHARACTERISTIC]["UUID"].value.lower()
        elif call.interface == CHARACTERISTIC and call.member == "ReadValue":
            self.note(reply, call.path, "read", reply.body[0])
        elif call.interface == CHARACTERISTIC and call.member == "WriteValue":
            self.note(reply, call.path, "write", call.body[0])

    def note(self, message, path, operation, value):
        uuid = self.uuids.get((message.sender, path))
        if uuid is not None:
            entry = {"op": operation, "char": uuid, "value": bytes(value).hex()}
            self.entries.setdefault(message.sender, []).append(entry)

    def of(self, model):
        """What the tag of this model has done."""
        senders = {sender for (sender, _), uuid in self.uuids.items() if uuid.startswith(ONLY[model])}
        return [entry for sender in senders for entry in self.entries.get(sender, [])]


async def use_one_channel():
    """Keeps notifications in order: by default, bluetoothd before 5.67 has three channels with a peer that supports
    Enhanced ATT (main.conf, [GATT] Channels) and sends notifications by any of them, so that one may overtake others.
    """
    folder = pathlib.Path(os.environ["LAB_SUITE"]) / "etc" / "bluetooth"
    folder.mkdir(exist_ok=True)
    (folder / "main.conf").write_text("[GATT]\nChannels = 1\n")
    async with Control(os.environ["COREBLUEZ_TEST_HARNESS"]) as harness:
        await harness.do("kill-daemon")
        await harness.do("start-daemon")


async def address_of(adapter):
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
    path, interface = f"/org/bluez/{adapter}", "org.freedesktop.DBus.Properties"
    message = Message("org.bluez", path, interface, "Get", signature="ss", body=["org.bluez.Adapter1", "Address"])
    reply = await bus.call(message)
    bus.disconnect()
    return reply.body[0].value


def is_complete(sent, got):
    """Whether everything arrived, but what was on its way at the end."""
    return len(sent) - IN_FLIGHT <= len(got) <= len(sent) and len(got) >= LEAST_READINGS


async def by_central(monitor, control, seconds):
    """The central subscribes to all sensors of the CC2541."""
    await control.do("central-connect", mtu=23)
    await control.do("central-discover")
    for short in DATA:
        await control.do("central-subscribe", char=full(short), kind="notify")
    for short, value in CONFIGURATION.items():
        await control.do("central-write", char=full(short), value=value)
    await asyncio.sleep(seconds)
    for short in DATA:
        await control.do("central-subscribe", char=full(short), kind="off")
    values = (await control.do("central-values"))["values"]
    await control.do("central-disconnect")
    counts = []
    for short in DATA:
        uuid = full(short)
        sent = [each["value"] for each in monitor.of("cc2541") if (each["op"], each["char"]) == ("notify", uuid)]
        got = [each["value"] for each in values if each["char"].lower() == uuid]
        if not is_complete(sent, got) or sent[: len(got)] != got or len(set(got)) < 2:
            raise Wrong(f"central {short}: {len(sent)} sent, {len(got)} received: {sent[:9]}, {got[:9]}")
        counts.append(f"{len(got)} {short}")
    return ", ".join(counts)


async def by_log(monitor, program, address, seconds):
    """`sensortag log` reads all sensors of the CC2650; the keys are never pressed."""
    names = [name for name, _, _ in demo_readings.CC2650.values() if name != "keys"]
    shown = {name: [] for name in names}
    table = Table()

    def take(line):
        sensor, reading = table(line)
        if sensor in shown:
            shown[sensor].append(reading)

    command = ["log", address, "--adapter", THEIRS, "--csv", "-", "--period", "shortest"]
    async with Program(program, *command, take=take) as log:
        if not await log.until(lambda: all(len(shown[name]) >= LEAST_READINGS for name in names if name not in TOLD)):
            raise Wrong(await log.complaints())
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        # Less than the limit of `until` each time.
        while (begin := loop.time()) < end:
            if not await log.until(lambda: loop.time() > min(begin + 60, end)):
                raise Wrong(await log.complaints())
        log.interrupt()
        if (code := await log.end()) != INTERRUPTED:
            raise Wrong(f"log: status {code}: {await log.complaints()}")
    sent = demo_readings.sent(demo_readings.CC2650, monitor.of("cc2650"))
    for name in names:
        if name in TOLD:
            continue
        wrong = [pair for pair in zip(sent[name], shown[name]) if not same(*pair)]
        if not is_complete(sent[name], shown[name]) or wrong:
            counts = f"{len(sent[name])} sent, {len(shown[name])} shown"
            raise Wrong(f"log {name}: {counts}, {len(wrong)} wrong: {wrong[:3]}, sent first {sent[name][:9]}")
    return ", ".join(f"{len(shown[name])} {name}" for name in names)


async def check(program, seconds):
    address = await address_of(OURS)
    monitor = Monitor()
    await monitor.start()
    async with (
        Control(os.environ["COREBLUEZ_TEST_CONTROL"]) as control,
        serve(program, "cc2541", "hci0") as first,
        serve(program, "cc2650", OURS) as second,
    ):
        await control.do("reset")
        await asyncio.gather(begin(first), begin(second))
        results = await asyncio.gather(
            by_central(monitor, control, seconds),
            by_log(monitor, program, address, seconds),
        )
        for tag in (first, second):
            tag.interrupt()
            if (code := await tag.end()) != INTERRUPTED:
                raise Wrong(f"serve: status {code}: {tag.lines}")
    for reader, counts in zip(("the central", "sensortag log"), results):
        print(f"ok          serve: {reader}: {counts}", flush=True)


async def main():
    program, seconds = sys.argv[1], float((sys.argv[2:] or ["20"])[0])
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = os.environ["COREBLUEZ_TEST_BUS"]
    log = pathlib.Path(os.environ["LAB_OUT"]) / "btvirt.log"
    with open(log, "wb") as output:
        adapters = subprocess.Popen([str(BTVIRT), "-l2"], stdout=output, stderr=subprocess.STDOUT)
    try:
        await use_one_channel()
        for adapter in (OURS, THEIRS):
            await power(adapter)
        await check(program, seconds)
    except Wrong as error:
        sys.exit(f"serve: {error}")
    finally:
        adapters.kill()


if __name__ == "__main__":
    asyncio.run(main())
