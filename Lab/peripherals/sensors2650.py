"""The sensors of the CC2650, firmware 1.50: what they measure in the lab's world, coded as its chips do."""

import struct

from . import world
from .sensors import Sensor


class Sensor2650(Sensor):
    """0 and 1 only: another configuration is taken without an error, and the old one stays."""

    def configure(self, value):
        if value[0] < 2:
            super().configure(value)


class Barometer2650(Sensor2650):
    """As the others, with the period in the place that the CC2541's barometer has it."""

    period_offset = 4


class Movement(Sensor):
    """Nine axes. Each write of the configuration sends zeros first.

    Bits 0 to 2 are the gyroscope's z, y and x, bits 3 to 5 the accelerometer's z, y and x, bit 6 is the magnetometer;
    bits 8 and 9 are the range. Axes that are off stay 0.
    """

    initial_configuration = b"\x00\x02"
    RANGES = (2, 4, 8, 16)
    AXES = 0x7F

    def __init__(self, tag, base):
        super().__init__(tag, base, None, 18)

    def configure(self, value):
        self.configuration.current = value
        self.switch_off()
        self.send_zeros()
        if self.bits & self.AXES:
            self.switch_on()

    @property
    def bits(self):
        return int.from_bytes(self.configuration.current, "little")

    def next_value(self):
        self.steps += 1
        bits = self.bits
        reach = self.RANGES[bits >> 8 & 3]
        gyroscope = [round(each * 65536 / 500) for each in world.turning(self.steps)]
        acceleration = [round(each * 32768 / (1000 * reach)) for each in world.acceleration(self.steps)]
        words = [word if bits >> bit & 1 else 0 for word, bit in zip(gyroscope + acceleration, (2, 1, 0, 5, 4, 3))]
        words += world.field(self.steps) if bits >> 6 & 1 else (0, 0, 0)
        return struct.pack("<9h", *(max(-32768, min(32767, word)) for word in words))


def infrared(step):
    """TMP007, object before ambient: 1/32 degree in the upper 14 bits; bit 0 of the object says that it is invalid."""
    invalid = step % 5 == 0
    words = round(world.object_temperature(step) * 32), round(world.air_temperature(step) * 32)
    return struct.pack("<hh", words[0] << 2 | invalid, words[1] << 2)


def humidity(step):
    """HDC1000: temperature and relative humidity in 65536 parts of their spans."""
    temperature = round((world.air_temperature(step) + 40) * 65536 / 165)
    return struct.pack("<HH", temperature, round(world.relative_humidity(step) * 65536 / 100) & ~3)


def barometer(step):
    """BMP280: hundredths of a degree in 24 bits with a sign, then pascals in 24 bits."""
    temperature = round(world.air_temperature(step) * 100)
    return temperature.to_bytes(3, "little", signed=True) + round(world.pressure(step)).to_bytes(3, "little")


def optical(step):
    """OPT3001: an exponent in the upper 4 bits, 12 bits of hundredths of a lux."""
    hundredths = round(world.light(step) * 100)
    exponent = max(0, hundredths.bit_length() - 12)
    return struct.pack("<H", exponent << 12 | hundredths >> exponent)


def sensors(tag):
    """Every sensor of the tag, in the order of the handles."""
    return [
        Sensor2650(tag, 0xAA00, infrared, 4, minimum=30, first_delay=0.275),
        Sensor2650(tag, 0xAA20, humidity, 4),
        Barometer2650(tag, 0xAA40, barometer, 6),
        Sensor2650(tag, 0xAA70, optical, 2, default=80),
        Movement(tag, 0xAA80),
    ]
