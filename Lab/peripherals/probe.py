"""The contract probe: one characteristic for each thing that the contract suite wants to see."""

from bumble import gatt
from bumble.core import UUID

from .database import Value, characteristic
from .peripheral import Peripheral


def probe_uuid(number):
    return f"c0b1{number:04x}-7a6b-4d5e-8f90-1a2b3c4d5e6f"


def structure(kind, contents):
    """One structure of advertising data."""
    return bytes([len(contents) + 1, kind]) + contents


class Probe(Peripheral):
    peer = "probe"
    name = "CoreBlueZ Probe"
    address = "BC:6A:29:AB:AB:51"
    gap_name = b"CoreBlueZ Probe"
    # Less than 400 bytes, so that the long value takes several requests.
    max_mtu = 247
    advertising_data = (
        structure(0x01, b"\x06") + structure(0x09, b"CoreBlueZ Probe") + structure(0xFF, b"\xff\xff\x01\x02\x03")
    )
    scan_response_data = structure(0x07, UUID(probe_uuid(0)).to_bytes(force_128=True))

    def services(self):
        echo = characteristic(
            probe_uuid(1),
            ["read", "write", "write-without-response"],
            Value(b"\x01\x02\x03", lengths=range(513)),
            [("2901", Value(b"Echo")), (probe_uuid(8), Value(b"\xaa\x55", ["read", "write"]))],
        )
        long = characteristic(probe_uuid(2), ["read"], Value(bytes(index % 251 for index in range(400))))
        main = gatt.Service(
            UUID(probe_uuid(0)),
            [
                echo,
                long,
                characteristic(probe_uuid(3), ["read", "notify"], Value(b"\x00")),
                characteristic(probe_uuid(4), ["read", "indicate"], Value(b"\x00")),
                characteristic(probe_uuid(5), ["write"], Value()),
                characteristic(probe_uuid(6), ["write-without-response"], Value()),
                characteristic(probe_uuid(7), ["read"], Value(b"ready")),
            ],
        )
        twins = [
            gatt.Service(UUID(probe_uuid(0x10)), [characteristic(probe_uuid(0x11), ["read"], Value(bytes([number])))])
            for number in (1, 2)
        ]
        secure = gatt.Service(
            UUID(probe_uuid(0x20)),
            [
                characteristic(
                    probe_uuid(0x21), ["read", "write"], Value(b"paired", guard=self.pairing.require_encryption)
                ),
                characteristic(
                    probe_uuid(0x22), ["read", "write"], Value(b"compared", guard=self.pairing.require_authentication)
                ),
            ],
        )
        extended = gatt.Service(
            UUID(probe_uuid(0x30)),
            [
                characteristic(
                    probe_uuid(0x31),
                    ["read", "write", "extended-properties"],
                    Value(b"\x00", lengths=range(513)),
                    [("2900", Value(b"\x01\x00"))],
                )
            ],
            included_services=[main],
        )
        return [main, *twins, secure, extended]
