"""A SensorTag, recorded from bluetoothd with `gatt record`, replays to CoreBlueZ, bleak and bluetoothctl: each gets the
recorded values in the recorded order. Recorded failures happen again with the same messages.

One recording is by signals, of `sensortag log`, and one by the sockets of AcquireNotify, of bleak. What is compared is
every value that came after its characteristic's subscription and before the recorded program began to switch the sensors
off: bleak must get all of them in the order of the recording, across characteristics if they come by signals; `sensortag
log` those of each sensor, as readings; bluetoothctl those of the movement sensor. What comes later must continue that.

Usage in the guest: replay_check.py PROGRAMS [SECONDS [PART ...]]; PROGRAMS is the folder of gatt and sensortag. 20 seconds
if not given.
"""

import asyncio
import contextlib
import json
import os
import pathlib
import re
import sys
import time

import demo_readings
from control_client import Control
from demo_check import IN_FLIGHT, INTERRUPTED, TAGS, Table, same
from programs import LIMIT, Program, Terminal, run
from replay_client import CONFIGURATIONS, DATA, PERIODS, full

ADDRESS = TAGS["tag2650"]["address"]
CLIENT = pathlib.Path(__file__).resolve().parent / "replay_client.py"
# bluetoothctl runs in the folder of another root, which has this directory, too.
SHARED = "/run"
# How many values may be waited for at once: `until` has a limit.
PORTION = 100
# The characteristic that bluetoothctl subscribes to, its configuration and its period: data of two lines.
WATCHED = ("aa81", "aa82", "aa83")


class Wrong(Exception):
    """What happened is not what should have."""


