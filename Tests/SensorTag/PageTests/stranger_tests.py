"""The page under strangers that take what they can get."""

import csv
import io
import os
import signal
import time

from flood import Flood
from programs import Page, Program, Simulator, wait_until

TAG = "BC:6A:29:AB:AB:50"


class Log(Program):
    """`sensortag log` on the same tag: what a recording has to have."""

    def __init__(self, programs, file, bus):
        self.file = file
        super().__init__(
            ["sh", "-c", 'echo ready; exec "$0" "$@"', os.path.join(programs, "sensortag"), "log", TAG, "--csv", file],
            "ready", bus)

    def lines(self):
        """The complete lines so far."""
        try:
            with open(self.file, encoding="utf-8") as file:
                return file.read().split("\n")[:-1]
        except FileNotFoundError:
            return []


def readings(lines):
    """The readings of each sensor in CSV, without their times."""
    result = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines))):
        values = tuple(value for key, value in row.items() if key != "time")
        result.setdefault(row["sensor"], []).append(values)
    return result


def position(part, whole):
    """Where a list occurs in another one; None if it does not."""
    return next((start for start in range(len(whole) - len(part) + 1) if whole[start:start + len(part)] == part), None)


def a_flood_leaves_the_owner_in_peace(browser, programs):
    with Simulator(programs, "cc2541") as simulator, Page(programs, environment=simulator.bus, files=1024) as page:
        wait_until(lambda: page.command(tag=TAG, action="connect") == 202, "the tag")
        wait_until(lambda: page.command(tag=TAG, action="record", isOn=True) == 202, "the recording")
        for sensor in ("accelerometer", "humidity", "barometer"):
            page.command(tag=TAG, action="period", sensor=sensor, milliseconds=200)
        with Log(programs, os.path.join(simulator.folder.name, "log.csv"), simulator.bus) as log:
            wait_until(lambda: len(log.lines()) > 20, "readings in the log")
            with Flood(page.host, 10_000) as flood:
                wait_until(lambda: flood.attempts > 1000, "the flood")
                slowest = 0
                for _ in range(3):
                    start = time.monotonic()
                    browser.visit(page.url)
                    wait_until(lambda: "hPa" in browser.text('[data-value="pressure_hpa"]'), "the owner's values")
                    slowest = max(slowest, time.monotonic() - start)
                wait_until(lambda: flood.attempts == 10_000, "the end of the flood", 120)
                assert len(os.listdir(f"/proc/{page.process.pid}/fd")) < 400, "connections are limited"
                count = len(log.lines())
                wait_until(lambda: len(log.lines()) > count + 20, "readings in the log after the flood")
            assert log.stop() == -signal.SIGINT
            logged = readings(log.lines())
        wait_until(lambda: page.command(tag=TAG, action="record", isOn=False) == 202, "the end of the recording")
        status, text, _ = page.request(f"/recordings/{TAG.replace(':', '')}.csv")
        assert status == 200
        recorded = readings(text.splitlines())
        for sensor in ("accelerometer", "humidity", "barometer"):
            # The first ones may have come before the other program was there, and the last ones while it left.
            part = logged[sensor][2:-2]
            assert len(part) > 20 and position(part, recorded[sensor]) is not None, (
                f"the recording lacks readings of {sensor}: {len(part)} logged, {len(recorded[sensor])} recorded")
        print(f"  10,000 connections, the owner's slowest page {slowest:.1f} s, "
              f"{sum(map(len, logged.values()))} readings compared", flush=True)


def few_open_files_are_enough(_, programs):
    with Page(programs, "--simulate=cc2541", files=64) as page, Flood(page.host, 200) as flood:
        wait_until(lambda: flood.attempts == 200, "the flood")
        wait_until(lambda: page.request("/")[0] == 200, "the page")
        wait_until(lambda: page.command(tag=TAG, action="connect") == 202, "a command")


TESTS = [a_flood_leaves_the_owner_in_peace, few_open_files_are_enough]
