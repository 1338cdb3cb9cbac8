"""Runs the sensortag demo against both tags of the lab and compares what it prints with what the tags have sent.

Usage in the guest: demo_check.py SENSORTAG [COMMAND ...]
"""

import asyncio
import csv
import json
import os
import signal
import sys
import time

import demo_monitor
import demo_readings
from control_client import Control
from programs import Program, Terminal, run

TAGS = {
    "tag": {
        "address": "BC:6A:29:AB:AB:50",
        "advertised": "SensorTag",
        "readings": demo_readings.CC2541,
        "information": {
            "generation": "CC2541",
            "firmware": "1.5 (Oct 23 2013)",
            "model": "N.A.",
            "system_id": "bc:6a:29:00:00:ab:ab:50",
        },
    },
    "tag2650": {
        "address": "B0:B4:48:C0:26:50",
        "advertised": "CC2650 SensorTag",
        "readings": demo_readings.CC2650,
        "information": {
            "generation": "CC2650",
            "firmware": "1.50 (Feb  6 2018)",
            "model": "CC2650 SensorTag",
            "system_id": "b0:b4:48:00:00:c0:26:50",
        },
    },
}
# These report changes; the others measure.
TOLD = ("keys", "battery")
LEAST_READINGS = 3
# The demo prints all digits, but for tables: only the order of the arithmetic may differ.
TOLERANCE = 1e-6
# Tables have two decimals at least.
ROUNDING = 0.00501
# Notifications on their way when the demo was stopped.
IN_FLIGHT = 3
UNAVAILABLE = 69
# The program cleans up and dies of the signal.
INTERRUPTED = -signal.SIGINT


class Rounded(float):
    """A number of a table."""


def equal(one, other):
    if isinstance(one, float) and isinstance(other, (float, int)):
        return abs(one - other) <= (ROUNDING if isinstance(other, Rounded) else TOLERANCE)
    return one == other


def same(real, seen):
    return all(equal(value, seen.get(name, "nothing")) for name, value in real.items())


def from_json(line):
    entry = json.loads(line)
    return entry["sensor"], entry


class Table:
    """Reads the lines of a CSV file; the header comes first."""

    header = None

    def __call__(self, line):
        fields = next(csv.reader([line]))
        if self.header is None:
            self.header = fields
            return None, None
        values = dict(zip(self.header, fields))
        reading = {name: Rounded(values[name]) for name in self.header[3:] if values[name]}
        if values["sensor"] == "temperature":
            reading.setdefault("object_celsius", None)
        return values["sensor"], reading


