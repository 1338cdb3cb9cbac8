"""Tags and readings that tests and pictures share: one of each generation, with three minutes behind it."""

import math

from stage import sensor, tag

FIRST = "BC:6A:29:AB:AB:50"
SECOND = "B0:B4:48:AB:AB:50"
OLD = ["temperature", "accelerometer", "humidity", "magnetometer", "barometer", "gyroscope", "keys"]
NEW = ["temperature", "humidity", "barometer", "movement", "optical", "battery", "keys"]


def tags(**more):
    """Both tags, connected, and one that is not."""
    return [tag(FIRST, "Kitchen", *OLD, **{"generation": "CC2541", **more}),
            tag(SECOND, "CC2650 SensorTag", *NEW, outputs=["red"], **more),
            tag("B0:B4:48:00:00:09", "SensorTag in the cellar", link="seen")]


def troubled_tag():
    """A tag that has everything at once: a long name, a failure, a sensor that is off, a recording and a message."""
    failed = sensor("temperature", "failed", reason="The tag refuses: ATT error 14, unlikely error")
    return tag(SECOND, "Living room, on the shelf behind the large television set", failed, sensor("humidity", "off"),
               *NEW[2:], outputs=["red"], notice="Calibrated: barometer",
               recording={"isOn": True, "count": 120, "path": "/recordings/B0B448ABAB50.csv"})


def wave(time, height, length, middle):
    return middle + height * math.sin(time / length) + height * 0.05 * math.sin(time * 3.7)


def vector(prefix, unit, time, height):
    return {f"{prefix}{axis}_{unit}": wave(time + place * 7, height, 9 + place * 3, height * (place == 2))
            for place, axis in enumerate("xyz")}


def values(name, time):
    """The values of a sensor at a time."""
    air = {"temperature_celsius": wave(time, 0.2, 40, 22.5)}
    return {
        "temperature": {"ambient_celsius": wave(time, 0.3, 30, 22.7), "object_celsius": wave(time, 4, 20, 31)},
        "humidity": {**air, "relative_humidity_percent": wave(time, 3, 25, 46)},
        "barometer": {**air, "pressure_hpa": wave(time, 0.4, 25, 1013.25)},
        "accelerometer": vector("", "g", time, 1),
        "gyroscope": vector("", "degrees_per_second", time, 30),
        "magnetometer": vector("", "microtesla", time, 45),
        "movement": {**vector("accelerometer_", "g", time, 1),
                     **vector("gyroscope_", "degrees_per_second", time, 30),
                     **vector("magnetometer_", "microtesla", time, 45)},
        "optical": {"lux": wave(time, 120, 15, 400)},
        "battery": {"percent": 98 - time // 100},
        "keys": {"left": time % 2 == 0, "right": False},
    }[name]


def readings(start=0, end=200):
    """The readings of both tags in a time, a second apart. There are none in a part of it, for a gap in the graphs."""
    rare = {"battery": 30, "keys": 6}
    return [(identifier, name, time, values(name, time))
            for time in range(start, end) if not 90 < time < 110
            for identifier, names in ((FIRST, OLD), (SECOND, NEW))
            for name in names if time % rare.get(name, 1) == 0]
