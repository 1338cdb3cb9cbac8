#!/usr/bin/env python3
"""Writes vectors.txt beside this file: for each decoder bytes, a range or a calibration, and the values that the bytes
must decode to.

Run it without arguments after changing it, and commit what it wrote:

    python3 Tests/SensorTag/BlueZSensorTagTests/Vectors/vectors.py

The values are computed here from the documents (TI SensorTag User Guides and the data sheets of TMP007, SHT21, HDC1000,
AK8963 and OPT3001), with exact fractions, the root of the TMP006 with 60 decimal digits; nothing is taken from the
Swift code. The output is the same on every run.
"""

import random
import struct
from decimal import Decimal, getcontext
from fractions import Fraction
from pathlib import Path

getcontext().prec = 60
F = Fraction
HERE = Path(__file__).resolve().parent
INT16_EDGES = [0, 1, -1, 2, 3, 4, 127, 128, 255, 256, -128, -129, -256, 32767, -32768]
UINT16_EDGES = [0, 1, 2, 3, 4, 255, 256, 0x7FFF, 0x8000, 0xFFFC, 0xFFFF]


def literal(value):
    """The text of an exact value; None is nil."""
    return "nil" if value is None else repr(float(value))


# ---- formulas -------------------------------------------------------------------------------------------------------


def tmp006(object_raw, ambient_raw):
    ambient = Decimal(ambient_raw) / 128
    volts = Decimal(object_raw) * Decimal("1.5625e-7")
    die = ambient + Decimal("273.15")
    d = die - Decimal("298.15")
    s = Decimal("6.4e-14") * (1 + Decimal("1.75e-3") * d - Decimal("1.678e-5") * d**2)
    vos = Decimal("-2.94e-5") - Decimal("5.7e-7") * d + Decimal("4.63e-9") * d**2
    f = (volts - vos) + Decimal("13.4") * (volts - vos) ** 2
    if s <= 0:
        return [ambient, None]
    radicand = die**4 + f / s
    if radicand < 0:
        return [ambient, None]
    return [ambient, radicand.sqrt().sqrt() - Decimal("273.15")]


