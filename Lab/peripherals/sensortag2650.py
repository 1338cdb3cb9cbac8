"""The TI SensorTag of the second generation (CC2650, firmware 1.50), as its firmware and user guide describe it.

Its register service and the replacing of firmware are left out.
"""

import asyncio

from bumble import att, gatt
from bumble.core import UUID

from .database import Value, characteristic
from .sensors import INVALID_VALUE, ti_uuid
from .sensors2650 import sensors
from .tag_services import Tag

MISSING = b"N.A."
LOCAL, REMOTE, SELF_TEST = range(3)
# Every part has passed.
PASSED = b"\x7f"
BATTERY_INTERVAL = 15.0


class SensorTag2650(Tag):
    peer = "tag2650"
    name = "CC2650 SensorTag"
    address = "B0:B4:48:C0:26:50"
    gap_name = b"CC2650 SensorTag"
    # Limited discoverable, no BR/EDR; the battery service; TI's company with device 3 and the keys.
    advertising_data = bytes.fromhex("020105" + "03020f18" + "06ff0d00030000")
    scan_response_data = b"\x11\x09CC2650 SensorTag" + bytes.fromhex("051208002003" + "020a00")
    texts = {
        "2a24": b"CC2650 SensorTag",
        "2a25": MISSING,
        "2a26": b"1.50 (Feb  6 2018)",
        "2a27": MISSING,
        "2a28": MISSING,
    }

    def __init__(self, link, adapter):
        self.sensors = sensors(self)
        self.outputs = Value(PASSED, lengths=[1], on_write=self.on_outputs)
        self.mode = Value(bytes([LOCAL]), lengths=[1], on_write=self.on_mode)
        self.battery_task = None
        super().__init__(link, adapter)

    def services(self):
        measuring = [each.service() for each in self.sensors]
        others = [self.keys(), self.inputs_and_outputs(), self.connection_control()]
        return [self.device_information(), self.battery(), *measuring, *others]

    def battery(self):
        self.battery_item = characteristic("2a19", ["read", "notify"], Value(bytes([91])))
        return gatt.Service("180f", [self.battery_item])

    def inputs_and_outputs(self):
        """AA65: red and green LED and buzzer in remote mode, the result of the self-test otherwise. AA66: the mode."""
        return gatt.Service(
            UUID(ti_uuid(0xAA64)),
            [
                characteristic(ti_uuid(0xAA65), ["read", "write"], self.outputs, [("2901", Value(b"Data"))]),
                characteristic(ti_uuid(0xAA66), ["read", "write"], self.mode, [("2901", Value(b"Configuration"))]),
            ],
        )

    def on_outputs(self, value):
        self.outputs.current = value
        self.apply_outputs()

    def on_mode(self, value):
        """In remote mode the outputs follow AA65 at once, whatever it holds."""
        if value[0] > SELF_TEST:
            raise att.ATT_Error(INVALID_VALUE)
        was_remote = self.mode.current[0] == REMOTE
        self.mode.current = value
        if value[0] == REMOTE:
            self.apply_outputs()
            return
        if was_remote:
            self.record("outputs", UUID(ti_uuid(0xAA65)), b"\x00")
        if value[0] == SELF_TEST:
            self.outputs.current = PASSED

    def apply_outputs(self):
        """The log shows what LEDs, buzzer and flash memory do: a person would see and hear it."""
        if self.mode.current[0] == REMOTE:
            self.record("outputs", UUID(ti_uuid(0xAA65)), self.outputs.current)

    def on_connection(self, connection):
        super().on_connection(connection)
        self.battery_task = asyncio.ensure_future(self.report_battery())

    async def report_battery(self):
        """The level sinks a little with each report."""
        value = self.battery_item.contents
        while True:
            await asyncio.sleep(BATTERY_INTERVAL)
            value.current = bytes([max(0, value.current[0] - 1)])
            self.spawn(self.notify_value(self.battery_item, value.current))

    def link_lost(self):
        super().link_lost()
        if self.battery_task is not None:
            self.battery_task.cancel()
            self.battery_task = None
        self.outputs.current = self.outputs.initial
        self.mode.current = self.mode.initial
