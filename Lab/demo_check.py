"""Runs the sensortag demo in the guest and compares what it prints with what the tag has sent, value by value.

The formulas here are written down from TI's user guide, apart from the demo's: a mistake in one is a difference.
Usage: demo_check.py SENSORTAG [SECONDS]
"""

import asyncio
import json
import os
import subprocess
import sys

from control_client import Control

ADDRESS = "BC:6A:29:AB:AB:50"
# Names in the demo's JSON lines.
SENSOR, INFRARED, BAROMETER = "sensor", "temperature", "barometer"
FIELDS = {
    INFRARED: ("ambient_celsius", "object_celsius"),
    BAROMETER: ("temperature_celsius", "pressure_hpa"),
}
DATA = {"f000aa01": INFRARED, "f000aa41": BAROMETER}
CALIBRATION = "f000aa43"
LEAST_READINGS = 3
# The demo prints all digits: only the order of the arithmetic may differ.
TOLERANCE = 1e-6
# Notifications that were on their way when the demo stopped.
IN_FLIGHT = 2
LIMIT = 240.0


def signed(data, offset):
    return int.from_bytes(data[offset : offset + 2], "little", signed=True)


def unsigned(data, offset):
    return int.from_bytes(data[offset : offset + 2], "little")


def infrared(data):
    """Ambient and object temperature of a TMP006, in degrees Celsius."""
    ambient = signed(data, 2) / 128.0
    volts = signed(data, 0) * 0.15625e-6
    kelvin = ambient + 273.15
    difference = kelvin - 298.15
    sensitivity = 6.4e-14 * (1 + 1.75e-3 * difference - 1.678e-5 * difference**2)
    offset = -2.94e-5 - 5.7e-7 * difference + 4.63e-9 * difference**2
    seebeck = (volts - offset) + 13.4 * (volts - offset) ** 2
    radicand = kelvin**4 + seebeck / sensitivity
    return ambient, radicand**0.25 - 273.15 if radicand >= 0 else None


def barometer(data, calibration):
    """Temperature in degrees Celsius and pressure in hPa of a T5400; nothing while a half is missing."""
    raw_temperature, raw_pressure = signed(data, 0), unsigned(data, 2)
    if raw_pressure == 0:
        return None
    c1, c2, c3, c4 = (unsigned(calibration, 2 * index) for index in range(4))
    c5, c6, c7, c8 = (signed(calibration, 2 * index) for index in range(4, 8))
    temperature = c1 * raw_temperature / 2**24 + c2 / 2**10
    slope = c3 + c4 * raw_temperature / 2**17 + c5 * raw_temperature**2 / 2**34
    offset = c6 * 2**14 + c7 * raw_temperature / 2**3 + c8 * raw_temperature**2 / 2**19
    return temperature, (slope * raw_pressure + offset) / 2**14 / 100


def expected(entries):
    """The readings that the tag's log makes, by sensor."""
    readings = {INFRARED: [], BAROMETER: []}
    calibration = None
    for entry in entries:
        number, value = entry["char"][:8], bytes.fromhex(entry["value"])
        if entry["op"] == "read" and number == CALIBRATION and any(value):
            calibration = value
        sensor = DATA.get(number) if entry["op"] == "notify" else None
        if sensor == INFRARED and any(value):
            readings[sensor].append(infrared(value))
        elif sensor == BAROMETER and calibration is not None and (reading := barometer(value, calibration)):
            readings[sensor].append(reading)
    return readings


def printed(lines):
    """The readings that the demo printed, by sensor. Lines that are not readings are left out."""
    readings = {INFRARED: [], BAROMETER: []}
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            raise SystemExit(f"demo: not a JSON object: {line!r}") from None
        sensor = entry.get(SENSOR) if isinstance(entry, dict) else None
        if sensor in readings:
            readings[sensor].append(tuple(entry.get(name) for name in FIELDS[sensor]))
    return readings


def equal(one, other):
    if one is None or other is None:
        return one is other
    return abs(one - other) <= TOLERANCE


def differences(sensor, sent, shown):
    """What is wrong with a sensor's readings, in words."""
    if len(shown) < LEAST_READINGS:
        yield f"{sensor}: {len(shown)} readings printed, at least {LEAST_READINGS} expected"
    if not 0 <= len(sent) - len(shown) <= IN_FLIGHT:
        yield f"{sensor}: {len(sent)} readings sent, {len(shown)} printed"
    for index, (real, seen) in enumerate(zip(sent, shown)):
        for name, one, other in zip(FIELDS[sensor], real, seen):
            if not equal(one, other):
                yield f"{sensor} {index}: {name} sent as {one}, printed as {other}"
    if len(set(shown)) < 2:
        yield f"{sensor}: the readings never change"


async def main():
    program = sys.argv[1]
    seconds = sys.argv[2] if len(sys.argv) > 2 else "15"
    async with Control(os.environ["COREBLUEZ_TEST_CONTROL"]) as control:
        await control.do("reset")
        command = [program, "--json", "--duration", seconds, "--address", ADDRESS]
        run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=LIMIT)
        entries = (await control.do("log", "tag"))["entries"]
    print(run.stdout, end="")
    if run.returncode != 0:
        sys.exit(f"demo: exit code {run.returncode}")
    sent, shown = expected(entries), printed(run.stdout.splitlines())
    wrong = [each for sensor in FIELDS for each in differences(sensor, sent[sensor], shown[sensor])]
    for each in wrong:
        print(f"demo: {each}")
    if wrong:
        sys.exit(1)
    counts = ", ".join(f"{len(shown[sensor])} {sensor}" for sensor in FIELDS)
    print(f"demo: {counts} readings printed, all equal to those sent")


if __name__ == "__main__":
    asyncio.run(main())