class Check:
    """The commands, one method each, on one tag."""

    def __init__(self, program, control, peer):
        self.program = program
        self.control = control
        self.peer = peer
        self.tag = TAGS[peer]
        self.names = [name for name, _, _ in self.tag["readings"].values()]
        self.wrong = []

    def expect(self, truth, text):
        if not truth:
            self.wrong.append(text)

    async def log(self):
        return (await self.control.do("log", self.peer))["entries"]

    async def sent(self):
        return demo_readings.sent(self.tag["readings"], await self.log())

    def compare(self, sent, before, shown):
        """What is shown of a sensor is what was sent, from the first on, up to where the demo was stopped."""
        for name in self.names:
            real, seen = sent[name], shown[name]
            if name in TOLD:
                # bluetoothd subscribes to the battery before the demo does: the first values may be missing.
                starts = range(len(real) - len(seen) + 1)
                fits = any(all(map(same, real[start:], seen)) for start in starts)
                self.expect(seen and fits, f"{name}: sent {real}, shown {seen}")
                continue
            counts = f"{len(before[name])} sent, {len(real)} at the end, {len(seen)} shown"
            self.expect(len(seen) >= LEAST_READINGS, f"{name}: {counts}")
            self.expect(len(before[name]) - IN_FLIGHT <= len(seen) <= len(real), f"{name}: {counts}")
            for index, (one, other) in enumerate(zip(real, seen)):
                self.expect(same(one, other), f"{name} {index}: sent {one}, shown {other}")
            self.expect(len(set(map(str, seen))) > 1, f"{name}: the readings never change")

    async def tell(self):
        """Presses and releases keys, and lets the battery sink, while the demo listens."""
        for value in ("01", "03", "02", "00"):
            answer = await self.control.do("notify", self.peer, char="ffe1", value=value)
            self.expect(answer["sent"] == 1, "nobody is subscribed to the keys")
        if "battery" in self.names:
            for value in ("4d", "67"):
                await self.control.do("notify", self.peer, char="2a19", value=value)

    async def record(self, command, parse, least=LEAST_READINGS):
        """Lets a command show some readings of every sensor, keys and battery too; then stops it."""
        shown = {name: [] for name in self.names}

        def take(line):
            sensor, reading = parse(line)
            if sensor in shown:
                shown[sensor].append(reading)

        async with Program(self.program, *command, take=take) as program:
            await program.until(lambda: all(len(shown[name]) >= least for name in self.names if name not in TOLD))
            await self.tell()
            await program.until(lambda: len(shown["keys"]) >= 4 and all(shown.values()))
            before = await self.sent()
            program.interrupt()
            code = await program.end()
            errors = await program.complaints()
        self.expect(code == INTERRUPTED, f"exit code {code}: {errors}")
        self.compare(await self.sent(), before, shown)
        return ", ".join(f"{len(shown[name])} {name}" for name in self.names)

    async def do_print(self):
        """All sensors as JSON lines."""
        command = ["print", "--json", "--sensor", "all", "--address", self.tag["address"]]
        return await self.record(command, from_json)

    async def do_log(self):
        """A table at the shortest periods, until there is a second of it."""
        command = ["log", self.tag["address"], "--csv", "-", "--period", "shortest"]
        summary = await self.record(command, Table(), 10)
        written = {entry["char"][:8]: entry["value"] for entry in await self.log() if entry["op"] == "write"}
        for number, period in (("f000aa03", "1e"), ("f000aa23", "0a"), ("f000aa44", "0a")):
            self.expect(written.get(number) == period, f"the period {number} is {written.get(number)}")
        return summary

    async def do_read(self):
        """The first reading of each sensor."""
        code, lines, errors = await run(self.program, "read", self.tag["address"], "--json")
        self.expect(code == 0, f"exit code {code}: {errors}")
        sent, shown = await self.sent(), dict(map(from_json, lines))
        for name in self.names:
            if name != "keys":
                fits = sent[name] and same(sent[name][0], shown.get(name, {}))
                self.expect(fits, f"{name}: sent {sent[name][:2]}, shown {shown.get(name)}")
        self.expect(len(lines) == len(shown), "a sensor was shown twice")
        return f"{len(lines)} readings"

    async def do_info(self):
        """What the tag says about itself."""
        code, lines, errors = await run(self.program, "info", self.tag["address"], "--json")
        self.expect(code == 0, f"exit code {code}: {errors}")
        shown = json.loads(lines[0]) if lines else {}
        wanted = {
            "device": self.tag["address"],
            "manufacturer": "Texas Instruments",
            "serial_number": "N.A.",
            "temperature_period_milliseconds": 1000,
            "interval_milliseconds": 100,
            "supervision_timeout_milliseconds": 10000,
            **self.tag["information"],
        }
        for name, value in wanted.items():
            self.expect(shown.get(name) == value, f"{name}: {value!r} expected, {shown.get(name)!r} shown")
        self.expect(set(shown.get("sensors", "").split()) == set(self.names), f"sensors: {shown.get('sensors')}")
        if "battery" in self.names:
            levels = [each["percent"] for each in (await self.sent())["battery"]]
            self.expect(shown.get("battery_percent") in levels, f"battery: {shown.get('battery_percent')} of {levels}")
        return f"{len(shown)} fields"

    async def do_identify(self):
        """LEDs and buzzer of the CC2650, in the order that is safe; the CC2541 cannot."""
        code, _, errors = await run(self.program, "identify", self.tag["address"], "--duration", "3")
        if self.peer == "tag":
            self.expect(code == UNAVAILABLE, f"exit code {code}: {errors}")
            return "refused"
        self.expect(code == 0, f"exit code {code}: {errors}")
        entries = [(each["op"], each["char"][4:8], int(each["value"], 16)) for each in await self.log()]
        writes = [each[1:] for each in entries if each[0] == "write" and each[1] in ("aa65", "aa66")]
        self.expect(writes[:2] == [("aa65", 0), ("aa66", 1)], f"the first writes are {writes[:2]}")
        self.expect(writes[-1:] == [("aa66", 0)], f"the last write is {writes[-1:]}")
        # Bit 0 is the red LED, bit 1 the green one, bit 2 the buzzer; bit 3 would erase the flash memory.
        outputs = [value for operation, _, value in entries if operation == "outputs"]
        self.expect(outputs[:1] == [0] and outputs[-1:] == [0], f"the outputs are {outputs}")
        self.expect({1, 2, 5, 6} == set(outputs) - {0}, f"the outputs are {outputs}")
        return f"{len(outputs)} changes of LEDs and buzzer"

    async def do_monitor(self):
        """The screen's values, a sensor switched off by its key, the end by q or Ctrl-C, the terminal after it."""
        seen = {row: set() for name in self.names for row in demo_monitor.rows(name)}
        measured = [row for row in seen if row not in TOLD]

        def look():
            for line in terminal.screen.values():
                row = demo_monitor.shown(line)
                if row is not None:
                    seen[row[0]].add(row[1])

        def wait(condition):
            def check():
                look()
                return condition()

            return terminal.until(check)

        def is_off():
            return any(line.split()[:3] == ["1", "temperature", "off"] for line in terminal.screen.values())

        async with Terminal(self.program, "monitor", self.tag["address"]) as terminal:
            self.expect(await wait(lambda: all(len(seen[row]) >= 2 for row in measured)), f"no values: {seen}")
            await self.tell()
            self.expect(await wait(lambda: seen["keys"]), "no key was shown")
            terminal.type("1")
            self.expect(await wait(is_off), f"the first sensor stays on: {terminal.screen}")
            key, wanted = ("q", 0) if self.peer == "tag" else ("\x03", INTERRUPTED)
            terminal.type(key)
            code = await terminal.end()
            self.expect(code == wanted, f"exit code {code}")
            self.expect(terminal.is_restored(), "the terminal is not as it was")
        sent = demo_monitor.expected(await self.sent())
        for row in seen:
            for each in seen[row]:
                fits = any(demo_monitor.near(row, each, real) for real in sent[row])
                self.expect(fits, f"{row}: {each} shown, but not sent")
        return ", ".join(f"{len(each)} {row}" for row, each in seen.items())

    async def do_scan(self):
        """Both tags, with name and generation, whichever this check is for."""
        found = {}

        def take(line):
            entry = json.loads(line)
            found.setdefault(entry["device"], {}).update(entry)

        def is_complete():
            return all(found.get(each["address"], {}).get("name") == each["advertised"] for each in TAGS.values())

        async with Program(self.program, "scan", "--json", take=take) as program:
            await program.until(is_complete)
            program.interrupt()
            self.expect(await program.end() == INTERRUPTED, f"exit code {program.process.returncode}")
        for each in TAGS.values():
            shown = found.get(each["address"], {})
            self.expect(shown.get("generation") == each["information"]["generation"], f"{each['address']}: {shown}")
            self.expect(shown.get("rssi_dbm") == -50, f"{each['address']}: {shown}")
        self.expect(len(found) == len(TAGS), f"found {found}")
        return f"{len(found)} tags"


async def main():
    program, wanted = sys.argv[1], sys.argv[2:]
    commands = {peer: ["info", "read", "print", "log", "monitor", "identify"] for peer in TAGS}
    commands["tag"].insert(0, "scan")
    wrong = 0
    async with Control(os.environ["COREBLUEZ_TEST_CONTROL"]) as control:
        for peer, command in [(peer, each) for peer in commands for each in commands[peer]]:
            if wanted and command not in wanted:
                continue
            check = Check(program, control, peer)
            await control.do("reset")
            start = time.monotonic()
            try:
                summary = await getattr(check, "do_" + command)()
            except Exception as error:  # what is wrong with one command does not keep the others from being checked
                check.wrong.append(f"{type(error).__name__}: {error}")
            for each in check.wrong:
                print(f"demo: {command} {peer}: {each}", flush=True)
            if not check.wrong:
                print(f"ok {time.monotonic() - start:5.1f} s  {command} {peer}: {summary}", flush=True)
            wrong += len(check.wrong)
    if wrong:
        sys.exit(f"demo: {wrong} differences")


if __name__ == "__main__":
    asyncio.run(main())
