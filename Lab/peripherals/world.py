"""A small world that moves by itself, the same way in every run: sensors sample it step by step."""

import math
import struct

# Calibration words of a barometer: c1...c4 unsigned, c5...c8 signed (TI SensorTag user guide, T5400).
CALIBRATION = (45774, 25620, 47925, 35970, 6820, 2064, -2215, 5390)


def swing(step, period, middle, reach):
    """A sine around `middle`, rounded to the integers that a sensor sends."""
    return middle + round(reach * math.sin(2 * math.pi * step / period))


def infrared(step):
    """Object voltage (156.25 nV) and die temperature (1/128 degree)."""
    return struct.pack("<hh", swing(step, 23, 180, 120), swing(step, 37, 2900, 260))


def accelerometer(step):
    return struct.pack("<bbb", swing(step, 11, 0, 20), swing(step, 13, 0, 20), swing(step, 17, 16, 6))


def humidity(step):
    """Temperature and humidity words of an SHT21; the status bits are set, as its manual says."""
    return struct.pack("<HH", swing(step, 29, 26100, 600), swing(step, 31, 29000, 2500) & ~3 | 2)


def magnetometer(step):
    return struct.pack("<hhh", swing(step, 19, -900, 300), swing(step, 23, 450, 300), swing(step, 29, 1300, 200))


def gyroscope(step):
    return struct.pack("<hhh", swing(step, 7, 60, 400), swing(step, 11, -30, 400), swing(step, 13, 20, 400))


def barometer_temperature(step):
    return swing(step, 41, -400, 900)


def barometer_pressure(step):
    return swing(step, 53, 33900, 250)


def calibration():
    return struct.pack("<4H4h", *CALIBRATION)
