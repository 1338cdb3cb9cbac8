"""A small world that moves by itself, the same way in every run: sensors sample it step by step."""

import math
import struct

# Calibration words of a barometer: c1...c4 unsigned, c5...c8 signed (TI SensorTag user guide, T5400).
CALIBRATION = (45774, 25620, 47925, 35970, 6820, 2064, -2215, 5390)


def wave(step, period, middle, reach):
    """A sine around `middle`."""
    return middle + reach * math.sin(2 * math.pi * step / period)


def swing(step, period, middle, reach):
    """A sine around `middle`, rounded to the integers that a sensor sends."""
    return middle + round(reach * math.sin(2 * math.pi * step / period))


# What the CC2541's chips say.


def infrared(step):
    """Object voltage (156.25 nV) and die temperature (1/128 degree)."""
    return struct.pack("<hh", swing(step, 23, 180, 120), swing(step, 37, 2900, 260))


def humidity(step):
    """Temperature and humidity words of an SHT21; the status bits are set, as its manual says."""
    return struct.pack("<HH", swing(step, 29, 26100, 600), swing(step, 31, 29000, 2500) & ~3 | 2)


def magnetometer(step):
    return struct.pack("<hhh", swing(step, 19, -900, 300), swing(step, 23, 450, 300), swing(step, 29, 1300, 200))


def gyroscope(step):
    """Words of an IMU-3000."""
    return swing(step, 7, 60, 400), swing(step, 11, -30, 400), swing(step, 13, 20, 400)


def barometer_temperature(step):
    return swing(step, 41, -400, 900)


def barometer_pressure(step):
    return swing(step, 53, 33900, 250)


def calibration():
    return struct.pack("<4H4h", *CALIBRATION)


# What there is to be measured.


def acceleration(step):
    """Thousandths of g."""
    return swing(step, 11, 0, 600), swing(step, 13, -100, 700), swing(step, 17, 1000, 200)


def turning(step):
    """Degrees per second."""
    return wave(step, 7, 2, 40), wave(step, 11, -3, 90), wave(step, 13, 0, 200)


def field(step):
    """Words of an AK8963, about 0.15 microtesla each."""
    return swing(step, 19, -140, 60), swing(step, 23, 75, 60), swing(step, 29, -280, 40)


def object_temperature(step):
    """Degrees Celsius, below and above 0."""
    return wave(step, 9, 4, 12)


def air_temperature(step):
    """Degrees Celsius, below and above 0."""
    return wave(step, 8, 3, 9)


def relative_humidity(step):
    """Per cent."""
    return wave(step, 31, 55, 30)


def pressure(step):
    """Pascals."""
    return wave(step, 53, 101325, 900)


def light(step):
    """Lux, from dusk to the sun."""
    return 10 ** wave(step, 10, 2, 2.7)
