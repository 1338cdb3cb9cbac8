"""Devices that put what they have to say into their advertisements. They are silent until the control channel lets them
advertise."""

import struct

from bumble import hci

from .peripheral import Peripheral
from .probe import structure


class Beacon(Peripheral):
    """General discoverable, no BR/EDR; the complete name stands in the scan response, if it has one."""

    advertises_at_start = False
    payload = b""

    def __init__(self, link, adapter):
        self.advertising_data = structure(0x01, b"\x06") + self.payload
        if self.name:
            self.scan_response_data = structure(0x09, self.name.encode())
        self.gap_name = self.name.encode()
        super().__init__(link, adapter)


class Attic(Beacon):
    """An encrypted thermometer: the example of BTHome's specification, which is 25.06 degrees and 50.55 %."""

    peer = "attic"
    name = "Lab Attic"
    address = "54:48:E6:8F:80:A5"
    payload = structure(0x16, struct.pack("<H", 0xFCD2) + bytes.fromhex("41a47266c95f730011223378237214"))


class Sauna(Beacon):
    """A RuuviTag: the valid data of Ruuvi's document, which is 24.3 degrees, 53.49 % and 100044 Pa."""

    peer = "sauna"
    name = "Lab Sauna"
    address = "CB:B8:33:4C:88:4F"
    payload = structure(
        0xFF, struct.pack("<H", 0x0499) + bytes.fromhex("0512fc5394c37c0004fffc040cac364200cdcbb8334c884f"))


class Watch(Beacon):
    """A device without a name that has another private address each time it begins to advertise."""

    peer = "watch"
    address = "C0:B1:00:00:01:0A"
    payload = structure(0xFF, struct.pack("<H", 0x004C) + bytes.fromhex("1005031c0a0b0c"))
    own_address_type = hci.OwnAddressType.RANDOM
    # The key of the Core Specification's example for `ah`, with the least significant byte first.
    key = bytes.fromhex("ec0234a357c8ad05341010a60a397d9b")[::-1]

    async def advertise(self, on):
        if on:
            self.controller.random_address = hci.Address.generate_private_address(self.key)
        await super().advertise(on)


BEACONS = [Attic, Sauna, Watch]
