"""The TI SensorTag of the first generation (CC2541, firmware 1.5), as its firmware and user guide describe it."""

import struct

from bumble import gatt
from bumble.core import UUID

from . import world
from .database import Value, characteristic
from .peripheral import Peripheral
from .sensors import Barometer, Sensor


def ti(number):
    return f"f000{number:04x}-0451-4000-b000-000000000000"


class SensorTag(Peripheral):
    peer = "tag"
    name = "SensorTag"
    address = "BC:6A:29:AB:AB:50"
    gap_name = b"TI BLE Sensor Tag\x00"
    max_mtu = 23
    # Limited discoverable, no BR/EDR; the name stands in the scan response only.
    advertising_data = bytes.fromhex("020105")
    scan_response_data = bytes.fromhex("0a0953656e736f72546167051250002003020a00")

    def __init__(self, link, adapter):
        self.sensors = [
            Sensor(self, 0xAA00, world.infrared, 4, minimum=30, first_delay=0.275),
            Sensor(self, 0xAA10, world.accelerometer, 3, on=range(1, 256)),
            Sensor(self, 0xAA20, world.humidity, 4, measuring=0.04),
            Sensor(self, 0xAA30, world.magnetometer, 6, default=200),
            Barometer(self, 0xAA40),
            Sensor(self, 0xAA50, world.gyroscope, 6, on=range(1, 8)),
        ]
        super().__init__(link, adapter)

    def services(self):
        keys = gatt.Service("ffe0", [characteristic("ffe1", ["notify"], Value(b"\x00"))])
        return [self.device_information(), *(each.service() for each in self.sensors), keys, self.connection_control()]

    def device_information(self):
        missing = b"N.A.\x00"
        values = {
            "2a23": bytes.fromhex("50abab000029" + "6abc"),
            "2a24": missing,
            "2a25": missing,
            "2a26": b"1.5 (Oct 23 2013)",
            "2a27": missing,
            "2a28": missing,
            "2a29": b"Texas Instruments",
            "2a2a": b"\xfe\x00experimental",
            "2a50": bytes.fromhex("010d0000001001"),
        }
        return gatt.Service("180a", [characteristic(uuid, ["read"], Value(value)) for uuid, value in values.items()])

    def connection_control(self):
        parameters = struct.pack("<HHH", 80, 0, 1000)
        return gatt.Service(
            UUID(ti(0xCCC0)),
            [
                characteristic(ti(0xCCC1), ["read", "notify"], Value(parameters)),
                characteristic(ti(0xCCC2), ["write"], Value(bytes(8), lengths=[8])),
                characteristic(ti(0xCCC3), ["write"], Value(b"\x00", lengths=[1], on_write=self.on_disconnect_request)),
            ],
        )

    def on_disconnect_request(self, value):
        """Any value written to CCC3 ends the connection, after the response has gone."""
        self.spawn(self.drop_links())

    def link_lost(self):
        """Every sensor is switched off; configuration and period are those of the start."""
        for each in self.sensors:
            each.reset()
