"""Payloads of advertisements, generated from the grammars of their formats, and mutations of them."""

from dataclasses import dataclass
import struct

from Cryptodome.Cipher import AES


@dataclass
class Payload:
    """What a device advertises: service data or manufacturer data."""
    data: bytes
    service: str = None
    company: int = None
    address: str = "A4:C1:38:8D:18:B2"
    key: bytes = None
    name: str = ""
    # What is encrypted, or the data.
    plain: bytes = b""


def mutated(random, data):
    """A bit is flipped, a byte changed or doubled, or the end cut off or continued."""
    data = bytearray(data)
    place = random.randrange(len(data)) if data else 0
    change = random.choice(["flip", "byte", "double", "cut", "append"])
    if change == "append" or not data:
        data += random.randbytes(random.randint(1, 4))
    elif change == "flip":
        data[place] ^= 1 << random.randrange(8)
    elif change == "byte":
        data[place] = random.randrange(256)
    elif change == "double":
        data.insert(place, data[place])
    else:
        del data[place:]
    return bytes(data)


def number(random, size, signed=False, order="little"):
    """A number of some bytes; one in ten has the lowest or highest value, or one next to it."""
    least, most = (-1 << 8 * size - 1, (1 << 8 * size - 1) - 1) if signed else (0, (1 << 8 * size) - 1)
    edges = [least, least + 1, most - 1, most]
    value = random.choice(edges) if random.random() < 0.1 else random.randint(least, most)
    return value.to_bytes(size, order, signed=signed)


def address_bytes(payload):
    return bytes.fromhex(payload.address.replace(":", ""))


def sealed(payload, nonce, plain, header=b""):
    cipher = AES.new(payload.key, AES.MODE_CCM, nonce=nonce, mac_len=4)
    cipher.update(header)
    return cipher.encrypt_and_digest(plain)


# BTHome v2 (bthome.io/format): the sizes of the objects' values.
BTHOME_SIZES = {
    1: [0x00, 0x01, 0x09, 0x2E, 0x2F, 0x46, 0x57, 0x58, 0x59, 0x60, 0x65],
    2: [0x02, 0x03, 0x06, 0x07, 0x08, 0x0C, 0x0D, 0x0E, 0x12, 0x13, 0x14, 0x3D, 0x3F, 0x40, 0x41, 0x43, 0x44, 0x45,
        0x47, 0x48, 0x49, 0x4A, 0x51, 0x52, 0x56, 0x5A, 0x5D, 0x5E, 0x5F, 0x61, 0xF0],
    3: [0x04, 0x05, 0x0A, 0x0B, 0x42, 0x4B, 0xF2],
    4: [0x3E, 0x4C, 0x4D, 0x4E, 0x4F, 0x50, 0x55, 0x5B, 0x5C, 0x62, 0x63, 0xF1],
}
BTHOME_SIZE = {identifier: size for size, identifiers in BTHOME_SIZES.items() for identifier in identifiers}
BTHOME_BINARY = [0x0F, 0x10, 0x11, *range(0x15, 0x2E)]
BTHOME_BUTTONS = [0, 1, 2, 3, 4, 5, 6, 0x80, 0x81]
BTHOME_OBJECTS = [*BTHOME_SIZE, *BTHOME_BINARY, 0x3A, 0x3B, 0x3C, 0x53, 0x54, 0x64]


def bthome_object(random, identifier):
    if identifier in BTHOME_BINARY:
        value = bytes([random.randrange(2)])
    elif identifier == 0x3A:
        value = bytes([random.choice(BTHOME_BUTTONS)])
    elif identifier == 0x3B:
        opcode = random.randrange(5)
        value = bytes([int(opcode > 2), opcode]) + random.randbytes(opcode > 2)
    elif identifier == 0x3C:
        event = random.randrange(3)
        value = bytes([event, random.randrange(256) if event else 0])
    elif identifier == 0x53:
        text = "".join(random.choice("Ab 0°é€\U0001F321") for _ in range(random.randint(1, 6))).encode()
        value = bytes([len(text)]) + text
    elif identifier == 0x54:
        value = random.randbytes(random.randint(1, 8))
        value = bytes([len(value)]) + value
    elif identifier == 0x64:
        value = bytes([random.randrange(3)])
    else:
        value = number(random, BTHOME_SIZE[identifier])
    return bytes([identifier]) + value


