"""A SensorTag, recorded from bluetoothd with `gatt record`, replays to CoreBlueZ, bleak and bluetoothctl: each gets the
recorded values in the recorded order. Recorded failures happen again with the same messages.

One recording is by signals, of `sensortag log`, and one by the sockets of AcquireNotify, of bleak. What is compared is
every value that came after its characteristic's subscription and before the recorded program began to switch the
sensors off. bleak must get all of them in the order of the recording, also across characteristics if they come by
signals; `sensortag log` those of each sensor, as readings; bluetoothctl those of the movement sensor. What comes to a
client after them must be what the recording has next.

Usage in the guest: replay_check.py PROGRAMS [SECONDS [PART ...]]; PROGRAMS is the folder of gatt and sensortag, and the
SECONDS, 20 if not given, are those of each recording.
"""

import asyncio
import contextlib
import os
import pathlib
import re
import sys
import time

from control_client import Control
from demo_check import INTERRUPTED
from gatt_check import ATT_ERROR, DONE, NOT_IN_TIME, PERMISSION
from programs import LIMIT, Program, Terminal, run
from replay_client import CONFIGURATIONS, PERIODS, full
from replay_values import ADDRESS, Readings, Recording, Values, Wrong, compare, errors
from serve_check import IN_FLIGHT
from transcript import probe_uuid

CLIENT = pathlib.Path(__file__).resolve().parent / "replay_client.py"
# bluetoothctl runs in the folder of another root, which has this directory, too.
SHARED = "/run"
# The exit code of `gatt` for a link that is lost.
NO_LINK = 68
# How many values may be waited for at once: `until` has a limit.
PORTION = 100
# The characteristic that bluetoothctl subscribes to, whose values take two lines, and what is written to others.
WATCHED = "aa81"
SWITCHING = {"aa83": PERIODS["aa83"], "aa82": CONFIGURATIONS["aa82"]}


