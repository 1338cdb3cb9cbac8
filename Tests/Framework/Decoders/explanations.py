"""Why values of BlueZAdvertisements and of others differ: the sentences of the specifications that decide."""

import re
import struct

from payloads import BTHOME_BINARY, BTHOME_SIZE, MI_FLOWER, MI_OBJECTS, MI_PRODUCTS, address_bytes


class Difference:
    """One value that differs: ours and theirs are lists, as a payload can have several of a kind."""

    def __init__(self, payload, name, ours, theirs):
        self.payload, self.data = payload, payload.data
        self.ours, self.theirs = ours.get(name, []), theirs.get(name, [])
        self.problem = ours.get("problem", [None])[0]

    def is_last(self):
        return self.theirs == self.ours[-1:] or self.ours == self.theirs[-1:]

    def is_multiple(self, factor):
        return len(self.ours) == len(self.theirs) and all(
            abs(one - factor * other) < 1e-4 for one, other in zip(self.ours, self.theirs))

    def is_only_sign(self, size):
        """Whether the numbers differ by having a sign or not."""
        return [value % (1 << size) for value in self.theirs] == [value % (1 << size) for value in self.ours] != []

    def is_rounded(self, factor=None):
        """Whether values differ by rounding to tenths only, and those that do are multiples of the factor."""
        return len(self.ours) == len(self.theirs) and all(
            abs(one - other) < 1e-6
            or abs(one - other) < 0.0501 and (not factor or abs(one / factor - round(one / factor)) < 1e-6)
            for one, other in zip(self.ours, self.theirs))

    def bthome_objects(self):
        """The identifiers of the objects, up to the first one without a fixed size; None for the rest."""
        rest, found = self.payload.plain if self.payload.key and self.data[0] & 1 else self.data[1:], []
        while rest:
            size = 1 if rest[0] in BTHOME_BINARY else BTHOME_SIZE.get(rest[0])
            if size is None or len(rest) <= size or (rest[0] in BTHOME_BINARY and rest[1] > 1):
                return [*found, None]
            found.append(rest[0])
            rest = rest[size + 1:]
        return found

    def has_layout(self, *layouts):
        return self.data[0] in (0x40, 0x41) and self.bthome_objects() in layouts

    def mi_flag(self, mask):
        return bool(int.from_bytes(self.data[:2], "little") & mask)

    def has_input_output(self):
        capability = self.data[5 + 6 * self.mi_flag(0x10):][:1]
        return self.mi_flag(0x20) and any(byte & 0x20 for byte in capability)

    def mi_objects(self):
        """Triples of identifier, size and value; None for what is left."""
        start = 5 + 6 * self.mi_flag(0x10) + self.mi_flag(0x20) + 2 * self.has_input_output()
        rest, found = self.payload.plain if self.payload.key else self.data[start:], []
        while rest:
            if len(rest) < 3 or len(rest) < 3 + rest[2]:
                return [*found, None]
            found.append((rest[0] | rest[1] << 8, rest[2], rest[3:3 + rest[2]]))
            rest = rest[3 + rest[2]:]
        return found

    def has_mi_object(self, *identifiers, value=b""):
        return any(found and found[0] in identifiers and found[2].startswith(value) for found in self.mi_objects())

    def has_mi_sizes(self):
        """Whether all objects have the sizes of the definition."""
        return all(found and found[0] in MI_OBJECTS and struct.calcsize("<" + MI_OBJECTS[found[0]][0]) == found[1]
                   for found in self.mi_objects())

    @property
    def product(self):
        return int.from_bytes(self.data[2:4], "little")

    def has_address(self, start=0, is_reversed=False):
        address = address_bytes(self.payload)
        return self.data[start:start + 6] == (address[::-1] if is_reversed else address)


def only_ours(it):
    return not it.theirs


def only_theirs(it):
    return not it.ours


ATC_MI_OBJECTS = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0F, 0x10, 0x11, 0x3D,
                  0x3E, 0x45}
ATC_MI_ATTRIBUTES = {0x1004, 0x1006, 0x1007, 0x1008, 0x1009, 0x100A, 0x100D}
THEENGS_HEADS = bytes.fromhex("5020aa01"), bytes.fromhex("71205b04"), bytes.fromhex("71209800")
PVVX_LAYOUTS = [0x00, 0x01, 0x02, 0x03], [0x00, 0x0C, 0x10, 0x11]

