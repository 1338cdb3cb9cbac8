"""What the notifications of a SensorTag mean, written down from TI's user guides and the chips' data sheets.

Apart from the demo and from the lab's tags: a mistake in one of the three is a difference. A reading is a dictionary of
the names that the demo's JSON objects have.
"""


def signed(data, offset, size=2):
    return int.from_bytes(data[offset : offset + size], "little", signed=True)


def unsigned(data, offset, size=2):
    return int.from_bytes(data[offset : offset + size], "little")


def axes(values, unit, prefix=""):
    return {f"{prefix}{axis}_{unit}": value for axis, value in zip("xyz", values)}


def tmp006(data, state):
    """Object and ambient temperature; no object if the radicand is negative."""
    ambient = signed(data, 2) / 128.0
    volts = signed(data, 0) * 0.15625e-6
    kelvin = ambient + 273.15
    difference = kelvin - 298.15
    sensitivity = 6.4e-14 * (1 + 1.75e-3 * difference - 1.678e-5 * difference**2)
    offset = -2.94e-5 - 5.7e-7 * difference + 4.63e-9 * difference**2
    seebeck = (volts - offset) + 13.4 * (volts - offset) ** 2
    radicand = kelvin**4 + seebeck / sensitivity
    return {"ambient_celsius": ambient, "object_celsius": radicand**0.25 - 273.15 if radicand >= 0 else None}


def kxtj9(data, state):
    """A signed byte an axis, in the range that was written to the configuration (firmware 1.5)."""
    reach = {1: 8, 2: 4, 3: 2}[state["f000aa12"][0]]
    return axes([signed(data, index, 1) * reach / 128 for index in range(3)], "g")


def sht21(data, state):
    humidity = unsigned(data, 2) & 0xFFFC
    return {
        "temperature_celsius": -46.85 + 175.72 * unsigned(data, 0) / 65536,
        "relative_humidity_percent": -6 + 125 * humidity / 65536,
    }


def mag3110(data, state):
    return axes([signed(data, offset) * 2000 / 65536 for offset in (0, 2, 4)], "microtesla")


def t5400(data, state):
    """Nothing before the calibration was read, and while the pressure is missing."""
    calibration = state.get("f000aa43", b"")
    raw_temperature, raw_pressure = signed(data, 0), unsigned(data, 2)
    if not any(calibration) or raw_pressure == 0:
        return None
    c1, c2, c3, c4 = (unsigned(calibration, 2 * index) for index in range(4))
    c5, c6, c7, c8 = (signed(calibration, 2 * index) for index in range(4, 8))
    slope = c3 + c4 * raw_temperature / 2**17 + c5 * raw_temperature**2 / 2**34
    offset = c6 * 2**14 + c7 * raw_temperature / 2**3 + c8 * raw_temperature**2 / 2**19
    return {
        "temperature_celsius": c1 * raw_temperature / 2**24 + c2 / 2**10,
        "pressure_hpa": (slope * raw_pressure + offset) / 2**14 / 100,
    }


def imu3000(data, state):
    return axes([signed(data, offset) * 500 / 65536 for offset in (0, 2, 4)], "degrees_per_second")


def keys(data, state):
    return {"left": bool(data[0] & 1), "right": bool(data[0] & 2)}


def tmp007(data, state):
    """14 bits with a sign in the upper part; bit 0 of the object's word says that it is invalid."""
    visible = data[0] & 1 == 0
    return {
        "ambient_celsius": (signed(data, 2) >> 2) * 0.03125,
        "object_celsius": (signed(data, 0) >> 2) * 0.03125 if visible else None,
    }


def hdc1000(data, state):
    return {
        "temperature_celsius": unsigned(data, 0) * 165 / 65536 - 40,
        "relative_humidity_percent": (unsigned(data, 2) & 0xFFFC) * 100 / 65536,
    }


def bmp280(data, state):
    return {"temperature_celsius": signed(data, 0, 3) / 100, "pressure_hpa": unsigned(data, 3, 3) / 100}


def opt3001(data, state):
    word = unsigned(data, 0)
    return {"lux": 0.01 * (word & 0xFFF) * 2 ** (word >> 12)}


def mpu9250(data, state):
    """Gyroscope, accelerometer, magnetometer; bits 8 and 9 of the configuration are the range."""
    reach = (2, 4, 8, 16)[unsigned(state["f000aa82"], 0) >> 8 & 3]
    words = [signed(data, offset) for offset in range(0, 18, 2)]
    return {
        **axes([word * reach / 32768 for word in words[3:6]], "g", "accelerometer_"),
        **axes([word * 500 / 65536 for word in words[:3]], "degrees_per_second", "gyroscope_"),
        **axes([word * 4912 / 32760 for word in words[6:]], "microtesla", "magnetometer_"),
    }


def battery(data, state):
    return {"percent": min(data[0], 100)}


# The demo's name of the sensor, the length of its data and the formula, by the beginning of the UUID.
CC2541 = {
    "f000aa01": ("temperature", 4, tmp006),
    "f000aa11": ("accelerometer", 3, kxtj9),
    "f000aa21": ("humidity", 4, sht21),
    "f000aa31": ("magnetometer", 6, mag3110),
    "f000aa41": ("barometer", 4, t5400),
    "f000aa51": ("gyroscope", 6, imu3000),
    "0000ffe1": ("keys", 1, keys),
}
CC2650 = {
    "f000aa01": ("temperature", 4, tmp007),
    "f000aa21": ("humidity", 4, hdc1000),
    "f000aa41": ("barometer", 6, bmp280),
    "f000aa71": ("optical", 2, opt3001),
    "f000aa81": ("movement", 18, mpu9250),
    "0000ffe1": ("keys", 1, keys),
    "00002a19": ("battery", 1, battery),
}
# Zeros are a value for these; from a sensor they mean that it is off.
ZERO_COUNTS = ("keys", "battery")


def sent(generation, entries):
    """The readings that the log of a tag makes, by sensor. A battery level that was read is one, too."""
    readings = {name: [] for name, _, _ in generation.values()}
    state = {}
    for entry in entries:
        number, value = entry["char"][:8], bytes.fromhex(entry["value"])
        if entry["op"] in ("read", "write"):
            state[number] = value
        name, length, formula = generation.get(number, ("", 0, None))
        if formula is None or not (entry["op"] == "notify" or entry["op"] == "read" and name == "battery"):
            continue
        if len(value) != length:
            raise ValueError(f"the tag sent {len(value)} bytes as {name}")
        if not any(value) and name not in ZERO_COUNTS:
            continue
        reading = formula(value, state)
        if reading is not None:
            readings[name].append(reading)
    return readings
