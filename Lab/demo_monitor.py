"""The rows of the demo's monitor: what they show, and what the readings of a tag make of them."""

import re

# The columns of the table, and how the line of a sensor that has a reading ends: with its age.
NAME, VALUE = slice(3, 18), slice(18, 56)
AGE = re.compile(r"\d (s|min)$")

AXES = ("x", "y", "z")
LABELS = {
    "temperature": ("object", "ambient"),
    "humidity": ("humidity", "air"),
    "barometer": ("pressure", "air"),
    "accelerometer": AXES,
    "gyroscope": AXES,
    "magnetometer": AXES,
    "optical": ("light",),
    "battery": ("level",),
}
FIELDS = {
    "temperature": ("object_celsius", "ambient_celsius"),
    "humidity": ("relative_humidity_percent", "temperature_celsius"),
    "barometer": ("pressure_hpa", "temperature_celsius"),
    "accelerometer": ("x_g", "y_g", "z_g"),
    "gyroscope": ("x_degrees_per_second", "y_degrees_per_second", "z_degrees_per_second"),
    "magnetometer": ("x_microtesla", "y_microtesla", "z_microtesla"),
    "optical": ("lux",),
    "battery": ("percent",),
    "keys": ("left", "right"),
}


def rows(sensor):
    """The rows of a sensor, with the beginning of their fields' names."""
    if sensor == "movement":
        return {row: f"{row}_" for row in ("accelerometer", "gyroscope", "magnetometer")}
    return {sensor: ""}


def shown(line):
    """Name and values of a line of the screen; None for a line that has none, and for a part of a line."""
    name, text = line[NAME].strip(), line[VALUE]
    if not AGE.search(line):
        return None
    if name == "keys":
        return name, ("[left]" in text, "[right]" in text)
    found = re.findall(r"(\w+) +(-?[\d.]+|-)(?= |$)", text)
    if not found or tuple(label for label, _ in found) != LABELS.get(name):
        return None
    return name, tuple(None if number == "-" else float(number) for _, number in found)


def expected(readings):
    """The values that the readings put into the rows."""
    result = {}
    for sensor, each in readings.items():
        for row, prefix in rows(sensor).items():
            result[row] = [tuple(reading[prefix + field] for field in FIELDS[row]) for reading in each]
    return result


def near(row, seen, real):
    """Whether a value is the other, rounded to what the screen shows."""
    reach = 0.501 if row == "battery" else 0.00501
    return all(one == other if None in (one, other) else abs(one - other) <= reach for one, other in zip(seen, real))
