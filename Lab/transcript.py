"""A transcript of the bus, and a client of bluetoothd that carries out the steps in it."""

import asyncio
import json
import time

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

ADAPTER = "/org/bluez/hci0"
PROBE = ADAPTER + "/dev_BC_6A_29_AB_AB_51"
TAG = ADAPTER + "/dev_BC_6A_29_AB_AB_50"
DEVICE = "org.bluez.Device1"
ADAPTER1 = "org.bluez.Adapter1"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"
DESCRIPTOR = "org.bluez.GattDescriptor1"
PROPERTIES = "org.freedesktop.DBus.Properties"
OBJECTS = "org.freedesktop.DBus.ObjectManager"
QUIET = 0.5
DEADLINE = 50.0


def probe_uuid(number):
    return f"c0b1{number:04x}-7a6b-4d5e-8f90-1a2b3c4d5e6f"


def plain(value):
    """A D-Bus value as something that can be printed."""
    if isinstance(value, Variant):
        if value.signature == "ay":
            return "0x" + bytes(value.value).hex()
        return plain(value.value)
    if isinstance(value, (bytes, bytearray)):
        return "0x" + bytes(value).hex()
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


def text(value):
    return json.dumps(plain(value), ensure_ascii=False)


class Transcript:
    """A monitor of the bus. It writes one line for each message, in the order of the bus."""

    def __init__(self, folder):
        self.folder = folder
        self.start = time.monotonic()
        self.last = self.start
        self.file = None
        self.calls = {}
        self.objects = {}
        self.names = {}

    async def open(self):
        self.bus = await MessageBus(bus_type=BusType.SYSTEM, negotiate_unix_fd=True).connect()
        await self.bus.call(
            Message(
                destination="org.freedesktop.DBus",
                path="/org/freedesktop/DBus",
                interface="org.freedesktop.DBus.Monitoring",
                member="BecomeMonitor",
                signature="asu",
                body=[[], 0],
            )
        )
        self.bus.add_message_handler(self.heard)

    def begin(self, name):
        if self.file:
            self.file.close()
        self.file = open(self.folder / f"{name}.txt", "w", encoding="utf-8")
        self.start = self.last = time.monotonic()

    def write(self, line):
        now = time.monotonic()
        if '{"RSSI"' not in line:
            self.last = now
        self.file.write(f"{(now - self.start) * 1000:8.0f} ms  {line}\n")
        self.file.flush()

    def heard(self, message):
        try:
            self.describe(message)
        except Exception as error:  # a monitor must never answer
            self.write(f"?? {error!r}")
        return True

    def describe(self, message):
        key = (message.sender, message.serial)
        if message.message_type == MessageType.METHOD_CALL:
            if message.interface == "org.freedesktop.DBus" and message.destination == "org.freedesktop.DBus":
                if message.member not in ("RequestName", "ReleaseName"):
                    return
            self.calls[key] = message
            self.write(f"-> {message.path} {message.interface}.{message.member} {text(message.body)}")
        elif message.message_type in (MessageType.METHOD_RETURN, MessageType.ERROR):
            call = self.calls.pop((message.destination, message.reply_serial), None)
            if call is None:
                return
            what = f"{call.path} {call.member}"
            if message.message_type == MessageType.ERROR:
                self.write(f"<- {what} ERROR {message.error_name} {text(message.body)}")
            else:
                self.write(f"<- {what} ({message.signature}) {text(message.body)}")
        elif message.member == "Step":
            self.write(f"## {message.body[0]}")
        elif message.member != "NameAcquired" and message.member != "NameLost":
            self.mirror(message)
            self.write(f"!! {message.path} {message.interface}.{message.member} {text(message.body)}")

    def mirror(self, message):
        if message.member == "NameOwnerChanged" and message.body[0] == "org.bluez":
            self.objects.clear()
        if message.member == "InterfacesAdded":
            path, interfaces = message.body
            known = self.objects.setdefault(path, {})
            for interface, properties in interfaces.items():
                known[interface] = {name: each.value for name, each in properties.items()}
        elif message.member == "InterfacesRemoved":
            path, interfaces = message.body
            for interface in interfaces:
                self.objects.get(path, {}).pop(interface, None)
            if not self.objects.get(path):
                self.objects.pop(path, None)
        elif message.member == "PropertiesChanged":
            known = self.objects.setdefault(message.path, {}).setdefault(message.body[0], {})
            known.update({name: each.value for name, each in message.body[1].items()})

    async def settle(self, quiet=QUIET):
        """Waits until nothing has been sent for a while."""
        self.last = time.monotonic()
        end = self.last + quiet + 5
        while time.monotonic() < min(self.last + quiet, end):
            await asyncio.sleep(0.05)


class Client:
    """A client of bluetoothd that never stops on an error."""

    def __init__(self, transcript):
        self.transcript = transcript

    async def open(self):
        self.bus = await MessageBus(bus_type=BusType.SYSTEM, negotiate_unix_fd=True).connect()
        return self

    async def call(self, path, interface, member, signature="", *body):
        message = Message(
            destination="org.bluez", path=path, interface=interface, member=member, signature=signature, body=list(body)
        )
        try:
            return await asyncio.wait_for(self.bus.call(message), DEADLINE)
        except TimeoutError:
            return None

    async def step(self, name, *call):
        """Marks a step; carries out a call; waits until its consequences have been heard."""
        await self.bus.send(Message.new_signal("/", "lab.Observe", "Step", "s", [name]))
        reply = await self.call(*call) if call else None
        await self.transcript.settle()
        return reply

    async def objects(self):
        reply = await self.call("/", OBJECTS, "GetManagedObjects")
        found = {
            path: {name: {key: each.value for key, each in values.items()} for name, values in interfaces.items()}
            for path, interfaces in reply.body[0].items()
        }
        self.transcript.objects = found
        return found

    def attribute(self, device, interface, uuid):
        found = sorted(
            path
            for path, interfaces in self.transcript.objects.items()
            if path.startswith(device + "/") and interfaces.get(interface, {}).get("UUID") == uuid
        )
        return found[0] if found else device + "/not-found"

    def characteristic(self, number, device=PROBE):
        return self.attribute(device, CHARACTERISTIC, probe_uuid(number))

    async def until(self, condition):
        end = time.monotonic() + DEADLINE
        while not condition() and time.monotonic() < end:
            await asyncio.sleep(0.05)

    def property(self, path, interface, name):
        return self.transcript.objects.get(path, {}).get(interface, {}).get(name)

    async def find(self, *paths):
        """Both are known to bluetoothd afterwards, and the scan is over."""
        await self.call(ADAPTER, ADAPTER1, "SetDiscoveryFilter", "a{sv}", {"Transport": Variant("s", "le")})
        await self.call(ADAPTER, ADAPTER1, "StartDiscovery")
        await self.until(lambda: all(path in self.transcript.objects for path in paths))
        await self.call(ADAPTER, ADAPTER1, "StopDiscovery")

    async def connect(self, path=PROBE):
        if path not in self.transcript.objects:
            await self.find(path)
        await self.call(path, DEVICE, "Connect")
        await self.until(lambda: self.property(path, DEVICE, "ServicesResolved"))
        await self.objects()

    async def read(self, path, options=None):
        return await self.call(path, CHARACTERISTIC, "ReadValue", "a{sv}", options or {})
