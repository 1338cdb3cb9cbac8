"""One sensor of the tag: its data, configuration and period, and the measuring while it is on."""

import asyncio
import struct

from bumble import att, gatt
from bumble.core import UUID

from . import world
from .database import Value, characteristic

# TI's ATT_ERR_INVALID_VALUE, from the range of application errors.
INVALID_VALUE = 0x80
PERIOD_UNIT = 0.01


class Sensor:
    """Data at base + 1, configuration at base + 2, period at `period_offset`; `first_delay` and `measuring` in s."""

    period_offset = 3

    def __init__(self, tag, base, sample, length, minimum=10, default=100, on=(1,), measuring=0.0, first_delay=0.0):
        self.tag = tag
        self.base = base
        self.sample = sample
        self.minimum = minimum
        self.on = on
        self.measuring = measuring
        self.first_delay = first_delay
        self.task = None
        self.steps = 0
        self.data = Value(bytes(length))
        self.configuration = Value(b"\x00", lengths=[1], on_write=self.configure)
        self.period = Value(bytes([default]), lengths=[1], on_write=self.set_period)

    def uuid(self, offset):
        return f"f000{self.base + offset:04x}-0451-4000-b000-000000000000"

    def service(self):
        """The service with its user descriptions, as TI's profile table has it."""

        def described(offset, properties, value, text):
            return characteristic(self.uuid(offset), properties, value, [("2901", Value(text))])

        self.data_item = described(1, ["read", "notify"], self.data, b"Data")
        items = [self.data_item, described(2, ["read", "write"], self.configuration, b"Configuration")]
        items += self.further_items(described)
        items.append(described(self.period_offset, ["read", "write"], self.period, b"Period"))
        return gatt.Service(UUID(self.uuid(0)), items)

    def further_items(self, described):
        return []

    def set_period(self, value):
        if value[0] < self.minimum:
            raise att.ATT_Error(INVALID_VALUE)
        self.period.current = value

    def configure(self, value):
        """0 switches off, a value of `on` switches on; others are stored and change nothing."""
        self.configuration.current = value
        if value[0] in self.on:
            if self.task is None:
                self.switched_on()
                self.task = asyncio.ensure_future(self.measure())
        elif value[0] == 0 and self.task is not None:
            self.switch_off()
            self.data.current = bytes(len(self.data.current))
            self.tag.spawn(self.tag.notify_value(self.data_item, self.data.current))

    def switched_on(self):
        """Called before the first measurement."""

    def switch_off(self):
        if self.task is not None:
            self.task.cancel()
            self.task = None

    def reset(self):
        """As after a disconnection: off, configuration and period of the start. The world goes on."""
        self.switch_off()
        for value in (self.data, self.configuration, self.period):
            value.current = value.initial

    async def measure(self):
        """Notifications run beside the measuring: switching off ends the one, not the other."""
        await asyncio.sleep(self.first_delay)
        while True:
            await asyncio.sleep(self.period.current[0] * PERIOD_UNIT + self.measuring)
            self.data.current = self.next_value()
            self.tag.spawn(self.tag.notify_value(self.data_item, self.data.current))

    def next_value(self):
        self.steps += 1
        return self.sample(self.steps)


class Barometer(Sensor):
    """Alternates between temperature and pressure; 2 in the configuration loads the calibration into AA43."""

    period_offset = 4

    def __init__(self, tag, base):
        super().__init__(tag, base, None, 4, measuring=0.08)
        self.calibration = Value(bytes(16))
        self.temperature = 0
        self.pressure = 0

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