def tmp007(object_raw, ambient_raw):
    def celsius(raw):
        return F(raw // 4) / 32

    return [celsius(ambient_raw), None if object_raw % 2 else celsius(object_raw)]


def sht21(t, h):
    return [F("-46.85") + F("175.72") * t / 65536, -6 + F(125) * (h - h % 4) / 65536]


def hdc1000(t, h):
    return [F(t * 165, 65536) - 40, F((h - h % 4) * 100, 65536)]


def t5400(c, t, p):
    celsius = F(c[0] * t, 2**24) + F(c[1], 2**10)
    s = c[2] + F(c[3] * t, 2**17) + F(c[4] * t * t, 2**34)
    o = c[5] * 2**14 + F(c[6] * t, 2**3) + F(c[7] * t * t, 2**19)
    return [celsius, (s * p + o) / 2**14 if p else None]


def scaled(values, numerator, denominator):
    return [F(value * numerator, denominator) for value in values]


def exponent_number(raw):
    return (raw & 0xFFF) << (raw >> 12)


# ---- tables ---------------------------------------------------------------------------------------------------------


def vectors_tmp006(rng):
    pairs = [(-72, 3424), (-3342, 3200), (0, 0), (0, 3200), (0, -1), (0, -5120), (-1, 3199), (32767, 32767)]
    pairs += [(-32768, -32768), (32767, -32768), (-32768, 32767), (1000, -1280), (-1000, 12800)]
    for ambient in (25, 0, -40):  # both sides of the radicand's sign
        raw = next(raw for raw in range(0, -32769, -1) if tmp006(raw, ambient * 128)[1] is None)
        pairs += [(raw, ambient * 128), (raw + 1, ambient * 128)]
    raw = next(raw for raw in range(0, -32769, -1) if tmp006(32767, raw)[1] is None)
    pairs += [(32767, raw), (32767, raw + 1)]  # both sides of the sensitivity's sign
    pairs += [(rng.randint(-3000, 3000), rng.randint(-5120, 10880)) for _ in range(30)]
    return [(struct.pack("<hh", *pair), tmp006(*pair)) for pair in pairs]


def vectors_tmp007(rng):
    pairs = [(19200, 16000), (-1, -1), (-2, -4), (-4, -1), (1, 0), (2, 2), (3, 3), (32767, 32767), (32766, 32764)]
    pairs += [(-32768, -32768), (0, 0), (-32767, 3200)]
    pairs += [(rng.randint(-32768, 32767), rng.randint(-32768, 32767)) for _ in range(20)]
    return [(struct.pack("<hh", *pair), tmp007(*pair)) for pair in pairs]


def vectors_kxtj9(rng):
    triples = [(-5, 63, -63), (0, 0, 0), (127, -128, 1), (-1, -1, -1), (64, -64, 32), (-128, -128, -128)]
    triples += [tuple(rng.randint(-128, 127) for _ in range(3)) for _ in range(6)]
    return [
        (struct.pack("<bbb", *triple), scaled(triple, g, 128), f"range={g}") for triple in triples for g in (2, 4, 8)
    ]


def vectors_sht21(rng):
    pairs = [(0x6840, 0x6876), (0, 0), (0x8000, 0x8000), (0xFFFF, 0xFFFF), (0x7FFF, 0x7FFF)]
    pairs += [(0x6000, status) for status in (0x4000, 0x4001, 0x4002, 0x4003, 0x4004)]
    pairs += [(rng.randint(0, 65535), rng.randint(0, 65535)) for _ in range(20)]
    return [(struct.pack("<HH", *pair), sht21(*pair)) for pair in pairs]


def vectors_hdc1000(rng):
    pairs = [(0, 1), (1, 0), (0, 4), (0xFFFE, 0), (0, 0xFFFC), (0xFFFC, 0xFFFC), (0x8000, 0x8000), (0x7FFF, 0x7FFF)]
    pairs += [(0x6000, status) for status in (0x4000, 0x4001, 0x4002, 0x4003, 0x4004)]
    pairs += [(rng.randint(0, 65535), rng.randint(1, 65534)) for _ in range(20)]
    return [(struct.pack("<HH", *pair), hdc1000(*pair)) for pair in pairs]


def triples_of_int16(rng, count):
    triples = [(edge, -1 - edge, 0) for edge in INT16_EDGES]
    return triples + [tuple(rng.randint(-32768, 32767) for _ in range(3)) for _ in range(count)]


def vectors_mag3110(rng):
    triples = [(-2183, 1916, 1255)] + triples_of_int16(rng, 8)
    return [(struct.pack("<hhh", *triple), scaled(triple, 2000, 65536)) for triple in triples]


def vectors_imu3000(rng):
    triples = [(-24, -219, -23)] + triples_of_int16(rng, 8)
    return [(struct.pack("<hhh", *triple), scaled(triple, 500, 65536)) for triple in triples]


def vectors_t5400(rng):
    real = (0xB281, 0x63F8, 0xBEFE, 0x8D4E, 0x1B59, 0x07C6, -0x0941, 0x15A6)
    assert struct.pack("<HHHHhhhh", *real).hex() == "81b2f863febe4e8d591bc607bff6a615"
    calibrations = [real, (65535,) * 4 + (32767,) * 4, (65535,) * 4 + (-32768,) * 4, (0, 0, 0, 0, 0, 0, 0, -1)]
    calibrations += [tuple(1 if i == only else 0 for i in range(8)) for only in range(8)]
    data = [(-2343, 33995), (-1, 65535), (0, 0), (32767, 65535), (-32768, 65535), (-32768, 1), (25000, 0)]
    rows = [(c, d) for c in calibrations[:3] for d in data]
    rows += [(c, (-20000, 40000)) for c in calibrations[3:]]
    for _ in range(20):
        c = tuple(rng.randint(0, 65535) for _ in range(4)) + tuple(rng.randint(-32768, 32767) for _ in range(4))
        rows.append((c, (rng.randint(-32768, 32767), rng.randint(0, 65535))))
    return [
        (struct.pack("<hH", *d), t5400(c, *d), f'calibration={struct.pack("<HHHHhhhh", *c).hex()}') for c, d in rows
    ]


def vectors_bmp280(rng):
    pairs = [(2150, 101325), (-1234, 101325), (-1, 1), (0, 0), (2**23 - 1, 2**24 - 1), (-(2**23), 2**23), (2000, 0)]
    pairs += [(-4000, 30000), (8500, 110000), (255, 256), (256, 65536), (65536, 255)]
    pairs += [(rng.randint(-4000, 8500), rng.randint(30000, 110000)) for _ in range(12)]
    rows = []
    for t, p in pairs:
        payload = (t % 2**24).to_bytes(3, "little") + p.to_bytes(3, "little")
        rows.append((payload, [F(t, 100), F(p) if p else None]))
    words = [(0x0866, 0x58BD), (0, 0), (0xFFFF, 0xFFFF), (0x1000, 0x0001), (0x0FFF, 0x1001), (0x2219, 0x5C5E)]
    words += [(rng.randint(0, 0x2FFF), rng.randint(0x4000, 0x6FFF)) for _ in range(10)]
    for t, p in words:
        pascals = exponent_number(p)
        rows.append((struct.pack("<HH", t, p), [F(exponent_number(t), 100), F(pascals) if pascals else None]))
    return rows


def vectors_opt3001(rng):
    words = [0x3456, 0, 1, 0x0FFF, 0x1001, 0xBFFF, 0xB000] + [(e << 12) | 0x801 for e in range(12)]
    words += [rng.randint(0, 0xBFFF) for _ in range(10)]
    return [(struct.pack("<H", word), [F(exponent_number(word), 100)]) for word in words]


def vectors_mpu9250(rng):
    nines = [tuple(range(1, 10)), (0,) * 9, (-1,) * 9, (32767,) * 9, (-32768,) * 9, (255,) * 9, (128,) * 9]
    nines += [tuple(0x0102 * (i == only) for i in range(9)) for only in range(9)]
    nines += [tuple(rng.randint(-32768, 32767) for _ in range(9)) for _ in range(8)]
    rows = []
    for index, nine in enumerate(nines):
        g = (2, 4, 8, 16)[index % 4]
        values = scaled(nine[:3], 500, 65536) + scaled(nine[3:6], g, 32768) + scaled(nine[6:], 4912, 32760)
        rows.append((struct.pack("<9h", *nine), values, f"range={g}"))
    return rows


def vectors_connection(rng):
    triples = [(6, 0, 10), (80, 0, 1000), (0, 0, 0), (65535, 65535, 65535), (0x0100, 1, 0x0100)]
    triples += [(rng.randint(6, 3200), rng.randint(0, 499), rng.randint(10, 3200)) for _ in range(5)]
    return [(struct.pack("<HHH", *t), [F(t[0] * 5, 4), F(t[1]), F(t[2] * 10)]) for t in triples]


def vectors_battery(_):
    return [(bytes([level]), [F(min(level, 100))]) for level in (0, 1, 50, 99, 100, 101, 127, 128, 255)]


def vectors_period(_):
    return [(bytes([value]), [F(value * 10)]) for value in (0, 1, 10, 30, 80, 100, 127, 128, 200, 255)]


# ---- output ---------------------------------------------------------------------------------------------------------


def row(name, payload, expected, parameter="-"):
    return " ".join([name, payload.hex(), parameter, *map(literal, expected)]) + "\n"


def main():
    tables = {
        "tmp006": vectors_tmp006,
        "tmp007": vectors_tmp007,
        "kxtj9": vectors_kxtj9,
        "sht21": vectors_sht21,
        "hdc1000": vectors_hdc1000,
        "mag3110": vectors_mag3110,
        "imu3000": vectors_imu3000,
        "t5400": vectors_t5400,
        "bmp280": vectors_bmp280,
        "opt3001": vectors_opt3001,
        "mpu9250": vectors_mpu9250,
        "connectionParameters": vectors_connection,
        "batteryLevel": vectors_battery,
        "period": vectors_period,
    }
    lines = [row(name, *vector) for name, table in tables.items() for vector in table(random.Random(name))]
    (HERE / "vectors.txt").write_text("".join(lines), encoding="ascii")
    print(f"total: {len(lines)}")


if __name__ == "__main__":
    main()
