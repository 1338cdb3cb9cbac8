"""A GATT database whose attributes check permissions, log, fail and delay on demand."""

import asyncio
import contextvars
import struct

from bumble import att, gatt
from bumble.core import UUID
from bumble.gatt_server import Server

SERVICE_CHANGED = "2a05"
CCCD = gatt.GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR

PROPERTIES = {
    "broadcast": gatt.Characteristic.Properties.BROADCAST,
    "read": gatt.Characteristic.Properties.READ,
    "write-without-response": gatt.Characteristic.Properties.WRITE_WITHOUT_RESPONSE,
    "write": gatt.Characteristic.Properties.WRITE,
    "notify": gatt.Characteristic.Properties.NOTIFY,
    "indicate": gatt.Characteristic.Properties.INDICATE,
    "extended-properties": gatt.Characteristic.Properties.EXTENDED_PROPERTIES,
}

_opcode = contextvars.ContextVar("opcode", default=0)


def full_uuid(uuid):
    """The 128-bit lower-case text of `uuid`."""
    digits = bytes(reversed(uuid.to_bytes(force_128=True))).hex()
    return "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])


def parse_uuid(text):
    """Reads 16-bit and 128-bit UUIDs of any case."""
    if not isinstance(text, str):
        raise ValueError("a UUID must be a string")
    return UUID(text)


class Value:
    """The value of a characteristic or descriptor, with what a test can make it do."""

    def __init__(self, initial=b"", operations=("read",), on_write=None, lengths=None, guard=None):
        """`operations` are "read", "write" and "command"; `on_write` replaces the storing of a written value; `guard`
        gives the ATT error for a link that is not secure enough, or 0."""
        self.initial = bytes(initial)
        self.operations = set(operations)
        self.on_write = on_write
        self.lengths = lengths
        self.guard = guard
        self.log = None
        self.reset()

    def reset(self):
        """Back to the initial value, without faults."""
        self.current = self.initial
        self.fails = {}
        self.delay = 0.0

    def attribute_value(self):
        return att.AttributeValueV2(read=self.read, write=self.write)

    async def read(self, bearer):
        opcode = _opcode.get()
        requested = opcode == att.Opcode.ATT_READ_REQUEST
        if requested and self.log:
            self.log("read", self.current)
        if requested or opcode == att.Opcode.ATT_READ_BLOB_REQUEST:
            await self.wait()
        await self.check(bearer)
        self.raise_fault("read")
        if "read" not in self.operations:
            raise att.ATT_Error(att.ATT_READ_NOT_PERMITTED_ERROR)
        return self.current

    async def write(self, bearer, value):
        operation = "command" if _opcode.get() == att.Opcode.ATT_WRITE_COMMAND else "write"
        value = bytes(value)
        if self.log:
            self.log(operation, value)
        await self.wait()
        await self.check(bearer)
        self.raise_fault("write")
        if operation not in self.operations:
            raise att.ATT_Error(att.ATT_WRITE_NOT_PERMITTED_ERROR)
        if self.lengths is not None and len(value) not in self.lengths:
            raise att.ATT_Error(att.ATT_INVALID_ATTRIBUTE_LENGTH_ERROR)
        if self.on_write is None:
            self.current = value
        else:
            self.on_write(value)

    async def check(self, bearer):
        code = await self.guard(bearer) if self.guard else 0
        if code:
            raise att.ATT_Error(code)

    async def wait(self):
        if self.delay > 0:
            await asyncio.sleep(self.delay)

    def raise_fault(self, operation):
        code = self.fails.get(operation, 0)
        if code:
            raise att.ATT_Error(code)


def characteristic(uuid, properties, value, descriptors=()):
    """A characteristic with a `Value`; `descriptors` are (uuid, Value) pairs."""
    flags = gatt.Characteristic.Properties(0)
    for name in properties:
        if name not in PROPERTIES:
            raise ValueError(f"unknown property {name!r}")
        flags |= PROPERTIES[name]
    names = {"read": "read", "write": "write", "write-without-response": "command"}
    value.operations = {names[name] for name in properties if name in names}
    both = att.Attribute.READABLE | att.Attribute.WRITEABLE
    made = [gatt.Descriptor(UUID(uuid), both, value.attribute_value()) for uuid, value in descriptors]
    for descriptor, (_, contents) in zip(made, descriptors):
        descriptor.contents = contents
    result = gatt.Characteristic(UUID(uuid), flags, both, value.attribute_value(), made)
    result.contents = value
    return result


