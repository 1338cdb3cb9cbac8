"""Small devices for the command-line tool `gatt`. They are silent until the control channel lets them advertise."""

import asyncio
import struct

from bumble import att, gatt
from bumble.core import UUID
from bumble.keys import MemoryKeyStore

from .database import Value, characteristic
from .peripheral import Peripheral
from .probe import structure

HEART_RATE_BELT = 0x0341
# Heart Rate Service 1.0: ATT error of the control point for an unknown value.
CONTROL_POINT_NOT_SUPPORTED = 0x80


def service(uuid, *characteristics):
    return gatt.Service(UUID(uuid), list(characteristics))


class GattPeer(Peripheral):
    """General discoverable, no BR/EDR; the complete name stands in the advertisement."""

    advertises_at_start = False
    max_mtu = 247
    services_advertised = ()

    def __init__(self, link, adapter):
        uuids = b"".join(struct.pack("<H", uuid) for uuid in self.services_advertised)
        self.advertising_data = structure(0x01, b"\x06") + structure(0x09, self.name.encode())
        if uuids:
            self.advertising_data += structure(0x03, uuids)
        if self.appearance:
            self.advertising_data += structure(0x19, struct.pack("<H", self.appearance))
        self.gap_name = self.name.encode()
        super().__init__(link, adapter)


class Battery(GattPeer):
    """A battery service, and the maker."""

    peer = "battery"
    name = "Lab Battery"
    address = "C0:B1:00:00:01:01"
    services_advertised = (0x180F,)

    def services(self):
        level = characteristic("2a19", ["read", "notify"], Value(b"\x57"))
        maker = characteristic("2a29", ["read"], Value("Gr\u00fc\u00dfe".encode()))
        return [service("180f", level), service("180a", maker)]


class Strap(GattPeer):
    """A heart-rate strap: a measurement whenever somebody listens, a little faster than a heart."""

    peer = "strap"
    name = "Lab Strap"
    address = "C0:B1:00:00:01:02"
    appearance = HEART_RATE_BELT
    services_advertised = (0x180D,)
    interval = 0.5

    def __init__(self, link, adapter):
        self.beating = None
        self.beats = 0
        super().__init__(link, adapter)

    def services(self):
        self.measurement = characteristic("2a37", ["notify"], Value())
        location = characteristic("2a38", ["read"], Value(b"\x01"))
        control = characteristic("2a39", ["write"], Value(lengths=[1], on_write=self.on_control))
        return [service("180d", self.measurement, location, control)]

    def on_control(self, value):
        """1 sets the energy expended to zero."""
        if value != b"\x01":
            raise att.ATT_Error(CONTROL_POINT_NOT_SUPPORTED)

    def on_connection(self, connection):
        super().on_connection(connection)
        self.beating = asyncio.ensure_future(self.beat())

    async def beat(self):
        """Flags, the rate in 8 bits, one RR interval in 1/1024 s."""
        while True:
            await asyncio.sleep(self.interval)
            rate = 60 + self.beats % 40
            if await self.notify_value(self.measurement, struct.pack("<BBH", 0x10, rate, 60 * 1024 // rate)):
                self.beats += 1

    def link_lost(self):
        if self.beating is not None:
            self.beating.cancel()
            self.beating = None


class Twins(GattPeer):
    """The same characteristic twice in one service, and once more in another."""

    peer = "twins"
    name = "Lab Twins"
    address = "C0:B1:00:00:01:03"

    def services(self):
        def twin(number):
            return characteristic("ffe1", ["read", "write"], Value(bytes([number]), lengths=range(21)))

        return [service("ffe0", twin(1), twin(2)), service("ffd0", twin(3))]


class Store(GattPeer):
    """Values of 512 bytes, the longest that there are; one can be written."""

    peer = "store"
    name = "Lab Store"
    address = "C0:B1:00:00:01:04"

    def services(self):
        full = characteristic("fff1", ["read"], Value(bytes(index * 7 % 256 for index in range(512))))
        shelf = characteristic(
            "fff2", ["read", "write", "write-without-response"], Value(b"\x00", lengths=range(513))
        )
        return [service("fff0", full, shelf)]


class Lock(GattPeer):
    """A value for paired centrals only. It pairs by Just Works and keeps the keys."""

    peer = "lock"
    name = "Lab Lock"
    address = "C0:B1:00:00:01:05"

    def __init__(self, link, adapter):
        super().__init__(link, adapter)
        self.device.keystore = MemoryKeyStore()

    def services(self):
        secret = characteristic("fff1", ["read", "write"], Value(b"\xbe\xef", lengths=range(21)))
        secret.permissions |= att.Attribute.READ_REQUIRES_ENCRYPTION | att.Attribute.WRITE_REQUIRES_ENCRYPTION
        return [service("fff0", secret, characteristic("fff2", ["read"], Value(b"open")))]


GATT_PEERS = [Battery, Strap, Twins, Store, Lock]
