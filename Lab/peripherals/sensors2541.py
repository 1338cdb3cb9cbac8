"""The sensors of the CC2541 that have more to them than on and off."""

import struct

from . import world
from .database import Value
from .sensors import Sensor


class Accelerometer(Sensor):
    """Firmware 1.5: the configuration 1 is a range of 8 g, 2 of 4 g, 3 of 2 g; others switch on and keep the range."""

    RANGES = {1: 8, 2: 4, 3: 2}

    def __init__(self, tag, base):
        super().__init__(tag, base, None, 3)
        self.range = self.RANGES[1]

    def configure(self, value):
        self.configuration.current = value
        if value[0] == 0:
            return self.switch_off_with_zeros()
        self.range = self.RANGES.get(value[0], self.range)
        self.switch_on()

    def next_value(self):
        """An int8 an axis; 128 would be the end of the range."""
        self.steps += 1
        words = (round(each * 128 / (1000 * self.range)) for each in world.acceleration(self.steps))
        return struct.pack("<3b", *(max(-128, min(127, word)) for word in words))


class Gyroscope(Sensor):
    """The configuration is a mask of axes: bit 0 is x, bit 1 y, bit 2 z. The others stay 0."""

    def __init__(self, tag, base):
        super().__init__(tag, base, None, 6)

    def configure(self, value):
        self.configuration.current = value
        if value[0] == 0:
            self.switch_off_with_zeros()
        elif value[0] < 8:
            self.switch_on()

    def next_value(self):
        self.steps += 1
        axes = self.configuration.current[0]
        words = enumerate(world.gyroscope(self.steps))
        return struct.pack("<3h", *(word if axes >> index & 1 else 0 for index, word in words))


class Barometer(Sensor):
    """Alternates between temperature and pressure; 2 in the configuration loads the calibration into AA43."""

    period_offset = 4

    def __init__(self, tag, base):
        super().__init__(tag, base, None, 4, measuring=0.08)
        self.calibration = Value(bytes(16))
        self.temperature = 0
        self.pressure = 0
        self.measures_pressure = False

    def further_items(self, described):
        return [described(3, ["read"], self.calibration, b"Calibration")]

    def configure(self, value):
        if value[0] == 2:
            self.configuration.current = value
            self.calibration.current = world.calibration()
        else:
            super().configure(value)

    def switched_on(self):
        self.temperature = 0
        self.pressure = 0
        self.measures_pressure = False

    def switch_off(self):
        super().switch_off()
        self.calibration.current = self.calibration.initial

    def next_value(self):
        """One half is new, the other stays: the first after switching on has a pressure of 0."""
        self.steps += 1
        if self.measures_pressure:
            self.pressure = world.barometer_pressure(self.steps)
        else:
            self.temperature = world.barometer_temperature(self.steps)
        self.measures_pressure = not self.measures_pressure
        return struct.pack("<hH", self.temperature, self.pressure)