# Formats, library, value, condition, reason. The first that holds is the reason.
RULES = [
    ("BTHome", "", "counter", lambda it: it.is_last(),
     "BTHome, Packet id: an advertisement has one. Of several, ours is the last."),
    ("BTHome", "bthome_ble", "deviceType|firmwareVersion", lambda it: it.is_last(),
     "BTHome, Multiple measurements of the same type. bthome-ble keeps the last."),
    ("BTHome", "bthome_ble", "temperature", lambda it: it.is_rounded(factor=0.35),
     "BTHome, Sensor data: the factor of object 0x58 is 0.35. bthome-ble rounds to tenths."),
    ("BTHome", "bthome_ble", "mass|volume|distance", lambda it: len(it.theirs) < len(it.ours),
     "BTHome, Multiple measurements of the same type. bthome-ble mixes those in two units."),
    ("BTHome", "bthome_ble", "text|raw", lambda it: "" in it.ours,
     "BTHome, Text and Raw sensors: the first byte is the length. bthome-ble omits those of length 0."),
    ("BTHome", "bthome_ble", ".*", lambda it: only_ours(it) and it.payload.key and not it.data[0] & 1,
     "BTHome, Encryption: receivers process both encrypted and other messages. bthome-ble doesn't."),
    ("BTHome", "atc_mi_interface", ".*", lambda it: it.data[0] & 0xE2 != 0x40,
     "BTHome Device Information: bits 5 to 7 are 2; bthome-ble reads an address if bit 1 is set."),
    ("BTHome", "atc_mi_interface", ".*", lambda it: not ATC_MI_OBJECTS.issuperset(it.bthome_objects()),
     "BTHome, Supported data types. atc-mi-interface skips only the numbers of other objects, and reads some in other"
     " sizes and all but the lowest bits of binary sensors."),
    ("BTHome", "theengs_decoder", ".*", lambda it: not it.has_layout(*PVVX_LAYOUTS),
     "BTHome Data format: one or multiple measurements. TheengsDecoder looks at the places of three or four."),
    ("Ruuvi", "ruuvitag_sensor", "address|movementCount|counter", only_theirs,
     "Ruuvi: the largest number, or an address with all bits set, is not available."),
    ("Ruuvi 5", "ruuvitag_sensor", "acceleration.", only_ours,
     "Ruuvi 5, Acceleration: 0x8000 of one axis is not available. ruuvitag-sensor omits all three."),
    ("Ruuvi", "theengs_decoder", "acceleration.", lambda it: it.is_multiple(10),
     "Ruuvi, Acceleration: 0x03E8 is 1000 mG. TheengsDecoder divides by 10."),
    ("Ruuvi 5", "theengs_decoder", "address|voltage", only_theirs,
     "Ruuvi 5: the largest number, or an address with all bits set, is not available."),
    ("Ruuvi 5", "theengs_decoder", "txPower|voltage", lambda it: only_ours(it) and len(it.data) == 24,
     "Ruuvi 5, Tx Power, Battery voltage: only 31 and 2047 are not available. TheengsDecoder omits others."),
    ("Ruuvi", "theengs_decoder", ".*",
     lambda it: only_ours(it) and (it.data[0], len(it.data)) not in ((3, 14), (5, 24)),
     "Ruuvi: the fields have fixed offsets. TheengsDecoder decodes none if bytes follow, nor other formats."),
    ("iBeacon", "theengs_decoder", "major|minor", lambda it: it.is_only_sign(16),
     "iBeacon: major and minor are from 0 to 65535. TheengsDecoder takes them for signed."),
    ("iBeacon", "theengs_decoder", "measuredPower|voltage", lambda it: it.data[22] & 0x80 == 0,
     "iBeacon: the last byte is the measured power. TheengsDecoder takes it for a voltage if it isn't negative."),
    ("iBeacon", "theengs_decoder", ".*", lambda it: only_ours(it) and len(it.data) > 23,
     "iBeacon: the length is 21. TheengsDecoder decodes none if bytes follow."),
    ("Eddystone", "beacontools", "temperature", lambda it: not it.ours or it.is_only_sign(8),
     "Eddystone-TLM: the temperature is a signed fixed-point number, and 0x8000 if not supported."),
    ("Eddystone", "beacontools", "voltage", lambda it: not it.ours and it.theirs == [0],
     "Eddystone-TLM: the battery voltage is zeroed if not supported."),
    ("Eddystone", "beacontools", "url", lambda it: not it.ours and it.problem in ("malformed", "truncated"),
     "Eddystone-URL: a URL has 1 to 17 octets; 00 to 20 and 7F to FF, but for expansions, are not used."),
    ("MiBeacon", "", ".*", lambda it: only_theirs(it) and it.problem in ("unsupportedVersion", "nameOnly"),
     "MiBeacon, Frame Control: the version is at most 5, and the bit for a mesh is 0."),
    ("MiBeacon", "", ".*", lambda it: it.problem in ("truncated", "wrongKey") and it.has_input_output(),
     "MiBeacon, Service Data: the I/O capability has two bytes. The others take one."),
    ("MiBeacon", "atc_mi_interface", ".*", lambda it: not it.mi_flag(0x10) or not it.mi_flag(0x40) or it.mi_flag(0x20),
     "MiBeacon, Frame Control: bits say whether there are an address, a capability and objects. atc-mi-interface takes"
     " the frame for one with address and objects."),
    ("MiBeacon", "atc_mi_interface", ".*", lambda it: it.mi_flag(0x08) and not it.has_address(5, is_reversed=True),
     "MiBeacon, MAC Address: the frame has it. atc-mi-interface decrypts with that of the sender."),
    ("MiBeacon", "atc_mi_interface", "conductivity",
     lambda it: [round(10 * value) % 0x10000 for value in it.theirs] == it.ours,
     "MiBeacon, Soil EC properties: unsigned, in µS/cm. atc-mi-interface takes it for signed, in tenths."),
    ("MiBeacon", "atc_mi_interface", ".*",
     lambda it: only_ours(it) and any(not found or found[0] not in ATC_MI_ATTRIBUTES for found in it.mi_objects()),
     "MiBeacon, ID definition. atc-mi-interface decodes fewer."),
    ("MiBeacon", "xiaomi_ble", "voltage", only_theirs,
     "MiBeacon, Power attribute: a percentage. xiaomi-ble estimates the voltage from it."),
    ("MiBeacon", "xiaomi_ble", "leftOpen|forciblyRemoved", lambda it: not it.ours and set(it.theirs) == {False},
     "MiBeacon, Door sensor: an object has one state. xiaomi-ble resets those of earlier objects."),
    ("MiBeacon", "xiaomi_ble", "smoke", lambda it: it.ours == [False] and it.theirs == [True],
     "MiBeacon, Smoke properties: only 0x01 is an alarm."),
    ("MiBeacon", "xiaomi_ble", ".*", lambda it: len(it.mi_objects()) > 1 and len(it.theirs) < len(it.ours),
     "MiBeacon: a frame has one object. Of several of a kind, xiaomi-ble keeps the last."),
    ("MiBeacon", "", ".*", lambda it: only_theirs(it) and it.problem == "encrypted",
     "MiBeacon 2 and 3 are encrypted in another way, and the key has 12 bytes."),
    ("MiBeacon encrypted 2, 3", "xiaomi_ble", ".*", lambda it: only_theirs(it) and it.problem == "wrongKey",
     "MiBeacon 2 and 3 have no check value. Ours takes objects that end early for those of another key."),
    ("MiBeacon", "xiaomi_ble", "powerOn|batteryLow", lambda it: it.ours == [value != 0 for value in it.theirs],
     "MiBeacon, Switch attribute: 0x00 or 0x01. xiaomi-ble keeps other numbers."),
    ("MiBeacon", "xiaomi_ble", "temperature|humidity",
     lambda it: it.is_rounded() and it.has_mi_object(0x4801, 0x4808, 0x4C01),
     "MiBeacon, miot-spec: the value is a number of IEEE 754. xiaomi-ble rounds to tenths."),
    ("MiBeacon", "xiaomi_ble", "humidity",
     lambda it: it.product in (0x055B, 0x0387) and it.theirs == [int(value) for value in it.ours],
     "MiBeacon, Humidity properties: 346 means 34.6 %. xiaomi-ble omits the tenths for two products."),
    ("MiBeacon", "xiaomi_ble", "opening", lambda it: only_theirs(it) and it.has_mi_object(0x4A0F, 0x4A1A),
     "MiBeacon, miot-spec: an object has one state. xiaomi-ble adds an open door."),
    ("MiBeacon", "", ".*", lambda it: it.problem == "malformed" and not it.has_mi_sizes(),
     "MiBeacon, BLE Object format: an object is shorter than its definition. Ours gives what it has."),
    ("MiBeacon", "xiaomi_ble", "button!",
     lambda it: it.has_mi_object(0x1001) and not it.has_mi_object(0x1001, value=b"\0\0\0"),
     "MiBeacon, Key event: the third number is a single, double, long or triple click."),
    ("MiBeacon", "xiaomi_ble", ".*",
     lambda it: only_theirs(it) and it.has_mi_object(0x0007, 0x000F, 0x1017, 0x101B, 0x4818),
     "MiBeacon, Gate incident, Unmanned: ours reports the event, or the time, from which xiaomi-ble makes a state."),
    ("MiBeacon", "xiaomi_ble", "button!", lambda it: only_ours(it) and it.product == 0x1949,
     "MiBeacon, 0x4E0C to 0x4E0E (reverse-engineered): ours takes 0 for the only button of a switch."),
    ("MiBeacon", "xiaomi_ble", "illuminance", lambda it: only_ours(it) and it.product != MI_FLOWER,
     "MiBeacon, Illumination properties: the same for all products. xiaomi-ble decodes those of four."),
    ("MiBeacon", "xiaomi_ble", ".*", lambda it: only_theirs(it) and not it.has_mi_sizes(),
     "MiBeacon, BLE Object format: the size is that of the definition. xiaomi-ble takes the first byte of others."),
    ("MiBeacon", "", ".*", lambda it: only_theirs(it) and it.problem == "unknownObject",
     "MiBeacon, ID definition. Ours decodes the common objects, and names the number of others."),
    ("MiBeacon", "xiaomi_ble", ".*", lambda it: only_ours(it) and it.product not in MI_PRODUCTS,
     "MiBeacon, Product ID: objects mean the same for all. xiaomi-ble refuses products that it doesn't know."),
    ("MiBeacon", "xiaomi_ble", ".*",
     lambda it: only_ours(it) and it.mi_flag(0x10) and not it.has_address(5, is_reversed=True),
     "MiBeacon, MAC Address: a fixed one, which the sender's needn't be. xiaomi-ble refuses others."),
    ("MiBeacon", "theengs_decoder", ".*", lambda it: it.is_only_sign(8) or it.is_only_sign(16) or it.is_only_sign(24),
     "MiBeacon, Attribute format: only the temperature is signed."),
    ("MiBeacon", "theengs_decoder", ".*",
     lambda it: it.data[:4] not in THEENGS_HEADS or not it.has_mi_sizes() or len(it.mi_objects()) > 1
     or not it.has_mi_object(*MI_PRODUCTS[it.product]),
     "MiBeacon, BLE Object format: numbers and sizes. TheengsDecoder looks at places that follow from the product."),
    ("(ATC|pvvx) encrypted", "", "temperature", lambda it: it.ours == [value + 128 for value in it.theirs],
     "custom_beacon.c, atc_encrypt_data_beacon: the temperature is u8 and has an offset of 40 °C."),
    ("ATC|pvvx", "", ".*", lambda it: it.payload.key and len(it.data) in (13, 15),
     "custom_beacon.h: the fields follow the device's address. The others go by the size alone."),
    ("ATC$", "", ".*", lambda it: len(it.data) != 13 or not it.has_address(),
     "custom_beacon.h: the fields follow the device's address. The others go by the size alone."),
    ("pvvx$", "", ".*", lambda it: len(it.data) != 15 or not it.has_address(is_reversed=True),
     "custom_beacon.h: the fields follow the device's address. The others go by the size alone."),
]


def explanation(format_name, library, name, payload, ours, theirs):
    """The reason why values with a name differ, or None."""
    it = Difference(payload, name, ours, theirs)
    for formats, libraries, names, condition, reason in RULES:
        if (re.match(formats, format_name) and library.startswith(libraries)
                and re.fullmatch(names, name.partition(" ")[0]) and condition(it)):
            return reason
    return None