class Database(Server):
    """Bumble's GATT server, with services that come and go and a log of what the central did."""

    def __init__(self, device, record, max_mtu):
        super().__init__(device)
        self.record = record
        self.max_mtu = max_mtu
        self.on(self.EVENT_CHARACTERISTIC_SUBSCRIPTION, self.on_subscription)

    @staticmethod
    def attribute_service():
        """The GATT service with Service Changed."""
        return gatt.Service("1801", [characteristic(SERVICE_CHANGED, ["indicate"], Value(bytes(4)))])

    def on_gatt_pdu(self, bearer, att_pdu):
        """Handlers run in tasks of their own, which inherit the request's opcode."""
        _opcode.set(att_pdu.op_code)
        super().on_gatt_pdu(bearer, att_pdu)

    def send_response(self, bearer, response):
        """A delayed answer ends with its connection; the next one may have the same handle."""
        if self.device.connections.get(bearer.handle) is bearer:
            super().send_response(bearer, response)

    def next_handle(self):
        return self.attributes[-1].handle + 1 if self.attributes else 1

    def add_service(self, service):
        super().add_service(service)
        for item in service.characteristics:
            self.attach(item, item.uuid)
            for descriptor in item.descriptors:
                if hasattr(descriptor, "contents"):
                    self.attach(descriptor, descriptor.type)

    def attach(self, attribute, uuid):
        def log(operation, value):
            self.record(operation, uuid, value)

        attribute.contents.log = log

    def on_subscription(self, bearer, item, notifies, indicates):
        value = bytes([int(notifies) | int(indicates) << 1, 0])
        self.record("subscribe" if notifies or indicates else "unsubscribe", item.uuid, value)

    def remove_service(self, service):
        handles = range(service.handle, service.end_group_handle + 1)
        self.services.remove(service)
        self.attributes = [each for each in self.attributes if each.handle not in handles]
        for handle in handles:
            self.attributes_by_handle.pop(handle, None)
            for subscriptions in self.subscribers.values():
                subscriptions.pop(handle, None)

    async def indicate_change(self, service):
        """Service Changed, to everybody who subscribed to it; fails if one of them does not confirm it."""
        changed = self.find_characteristic(SERVICE_CHANGED)
        value = struct.pack("<HH", service.handle, service.end_group_handle)
        subscribers = [bearer for bearer, handles in self.subscribers.items() if handles.get(changed.handle)]
        for bearer in subscribers:
            try:
                await self.indicate_subscriber(bearer, changed, value)
            except TimeoutError as error:
                connected = [str(each) for each in self.device.connections.values()]
                raise RuntimeError(f"{bearer} did not confirm Service Changed; connected: {connected}") from error

    def find_service(self, uuid):
        wanted = parse_uuid(uuid)
        for service in self.services:
            if service.uuid == wanted:
                return service
        raise ValueError(f"no service {uuid}")

    def find_characteristic(self, name):
        """`name` is a UUID (the first by handle) or "service-uuid/characteristic-uuid"."""
        if not isinstance(name, str):
            raise ValueError("char must be a string")
        service, _, uuid = name.rpartition("/")
        services = [self.find_service(service)] if service else self.services
        wanted = parse_uuid(uuid)
        found = [item for each in services for item in each.characteristics if item.uuid == wanted]
        if not found:
            raise ValueError(f"no characteristic {name}")
        return found[0]

    def find_contents(self, name):
        """The `Value` of a characteristic, or of a descriptor if no characteristic has that UUID."""
        try:
            return self.find_characteristic(name).contents
        except ValueError:
            wanted = parse_uuid(name.rpartition("/")[2])
            for each in self.attributes:
                if isinstance(each, gatt.Descriptor) and each.type == wanted and hasattr(each, "contents"):
                    return each.contents
            raise

    def contents(self):
        return [each.contents for each in self.attributes if hasattr(each, "contents")]

    def is_subscribed(self, bearer, item):
        """0x01 for notifications, 0x02 for indications, 0 for neither."""
        value = self.subscribers.get(bearer, {}).get(item.handle, b"\x00")
        return value[0] & 3
