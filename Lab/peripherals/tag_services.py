"""What the tags of both generations have beside their sensors."""

import struct

from bumble import gatt
from bumble.core import UUID

from .database import Value, characteristic
from .peripheral import Peripheral
from .sensors import ti_uuid


class Tag(Peripheral):
    """A SensorTag: subclasses have `sensors` before they call the initializer, and say what they are."""

    max_mtu = 23
    sensors = ()
    # Model, serial number, firmware, hardware, software.
    texts = {}

    def device_information(self):
        address = bytes(reversed(bytes.fromhex(self.address.replace(":", ""))))
        values = {
            "2a23": address[:3] + bytes(2) + address[3:],
            **self.texts,
            "2a29": b"Texas Instruments",
            "2a2a": b"\xfe\x00experimental",
            "2a50": bytes.fromhex("010d0000001001"),
        }
        return gatt.Service("180a", [characteristic(uuid, ["read"], Value(value)) for uuid, value in values.items()])

    def keys(self):
        """Bit 0 is the left key, bit 1 the right one."""
        self.keys_item = characteristic("ffe1", ["notify"], Value(b"\x00"))
        return gatt.Service("ffe0", [self.keys_item])

    def connection_control(self):
        """CCC1 shows interval (1.25 ms), latency and supervision timeout (10 ms); CCC3 disconnects."""
        parameters = struct.pack("<HHH", 80, 0, 1000)
        return gatt.Service(
            UUID(ti_uuid(0xCCC0)),
            [
                characteristic(ti_uuid(0xCCC1), ["read", "notify"], Value(parameters)),
                characteristic(ti_uuid(0xCCC2), ["write"], Value(bytes(8), lengths=[8])),
                characteristic(
                    ti_uuid(0xCCC3), ["write"], Value(b"\x00", lengths=[1], on_write=self.on_disconnect_request)
                ),
            ],
        )

    def on_disconnect_request(self, value):
        """Any value written to CCC3 ends the connection, after the response has gone."""
        self.spawn(self.drop_links())

    def link_lost(self):
        """Every sensor is switched off; configuration and period are those of the start."""
        for each in self.sensors:
            each.reset()