class Recording:
    """What a file says about the tag. The first `kept` of its values came before the sensors were switched off."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.events = [event for event in map(json.loads, file) if event.get("device") == ADDRESS]
        self.uuids = self.read_uuids()
        self.entries = []
        self.ways = set()
        self.values = []
        self.kept = None
        subscribed = set()
        for event in self.events:
            match event:
                case {"event": "request", "op": "notify" | "acquireNotify", "handle": handle}:
                    subscribed.add(handle)
                case {"event": "request", "op": "write", "handle": handle, "value": value}:
                    self.take("write", handle, value)
                    if subscribed and not int(value, 16):
                        self.kept = self.kept or len(self.values)
                case {"event": "value", "handle": handle, "value": value, "by": way} if handle in subscribed:
                    self.take("notify", handle, value)
                    self.values.append((self.uuids[handle], value))
                    self.ways.add(way)
        self.kept = self.kept or len(self.values)

    def read_uuids(self):
        uuids = {}
        for event in self.events:
            for service in event["services"] if event["event"] == "database" else ():
                for each in service["characteristics"]:
                    uuid = each["uuid"].lower()
                    uuids[each.get("valueHandle", each["handle"] + 1)] = full(uuid) if len(uuid) == 4 else uuid
        return uuids

    def take(self, operation, handle, value):
        self.entries.append({"op": operation, "char": self.uuids[handle], "value": value})

    def readings(self, count=None):
        """What the values mean, or the first of them, by sensor."""
        entries = self.entries
        if count is not None:
            notified = [index for index, entry in enumerate(entries) if entry["op"] == "notify"]
            entries = entries[: notified[count - 1] + 1]
        return demo_readings.sent(demo_readings.CC2650, entries)

    def of(self, uuid, count=None):
        return [value for each, value in self.values[:count] if each == uuid]


def compare(what, values, kept, got, is_same=lambda one, other: one == other):
    """What was got is at least as many of the values as were kept, from the first on."""
    for index, (one, other) in enumerate(zip(values, got)):
        if not is_same(one, other):
            raise Wrong(f"{what} {index} of {len(values)}: {one} recorded, {other} shown")
    if not kept <= len(got) <= len(values):
        raise Wrong(f"{what}: {len(values)} recorded, {kept} of them before the end, {len(got)} shown")


class Readings:
    """Takes the lines of `sensortag log`."""

    def __init__(self):
        self.table = Table()
        self.shown = {name: [] for name, _, _ in demo_readings.CC2650.values()}

    def __call__(self, line):
        sensor, reading = self.table(line)
        if sensor is not None:
            self.shown[sensor].append(reading)

    def count(self):
        return sum(map(len, self.shown.values()))

    def has_all(self):
        return all(self.shown.values())

    def compare(self, recording, in_flight=0):
        values, kept = recording.readings(), recording.readings(recording.kept)
        for name, shown in self.shown.items():
            compare(name, values[name], len(kept[name]) - in_flight, shown, same)
        return f"{self.count()} readings"

    def is_complete(self, recording):
        kept = recording.readings(recording.kept)
        return lambda: all(len(self.shown[name]) >= len(kept[name]) for name in kept)


class Values:
    """Takes the lines of the client with bleak."""

    def __init__(self):
        self.shown = []

    def __call__(self, line):
        uuid, value = line.split()
        self.shown.append((uuid, value))

    def count(self):
        return len(self.shown)

    def has_all(self):
        return {uuid for uuid, _ in self.shown} == set(map(full, DATA))

    def compare(self, recording, in_flight=0):
        if recording.ways == {"signal"}:
            compare("value", recording.values, recording.kept - in_flight, self.shown)
        for uuid in map(full, DATA):
            shown = [value for each, value in self.shown if each == uuid]
            compare(uuid, recording.of(uuid), len(recording.of(uuid, recording.kept)) - in_flight, shown)
        return f"{self.count()} values"

    def is_complete(self, recording):
        return lambda: len(self.shown) >= recording.kept


class Bluetoothctl(Terminal):
    """bluetoothctl of the suite, whose lines with values are kept as they come."""

    VALUE = re.compile(r"Attribute \S+/char([0-9a-f]{4}) Value:")
    ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x01\x02]")
    # The digits of a line of at most 16 bytes; their characters follow.
    DIGITS = re.compile(r"  ((?:[0-9a-f]{2} ){1,16})")

    def __init__(self, bus):
        super().__init__("chroot", os.environ["LAB_SUITE"], "env", bus, "bluetoothctl")
        self.rest = ""
        self.lines = []
        self.shown = []
        self.is_value = False

    def read(self):
        """Takes the lines out of the output, which would become long."""
        has_read = super().read()
        *lines, self.rest = (self.rest + self.output).split("\n")
        self.output = ""
        for line in lines:
            self.take(self.ESCAPE.sub("", line).rstrip("\r").rpartition("\r")[2])
        return has_read

    def take(self, line):
        if found := self.VALUE.search(line):
            self.shown.append((int(found[1], 16) + 1, ""))
            self.is_value = True
        elif self.is_value and (found := self.DIGITS.match(line)):
            handle, digits = self.shown[-1]
            self.shown[-1] = handle, digits + found[1].replace(" ", "")
        else:
            self.is_value = False
            self.lines.append(line)

    async def says(self, command, text):
        """Types a command, and waits for what the program says to it."""
        del self.lines[:]
        self.type(command + "\n")
        try:
            told = await self.until(lambda: any(text in line for line in self.lines))
        except TimeoutError:
            told = False
        if not told:
            raise Wrong(f"bluetoothctl: {command}: {text!r} is not in {self.lines[-20:]}")


class Check:
    """The parts, one method each."""

    def __init__(self, programs, control, seconds):
        self.gatt = str(programs / "gatt")
        self.sensortag = str(programs / "sensortag")
        self.control = control
        self.seconds = seconds
        self.folder = pathlib.Path(os.environ["LAB_OUT"]) / "replay"
        self.folder.mkdir(exist_ok=True)

    def log(self):
        return [self.sensortag, "log", ADDRESS, "--period", "shortest", "--csv", "-"]

    def bleak(self, way):
        return [sys.executable, "-B", str(CLIENT), ADDRESS, way]

    def recorder(self, file, command):
        return [self.gatt, "record", "--overwrite", str(file), "--", *command]

    # Recording

    async def record(self, name, command, shown):
        """Records a program until there are all sensors, keys and battery, and for the seconds."""
        file = self.folder / f"{name}.jsonl"
        async with Program(*self.recorder(file, command), take=shown) as program:
            end = None
            while end is None or time.monotonic() < end:
                before = shown.count()
                if not await program.until(lambda: shown.count() >= before + PORTION // 10):
                    raise Wrong(f"{command[0]}: {await program.complaints()}")
                if end is None:
                    await self.tell()
                    end = time.monotonic() + self.seconds
            if not shown.has_all():
                raise Wrong("there is not a value of everything")
            program.interrupt()
            code = await program.end()
            errors = await program.complaints()
        return file, code, errors

    async def tell(self):
        """Presses and releases keys, and lets the battery sink."""
        for char, value in (("ffe1", "01"), ("ffe1", "03"), ("ffe1", "00"), ("2a19", "4d"), ("2a19", "4c")):
            await self.control.do("notify", "tag2650", char=char, value=value)

    # Replaying

    @contextlib.asynccontextmanager
    async def replayed(self, file):
        """Plays a recording; the variable that names its bus."""
        command = ["env", f"XDG_RUNTIME_DIR={SHARED}", self.gatt, "simulate", "--replay", str(file), "--fast"]
        async with Program(*command) as program:
            if not await program.until(lambda: program.lines):
                raise Wrong(f"simulate: {await program.complaints()}")
            yield program.lines[0].strip()
            program.process.terminate()
            await program.end()

    async def replay(self, file, command, shown, recording):
        async with self.replayed(file) as bus, Program("env", bus, *command, take=shown) as program:
            is_complete = shown.is_complete(recording)
            while not is_complete():
                before = shown.count()
                try:
                    goes_on = await program.until(lambda: is_complete() or shown.count() >= before + PORTION)
                except TimeoutError:
                    break
                if not goes_on:
                    raise Wrong(f"{command[0]}: {await program.complaints()}")
            program.interrupt()
            await program.end()
        return shown.compare(recording)

    async def replay_to_bluetoothctl(self, file, recording):
        uuid = full(WATCHED[0])
        values, kept = recording.of(uuid), recording.of(uuid, recording.kept)
        async with self.replayed(file) as bus, Bluetoothctl(bus) as program:
            await program.until(lambda: any("Agent registered" in line for line in program.lines))
            await program.says("scan on", f"Device {ADDRESS}")
            await program.says(f"connect {ADDRESS}", "ServicesResolved: yes")
            program.type("menu gatt\n")
            program.type(f"select-attribute {uuid}\n")
            await program.says("notify on", "Notify started")
            for short, value in (WATCHED[2], PERIODS[WATCHED[2]]), (WATCHED[1], CONFIGURATIONS[WATCHED[1]]):
                program.type(f"select-attribute {full(short)}\n")
                octets = " ".join(f"0x{value[index:index + 2]}" for index in range(0, len(value), 2))
                await program.says(f'write "{octets}"', "Attempting to write")
            handle = next(handle for handle, each in recording.uuids.items() if each == uuid)
            while len(program.shown) <= len(kept):
                before = len(program.shown)
                try:
                    await program.until(lambda: len(program.shown) > min(len(kept), before + PORTION))
                except TimeoutError:
                    break
            program.type("quit\n")
            await program.end()
        shown = [value for each, value in program.shown if each == handle]
        compare(uuid, values, len(kept), shown)
        return f"{len(shown)} values of {WATCHED[0]}"

    async def play(self, name, file):
        """Each client gets a replay of its own."""
        recording = Recording(file)
        wrong = []
        for client, work in {
            "sensortag log": lambda: self.replay(file, self.log(), Readings(), recording),
            "bleak": lambda: self.replay(file, self.bleak(name), Values(), recording),
            "bluetoothctl": lambda: self.replay_to_bluetoothctl(file, recording),
        }.items():
            start = time.monotonic()
            try:
                told = await work()
                print(f"ok {time.monotonic() - start:5.1f} s  replay: {name}: {client}: {told}", flush=True)
            except (Wrong, TimeoutError) as error:
                wrong.append(f"{client}: {error!r}")
        if wrong:
            raise Wrong("; ".join(wrong))

    async def signals(self):
        """`sensortag log` is recorded; it subscribes with StartNotify."""
        shown = Readings()
        file, code, errors = await self.record("signals", self.log(), shown)
        await self.finish("signals", "signal", file, code == INTERRUPTED, errors, shown)

    async def sockets(self):
        """bleak is recorded, with AcquireNotify."""
        shown = Values()
        file, code, errors = await self.record("sockets", self.bleak("sockets"), shown)
        await self.finish("sockets", "socket", file, code == 0, errors, shown)

    async def finish(self, name, way, file, has_ended, errors, shown):
        if not has_ended:
            raise Wrong(f"the recorded program: {errors}")
        recording = Recording(file)
        if recording.ways != {way}:
            raise Wrong(f"the values came by {recording.ways}")
        told = shown.compare(recording, IN_FLIGHT)
        print(f"ok          replay: {name}: recorded {recording.kept} values, and {told} shown meanwhile", flush=True)
        await self.play(name, file)


async def main():
    programs, seconds, wanted = pathlib.Path(sys.argv[1]), float((sys.argv[2:] or ["20"])[0]), sys.argv[3:]
    failed = 0
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = os.environ["COREBLUEZ_TEST_BUS"]
    async with Control(os.environ["COREBLUEZ_TEST_CONTROL"]) as control:
        for part in wanted or ["signals", "sockets"]:
            await control.do("reset")
            start = time.monotonic()
            try:
                await getattr(Check(programs, control, seconds), part)()
                print(f"ok {time.monotonic() - start:5.1f} s  replay: {part}", flush=True)
            except Exception as error:  # what is wrong with one part does not keep the others from being checked
                failed += 1
                print(f"replay: {part}: {type(error).__name__}: {error}", flush=True)
    if failed:
        sys.exit(f"replay: {failed} parts failed")


if __name__ == "__main__":
    asyncio.run(main())