def bthome_objects(random):
    """Objects in the order of their identifiers, some of them of one kind."""
    chosen = random.choices(BTHOME_OBJECTS, k=random.randint(1, 5))
    chosen += random.choices(chosen, k=random.choice([0, 0, 1, 2]))
    return b"".join(bthome_object(random, identifier) for identifier in sorted(chosen))


def bthome_pvvx_objects(random):
    """What the firmware pvvx/ATC_MiThermometer sends: the measurements, or the voltage and two binary sensors."""
    chosen = random.choice([[0x00, 0x01, 0x02, 0x03], [0x00, 0x0C, 0x10, 0x11]])
    return b"".join(bthome_object(random, identifier) for identifier in chosen)


def bthome(objects, encrypted=False):
    def generate(random, inner, outer):
        payload = Payload(b"", service="fcd2", name="ATC_8D18B2")
        information = bytes([0x40 | encrypted | (random.choice([0, 4]) if objects is bthome_objects else 0)])
        payload.plain = plain = inner(objects(random))
        if encrypted:
            payload.key = random.randbytes(16)
            counter = number(random, 4)
            nonce = address_bytes(payload) + b"\xd2\xfc" + information + counter
            sealed_text, tag = sealed(payload, nonce, plain)
            plain = sealed_text + counter + tag
        payload.data = outer(information + plain)
        return payload
    return generate


def ruuvi(data_format):
    """Ruuvi's data formats (docs.ruuvi.com): most values are in the range that they allow."""
    def generate(random, inner, outer):
        def big(size, signed=False):
            return number(random, size, signed, "big")
        if data_format == 3:
            data = bytes([3, random.randint(0, 200), random.randrange(256), random.randrange(100)])
            data += big(2) + big(2, True) + big(2, True) + big(2, True) + big(2)
        elif data_format == 5:
            data = b"\x05" + big(2, True) + big(2) + big(2) + big(2, True) + big(2, True) + big(2, True)
            data += big(2) + big(1) + big(2) + (random.choice([random.randbytes(6), b"\xff" * 6]))
        elif data_format == 6:
            data = b"\x06" + big(2, True) + big(2) + big(2) + big(2) + big(2) + big(1) + big(1) + big(1) + b"\xff"
            data += big(1) + big(1) + random.randbytes(3)
        else:
            data = b"\xe1" + big(2, True) + b"".join(big(2) for _ in range(7)) + big(1) + big(1) + big(3) + b"\xff" * 3
            data += big(3) + big(1) + b"\xff" * 5 + random.choice([random.randbytes(6), b"\xff" * 6])
        return Payload(outer(inner(data)), company=0x0499)
    return generate


def ibeacon(random, inner, outer):
    return Payload(outer(inner(b"\x02\x15" + random.randbytes(20) + number(random, 1))), company=0x004C)


# The characters of an encoded URL (Eddystone-URL): expansions, and printable ones but the space.
URL_CHARACTERS = [*range(14), *range(0x21, 0x7F)]


def eddystone(random, inner, outer):
    frame = random.choice(["uid", "url", "tlm", "eid"])
    if frame == "uid":
        data = b"\x00" + number(random, 1) + random.randbytes(16) + random.choice([b"", bytes(2)])
    elif frame == "url":
        url = bytes(random.choice(URL_CHARACTERS) for _ in range(random.randint(1, 17)))
        data = b"\x10" + number(random, 1) + bytes([random.randrange(4)]) + url
    elif frame == "tlm":
        data = b"\x20\x00" + number(random, 2) + number(random, 2, True, "big") + number(random, 4) + number(random, 4)
    else:
        data = b"\x30" + number(random, 1) + random.randbytes(8)
    return Payload(outer(inner(data)), service="feaa")


