"""One sensor of a tag: its data, configuration and period, and the measuring while it is on."""

import asyncio

from bumble import att, gatt
from bumble.core import UUID

from .database import Value, characteristic

# TI's ATT_ERR_INVALID_VALUE, from the range of application errors.
INVALID_VALUE = 0x80
PERIOD_UNIT = 0.01


def ti_uuid(number):
    """A UUID on TI's base."""
    return f"f000{number:04x}-0451-4000-b000-000000000000"


class Sensor:
    """Data at base + 1, configuration at base + 2, period at `period_offset`; `first_delay` and `measuring` in s.

    `sample` makes the data of one measurement from the number of the step.
    """

    period_offset = 3
    initial_configuration = b"\x00"

    def __init__(self, tag, base, sample, length, minimum=10, default=100, measuring=0.0, first_delay=0.0):
        self.tag = tag
        self.base = base
        self.sample = sample
        self.minimum = minimum
        self.measuring = measuring
        self.first_delay = first_delay
        self.task = None
        self.steps = 0
        self.data = Value(bytes(length))
        lengths = [len(self.initial_configuration)]
        self.configuration = Value(self.initial_configuration, lengths=lengths, on_write=self.configure)
        self.period = Value(bytes([default]), lengths=[1], on_write=self.set_period)

    def uuid(self, offset):
        return ti_uuid(self.base + offset)

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
        """0 switches off, 1 switches on; what else is written is stored and changes nothing."""
        self.configuration.current = value
        if value[0] == 1:
            self.switch_on()
        elif value[0] == 0:
            self.switch_off_with_zeros()

    def switch_on(self):
        if self.task is None:
            self.switched_on()
            self.task = asyncio.ensure_future(self.measure())

    def switched_on(self):
        """Called before the first measurement."""

    def switch_off_with_zeros(self):
        if self.task is not None:
            self.switch_off()
            self.send_zeros()

    def send_zeros(self):
        self.data.current = bytes(len(self.data.current))
        self.tag.spawn(self.tag.notify_value(self.data_item, self.data.current))

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
