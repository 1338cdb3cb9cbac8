"""An RFCOMM service on an adapter of its own: registers a Profile1 with bluetoothd, and sends back what it gets.

Usage: rfcomm_echo.py ADAPTER NAME UUID. Says on standard output, one line each: ready; connected; ended COUNT SHA256.

bluetoothd has one profile of a UUID since 5.60, and both ends of the lab's link belong to one bluetoothd. So the
profile is registered with another UUID, and names the one that it offers in its service record.
"""

import asyncio
import hashlib
import os
import select
import sys
import threading

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, method

OWN_UUID = "c1a5ffff-7a6b-4d5e-8f90-1a2b3c4d5e6f"
CHANNEL = 22
RECORD = """<?xml version="1.0" encoding="UTF-8" ?>
<record>
  <attribute id="0x0001"><sequence><uuid value="{uuid}" /></sequence></attribute>
  <attribute id="0x0004">
    <sequence>
      <sequence><uuid value="0x0100" /></sequence>
      <sequence><uuid value="0x0003" /><uint8 value="{channel:#04x}" /></sequence>
    </sequence>
  </attribute>
  <attribute id="0x0005"><sequence><uuid value="0x1002" /></sequence></attribute>
  <attribute id="0x0100"><text value="{name}" /></attribute>
</record>
"""


def say(*words):
    print(*words, flush=True)


def wait(descriptor, events):
    poll = select.poll()
    poll.register(descriptor, events)
    return poll.poll()


def echo(descriptor):
    """Until the channel ends. The descriptor does not wait by itself."""
    count, digest = 0, hashlib.sha256()
    say("connected")
    try:
        while True:
            wait(descriptor, select.POLLIN)
            data = os.read(descriptor, 1 << 16)
            if not data:
                break
            count += len(data)
            digest.update(data)
            rest = memoryview(data)
            while rest:
                wait(descriptor, select.POLLOUT)
                try:
                    rest = rest[os.write(descriptor, rest) :]
                except BlockingIOError:
                    continue
    except OSError:
        pass
    os.close(descriptor)
    say("ended", count, digest.hexdigest())


class Profile(ServiceInterface):
    """What bluetoothd hands channels to."""

    def __init__(self):
        super().__init__("org.bluez.Profile1")

    @method()
    def Release(self):
        pass

    @method()
    def NewConnection(self, device: "o", fd: "h", properties: "a{sv}"):
        threading.Thread(target=echo, args=(fd,), daemon=True).start()

    @method()
    def RequestDisconnection(self, device: "o"):
        pass


class Agent(ServiceInterface):
    """Says yes, for both ends of the link."""

    def __init__(self):
        super().__init__("org.bluez.Agent1")

    @method()
    def Release(self):
        pass

    @method()
    def RequestAuthorization(self, device: "o"):
        pass

    @method()
    def RequestConfirmation(self, device: "o", passkey: "u"):
        pass

    @method()
    def AuthorizeService(self, device: "o", uuid: "s"):
        pass

    @method()
    def Cancel(self):
        pass


async def call(bus, path, interface, member, signature="", *body):
    reply = await bus.call(Message("org.bluez", path, interface, member, signature=signature, body=list(body)))
    if reply.message_type is MessageType.ERROR:
        raise RuntimeError(f"{member}: {reply.error_name}: {reply.body}")
    return reply.body


async def main():
    adapter, name, uuid = sys.argv[1:]
    bus = await MessageBus(bus_type=BusType.SYSTEM, negotiate_unix_fd=True).connect()
    bus.export("/lab/agent", Agent())
    bus.export("/lab/profile", Profile())
    await call(bus, "/org/bluez", "org.bluez.AgentManager1", "RegisterAgent", "os", "/lab/agent", "NoInputNoOutput")
    await call(bus, "/org/bluez", "org.bluez.AgentManager1", "RequestDefaultAgent", "o", "/lab/agent")
    options = {
        "Name": Variant("s", name),
        "Role": Variant("s", "server"),
        "Channel": Variant("q", CHANNEL),
        "ServiceRecord": Variant("s", RECORD.format(uuid=uuid, channel=CHANNEL, name=name)),
        "RequireAuthentication": Variant("b", False),
        "RequireAuthorization": Variant("b", False),
    }
    profiles = "org.bluez.ProfileManager1"
    await call(bus, "/org/bluez", profiles, "RegisterProfile", "osa{sv}", "/lab/profile", OWN_UUID, options)
    properties = [
        ("Alias", Variant("s", name)),
        ("DiscoverableTimeout", Variant("u", 0)),
        ("Discoverable", Variant("b", True)),
    ]
    for key, value in properties:
        path = f"/org/bluez/{adapter}"
        await call(bus, path, "org.freedesktop.DBus.Properties", "Set", "ssv", "org.bluez.Adapter1", key, value)
    say("ready")
    await asyncio.get_running_loop().create_future()


asyncio.run(main())