# MiBeacon, reverse-engineered: attributes and events with the form and the range of their values.
MI_OBJECTS = {
    0x0003: ("B", (0, 1)), 0x000A: ("h", (3500, 4200)), 0x1001: ("BBB", (0, 0), (0, 0), (0, 2)),
    0x1004: ("h", (-400, 850)), 0x1005: ("BB", (0, 1), (0, 100)), 0x1006: ("H", (0, 1000)),
    0x1007: ("HB", (0, 65535), (0, 1)), 0x1008: ("B", (0, 100)), 0x1009: ("H", (0, 5000)), 0x100A: ("B", (0, 100)),
    0x100D: ("hH", (-400, 850), (0, 1000)), 0x1010: ("H", (0, 500)), 0x1012: ("B", (0, 1)), 0x1013: ("B", (0, 100)),
    0x1014: ("B", (0, 1)), 0x1015: ("B", (0, 2)), 0x1018: ("B", (0, 1)), 0x1019: ("B", (0, 2)),
    0x4801: ("f", (-40, 85)), 0x4802: ("B", (0, 100)), 0x4803: ("B", (0, 100)), 0x4804: ("B", (1, 2)),
    0x4805: ("f", (0, 1000)), 0x4806: ("B", (0, 1)), 0x4808: ("f", (0, 100)), 0x480C: ("B", (0, 1)),
    0x483C: ("B", (0, 1)), 0x483D: ("I", (0, 86400)), 0x483E: ("I", (0, 86400)), 0x484E: ("B", (0, 1)),
    0x4851: ("B", (2, 5)), 0x4852: ("B", (2, 30)), 0x4A01: ("B", (0, 1)),
    0x4A0C: ("B", (0, 1)), 0x4A0D: ("B", (0, 1)), 0x4A0E: ("B", (0, 1)), 0x4A12: ("B", (1, 2)), 0x4A13: ("B", (1, 1)),
    0x4C01: ("f", (-40, 85)), 0x4C02: ("B", (0, 100)), 0x4C03: ("B", (0, 100)), 0x4C08: ("f", (0, 100)),
    0x4E01: ("B", (0, 1)), 0x4E0C: ("B", (1, 3)), 0x4E0D: ("B", (1, 3)), 0x4E0E: ("B", (1, 3)), 0x5003: ("B", (0, 100)),
}
MI_FLOWER, MI_CLOCK, MI_ROUND = MI_OLD = 0x0098, 0x045B, 0x01AA
# Which products send them: other libraries decode some only from these.
MI_PRODUCTS = {
    MI_FLOWER: [0x1004, 0x1007, 0x1008, 0x1009], MI_CLOCK: [0x1004, 0x1006, 0x100A],
    MI_ROUND: [0x1004, 0x1006, 0x100A, 0x100D], 0x02DF: [0x1004, 0x1006, 0x1010], 0x0083: [0x1005, 0x000A],
    0x03DD: [0x0003], 0x040A: [0x1012, 0x1013], 0x0863: [0x1014, 0x1001], 0x0997: [0x1015, 0x1001],
    0x098B: [0x1018, 0x1019], 0x1949: [0x4E01, 0x4E0C, 0x4E0D, 0x4E0E],
    0x2832: [number for number in MI_OBJECTS if 0x4800 <= number < 0x4E00 or number == 0x5003],
}


def mi_object(random, identifier):
    form, *ranges = MI_OBJECTS[identifier]
    values = [random.randint(10 * least, 10 * most) / 10 if form == "f" else random.randint(least, most)
              for least, most in ranges]
    value = struct.pack("<" + form, *values)
    return struct.pack("<HB", identifier, len(value)) + value


def mi_control(random, product):
    """The control field with the version and what doesn't change the frame, for a frame with objects."""
    return 0x40 | random.randint(4, 5) << 12 | random.choice([0, 1, 4, 5, 8, 9]) << 8