class Bluetoothctl(Terminal):
    """bluetoothctl of the suite, whose lines with values are kept as they come."""

    VALUE = re.compile(r"Attribute (\S+) Value:")
    ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x01\x02]")
    # The digits of at most 16 bytes; their characters follow.
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
        if self.VALUE.search(line):
            self.shown.append("")
            self.is_value = True
        elif self.is_value and (found := self.DIGITS.match(line)):
            self.shown[-1] += found[1].replace(" ", "")
        else:
            self.is_value = False
            self.lines.append(line)

    async def begin(self):
        await self.until(lambda: any("Agent registered" in line for line in self.lines))

    async def says(self, command, text):
        """Types a command, and waits for what the program says to it."""
        self.lines.clear()
        self.type(command + "\n")
        try:
            if await self.until(lambda: any(text in line for line in self.lines)):
                return
        except TimeoutError:
            pass
        raise Wrong(f"bluetoothctl: {command}: no {text!r}, but {self.lines[-9:]}")


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
        """Records a program for the seconds, and until there is a value of everything."""
        file = self.folder / f"{name}.jsonl"
        async with Program(*self.recorder(file, command), take=shown) as program:

            async def wait(condition):
                if not await program.until(condition):
                    raise Wrong(f"{command[0]}: {await program.complaints()}")

            await wait(lambda: shown.count() > 0)
            end = time.monotonic() + self.seconds
            while time.monotonic() < end:
                before = shown.count()
                await wait(lambda: shown.count() > before)
            await self.tell()
            await wait(shown.has_all)
            program.interrupt()
            return file, await program.end(), await program.complaints()

    async def tell(self):
        """Presses and releases keys, and lets the battery sink."""
        for char, value in (("ffe1", "01"), ("ffe1", "03"), ("ffe1", "00"), ("2a19", "4d"), ("2a19", "4c")):
            await self.control.do("notify", "tag2650", char=char, value=value)

    # Replaying

    @contextlib.asynccontextmanager
    async def replayed(self, file):
        """Plays a recording; the variable that names its bus. Afterwards, `reports` has what the recording lacked."""
        command = ["env", f"XDG_RUNTIME_DIR={SHARED}", self.gatt, "simulate", "--replay", str(file), "--fast"]
        async with Program(*command) as program:
            if not await program.until(lambda: program.lines):
                raise Wrong(f"simulate: {await program.complaints()}")
            yield program.lines[0].strip()
            program.process.terminate()
            await program.end()
            self.reports = await program.complaints()

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
        """One subscribes. Another one writes, because it shows values of the selected characteristic only."""
        values, kept = recording.of(full(WATCHED)), recording.of(full(WATCHED), recording.kept)
        digits = sum(map(len, kept))
        async with self.replayed(file) as bus, Bluetoothctl(bus) as program:
            await program.begin()
            await program.says("scan on", f"Device {ADDRESS}")
            await program.says(f"connect {ADDRESS}", "ServicesResolved: yes")
            await program.says("menu gatt", "select-attribute")
            program.type(f"select-attribute {full(WATCHED)}\n")
            await program.says("notify on", "Notify started")
            async with Bluetoothctl(bus) as writer:
                await writer.begin()
                await writer.says("menu gatt", "select-attribute")
                for short, value in SWITCHING.items():
                    writer.type(f"select-attribute {full(short)}\n")
                    octets = " ".join(f"0x{octet:02x}" for octet in bytes.fromhex(value))
                    await writer.says(f'write "{octets}"', "Attempting to write")
                writer.type("quit\n")
                await writer.end()
            def is_complete():
                return sum(map(len, program.shown)) >= digits

            with contextlib.suppress(TimeoutError):
                while not is_complete():
                    before = len(program.shown)
                    await program.until(lambda: is_complete() or len(program.shown) >= before + PORTION)
            program.type("quit\n")
            await program.end()
        compare(WATCHED, values, len(kept), program.shown)
        return f"{len(program.shown)} values of {WATCHED}"

    async def play(self, name, file, recorded):
        """Each client gets a replay of its own."""
        recording = Recording(file)
        clients = {
            "sensortag log": lambda: self.replay(file, self.log(), Readings(), recording),
            "bleak, signals": lambda: self.replay(file, self.bleak("signals"), Values("signals"), recording),
            "bleak, sockets": lambda: self.replay(file, self.bleak("sockets"), Values("sockets"), recording),
            "bluetoothctl": lambda: self.replay_to_bluetoothctl(file, recording),
        }
        wrong = []
        for client, work in clients.items():
            start = time.monotonic()
            try:
                told = await work()
                if client == recorded and self.reports:
                    raise Wrong(f"{self.reports!r} about the recorded program itself")
                print(f"ok {time.monotonic() - start:5.1f} s  replay: {name}: {client}: {told}", flush=True)
            except (Wrong, TimeoutError) as error:
                wrong.append(f"{client}: {error!r}")
        if wrong:
            raise Wrong("; ".join(wrong))

    async def values(self, name, way, recorded, command, statuses, shown):
        file, code, complaints = await self.record(name, command, shown)
        if code not in statuses:
            raise Wrong(f"the recorded program: status {code}: {complaints}")
        recording = Recording(file)
        if recording.ways != {way}:
            raise Wrong(f"the values came by {recording.ways}")
        told = shown.compare(recording, IN_FLIGHT)
        print(f"ok          replay: {name}: {len(recording.values)} values recorded, {told} shown", flush=True)
        await self.play(name, file, recorded)

    async def signals(self):
        """`sensortag log` is recorded; it subscribes with StartNotify."""
        # It gives the tag five seconds to be switched off, which may be too few in the guest.
        await self.values("signals", "signal", "sensortag log", self.log(), (INTERRUPTED, NOT_IN_TIME), Readings())

    async def sockets(self):
        """bleak is recorded, with AcquireNotify."""
        await self.values("sockets", "socket", "bleak, sockets", self.bleak("sockets"), (DONE,), Values("sockets"))

    # Failures

    async def failure(self, name, status, *arguments, when_connected=None):
        """Records a command of `gatt` that fails, and records it again on the replay: the same messages and errors."""
        command = [self.gatt, *arguments, "--timeout", str(int(LIMIT))]
        first, second = (self.folder / f"{name}{number}.jsonl" for number in ("", "-again"))
        first.unlink(missing_ok=True)
        async with Program(*self.recorder(first, command)) as program:
            if when_connected is not None:
                async with asyncio.timeout(LIMIT):
                    while not first.exists() or '"event":"connected"' not in first.read_text():
                        await asyncio.sleep(0.02)
                await when_connected()
            ends = [(await program.end(), await program.complaints(), errors(first))]
        async with self.replayed(first) as bus:
            code, _, complaints = await run("env", bus, *self.recorder(second, command))
            ends.append((code, complaints, errors(second)))
        if ends[0][0] != status or ends[0] != ends[1] or self.reports:
            raise Wrong(f"status {status} expected; recorded: {ends[0]}; replayed: {ends[1]}, {self.reports!r}")
        print(f"            replay: {name}: {ends[0][1].splitlines()[-1]}", flush=True)

    async def loss(self):
        """The link is lost while bluetoothd discovers the services."""

        async def vanish():
            await self.control.do("vanish", "tag2650")

        await self.failure("loss", NO_LINK, "read", ADDRESS, "2A26", "--retries", "0", when_connected=vanish)
        if '"resolved":true' in (self.folder / "loss.jsonl").read_text():
            raise Wrong("the services were discovered before the link was lost")

    async def error(self):
        """An ATT error."""
        await self.control.do("fail", "probe", char=probe_uuid(1), op="read", att=0x80)
        await self.failure("error", ATT_ERROR, "read", "CoreBlueZ Probe", probe_uuid(1))

    async def refusal(self):
        """The device refuses to pair."""
        await self.control.do("advertise", "lock", on=True)
        await self.control.do("pairing", "lock", accept=False)
        await self.failure("refusal", PERMISSION, "pair", "Lab Lock")


async def main():
    programs, seconds, wanted = pathlib.Path(sys.argv[1]), float((sys.argv[2:] or ["20"])[0]), sys.argv[3:]
    failed = 0
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = os.environ["COREBLUEZ_TEST_BUS"]
    async with Control(os.environ["COREBLUEZ_TEST_CONTROL"]) as control:
        for part in wanted or ["signals", "sockets", "loss", "error", "refusal"]:
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
