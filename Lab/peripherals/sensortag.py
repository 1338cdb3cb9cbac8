"""The TI SensorTag of the first generation (CC2541, firmware 1.5), as its firmware and user guide describe it."""

from bumble import gatt
from bumble.core import UUID

from . import world
from .database import Value, characteristic
from .sensors import Sensor, ti_uuid
from .sensors2541 import Accelerometer, Barometer, Gyroscope
from .tag_services import Tag

MISSING = b"N.A.\x00"


class SensorTag(Tag):
    peer = "tag"
    name = "SensorTag"
    address = "BC:6A:29:AB:AB:50"
    gap_name = b"TI BLE Sensor Tag\x00"
    # Limited discoverable, no BR/EDR; the name is only in the scan response.
    advertising_data = bytes.fromhex("020105")
    scan_response_data = bytes.fromhex("0a0953656e736f72546167051250002003020a00")
    texts = {"2a24": MISSING, "2a25": MISSING, "2a26": b"1.5 (Oct 23 2013)", "2a27": MISSING, "2a28": MISSING}

    def __init__(self, link, adapter):
        self.sensors = [
            Sensor(self, 0xAA00, world.infrared, 4, minimum=30, first_delay=0.275),
            Accelerometer(self, 0xAA10),
            Sensor(self, 0xAA20, world.humidity, 4, measuring=0.04),
            Sensor(self, 0xAA30, world.magnetometer, 6, default=200),
            Barometer(self, 0xAA40),
            Gyroscope(self, 0xAA50),
        ]
        super().__init__(link, adapter)

    def services(self):
        sensors = [each.service() for each in self.sensors]
        return [self.device_information(), *sensors, self.keys(), self.self_test(), self.connection_control()]

    def self_test(self):
        """AA61: all six sensors passed. AA62: test mode in bit 7, LEDs in bits 0 and 1."""
        return gatt.Service(
            UUID(ti_uuid(0xAA60)),
            [
                characteristic(ti_uuid(0xAA61), ["read"], Value(b"\x3f\x00")),
                characteristic(ti_uuid(0xAA62), ["read", "write"], Value(b"\x00", lengths=[1])),
            ],
        )
