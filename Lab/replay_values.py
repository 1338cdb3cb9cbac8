"""What a recording of the SensorTag has, and what a client of its replay has shown."""

import json

import demo_readings
from demo_check import TAGS, Table, same
from replay_client import DATA, full

ADDRESS = TAGS["tag2650"]["address"]


class Wrong(Exception):
    """What happened is not what should have."""


def errors(path):
    """The errors in a recording, in order."""
    with open(path, encoding="utf-8") as file:
        return [event["error"] for event in map(json.loads, file) if "error" in event]


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
                    if self.kept is None and not int(value, 16):
                        self.kept = len(self.values)
                case {"event": "value", "handle": handle, "value": value, "by": way} if handle in subscribed:
                    self.take("notify", handle, value)
                    self.values.append((self.uuids[handle], value))
                    self.ways.add(way)
        if self.kept is None:
            self.kept = len(self.values)

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
    """Takes the lines of the client with bleak.

    By sockets, there is no order across characteristics, because each has a socket of its own.
    """

    def __init__(self, way):
        self.way = way
        self.shown = []

    def __call__(self, line):
        uuid, value = line.split()
        self.shown.append((uuid, value))

    def count(self):
        return len(self.shown)

    def has_all(self):
        return {uuid for uuid, _ in self.shown} == set(map(full, DATA))

    def compare(self, recording, in_flight=0):
        if self.way == "signals":
            compare("value", recording.values, recording.kept - in_flight, self.shown)
        for uuid in map(full, DATA):
            shown = [value for each, value in self.shown if each == uuid]
            compare(uuid, recording.of(uuid), len(recording.of(uuid, recording.kept)) - in_flight, shown)
        return f"{self.count()} values"

    def is_complete(self, recording):
        return lambda: len(self.shown) >= recording.kept