def mi_old(random, product):
    """That of old products: the version is 2, and all but the round thermometer have a capability."""
    return 0x2050 if product == MI_ROUND else 0x2071


def mi_any(random, product):
    """With or without an address, a capability and encryption."""
    return mi_control(random, product) | random.choice([0, 0x10, 0x20, 0x30]) | random.choice([0, 0, 8])


def mi_with_address(random, product):
    return mi_control(random, product) | 0x10


def mi_encrypted(random, product):
    return mi_control(random, product) | 0x18


def mi_legacy(random, product):
    """That of an encrypted frame of version 2 or 3."""
    return 0x2048 | random.choice([0, 0x1000]) | random.choice([0, 0x10])


def mibeacon(control_of, products, most=1):
    """Frames with this control field, and one object, or several of different kinds."""
    def generate(random, inner, outer):
        payload = Payload(b"", service="fe95")
        product = random.choice(products)
        identifiers = random.sample(MI_PRODUCTS[product], min(random.randint(1, most), len(MI_PRODUCTS[product])))
        payload.plain = plain = inner(b"".join(mi_object(random, identifier) for identifier in identifiers))
        control = control_of(random, product)
        address = address_bytes(payload)[::-1]
        head = struct.pack("<HHB", control, product, random.randrange(256))
        data = head + (address if control & 0x10 else b"")
        data += bytes([random.choice([0x00, 0x08, 0x10, 0x18])]) if control & 0x20 else b""
        if control & 0x08:
            counter = random.randbytes(3)
            if control >> 12 < 4:
                short = random.randbytes(12)
                payload.key = short[:6] + bytes.fromhex("8d3d3c97") + short[6:]
                plain = sealed(payload, head + counter + address[:5], plain, b"\x11")[0] + counter + b"\0"
                payload.key = short
            else:
                payload.key = random.randbytes(16)
                plain, tag = sealed(payload, address + head[2:] + counter, plain, b"\x11")
                plain += counter + tag
        payload.data = outer(data + plain)
        return payload
    return generate


def atc(random, inner, outer):
    """The format of atc1441/ATC_MiThermometer, with numbers that begin with the highest byte."""
    payload = Payload(b"", service="181a", name="ATC_8D18B2")
    values = struct.pack(">hBBHB", random.randint(-400, 850), random.randint(0, 100), random.randint(0, 100),
                         random.randint(1800, 3300), random.randrange(256))
    payload.data = outer(inner(address_bytes(payload) + values))
    return payload


def pvvx(random, inner, outer):
    """The custom format of pvvx/ATC_MiThermometer, with numbers that begin with the lowest byte."""
    payload = Payload(b"", service="181a", name="ATC_8D18B2")
    values = struct.pack("<hHHBBB", random.randint(-4000, 8500), random.randint(0, 10000), random.randint(1800, 3300),
                         random.randint(0, 100), random.randrange(256), random.randrange(32))
    payload.data = outer(inner(address_bytes(payload)[::-1] + values))
    return payload


def atc_encrypted(custom):
    """The encrypted forms of both formats: a counter, the sealed values and a check value of four bytes."""
    def generate(random, inner, outer):
        payload = Payload(b"", service="181a", name="ATC_8D18B2", key=random.randbytes(16))
        battery = random.randint(0, 100)
        if custom:
            plain = struct.pack("<hHBB", random.randint(-4000, 8500), random.randint(0, 10000), battery,
                                random.randrange(32))
        else:
            plain = bytes([random.randint(0, 255), random.randint(0, 200), battery | random.choice([0, 0x80])])
        payload.plain = plain = inner(plain)
        counter = number(random, 1)
        # The nonce has the head of the element: its length, its type and its UUID.
        head = bytes([8 + len(plain), 0x16, 0x1A, 0x18])
        sealed_text, tag = sealed(payload, address_bytes(payload)[::-1] + head + counter, plain, b"\x11")
        payload.data = outer(counter + sealed_text + tag)
        return payload
    return generate
