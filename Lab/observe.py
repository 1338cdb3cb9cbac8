"""Records what bluetoothd sends on the bus, step by step: the order of signals, property sets, errors.

The simulator follows these transcripts. Usage in the guest: observe.py FOLDER [SCENE ...]
"""

import asyncio
import os
import pathlib
import sys
import time

from dbus_fast import Message, Variant

from control_client import Control
from transcript import (
    ADAPTER,
    ADAPTER1,
    CHARACTERISTIC,
    DESCRIPTOR,
    DEVICE,
    OBJECTS,
    PROBE,
    PROPERTIES,
    TAG,
    Client,
    Transcript,
    probe_uuid,
)


def power(on):
    return (ADAPTER, PROPERTIES, "Set", "ssv", ADAPTER1, "Powered", Variant("b", on))


def read_call(path, interface=CHARACTERISTIC, **options):
    return (path, interface, "ReadValue", "a{sv}", options)


def write_call(path, value, interface=CHARACTERISTIC, **options):
    return (path, interface, "WriteValue", "aya{sv}", bytes(value), options)


async def scan(client, control, other):
    await client.step("GetManagedObjects before anything was found", "/", OBJECTS, "GetManagedObjects")
    await client.step("Powered = false", *power(False))
    await client.step("StartDiscovery while off", ADAPTER, ADAPTER1, "StartDiscovery")
    await client.step("Powered = true", *power(True))
    await client.step("Powered = true again", *power(True))
    await client.step(
        "Set Powered with a wrong type", ADAPTER, PROPERTIES, "Set", "ssv", ADAPTER1, "Powered", Variant("s", "x")
    )
    await client.step(
        "Set Address, which is read-only", ADAPTER, PROPERTIES, "Set", "ssv", ADAPTER1, "Address", Variant("s", "x")
    )
    await client.step("StopDiscovery without start", ADAPTER, ADAPTER1, "StopDiscovery")
    bad = {"Transport": Variant("s", "pigeon")}
    await client.step("SetDiscoveryFilter, bad transport", ADAPTER, ADAPTER1, "SetDiscoveryFilter", "a{sv}", bad)
    good = {"Transport": Variant("s", "le"), "DuplicateData": Variant("b", True)}
    await client.step("SetDiscoveryFilter le", ADAPTER, ADAPTER1, "SetDiscoveryFilter", "a{sv}", good)
    await client.step("StartDiscovery", ADAPTER, ADAPTER1, "StartDiscovery")
    await client.until(lambda: PROBE in client.transcript.objects and TAG in client.transcript.objects)
    await client.step("both found; three more quiet seconds of scan with DuplicateData")
    await client.transcript.settle(3)
    await client.step("StartDiscovery twice by the same client", ADAPTER, ADAPTER1, "StartDiscovery")
    await other.step("StartDiscovery by a second client", ADAPTER, ADAPTER1, "StartDiscovery")
    await client.step("StopDiscovery by the first", ADAPTER, ADAPTER1, "StopDiscovery")
    await other.step("StopDiscovery by the second", ADAPTER, ADAPTER1, "StopDiscovery")
    await client.step("StopDiscovery again", ADAPTER, ADAPTER1, "StopDiscovery")
    third = await Client(client.transcript).open()
    await third.step("StartDiscovery by a third client", ADAPTER, ADAPTER1, "StartDiscovery")
    third.bus.disconnect()
    await client.step("the third client leaves the bus")
    uuids = {"UUIDs": Variant("as", [probe_uuid(0)]), "Transport": Variant("s", "le")}
    await client.step("RemoveDevice probe", ADAPTER, ADAPTER1, "RemoveDevice", "o", PROBE)
    await client.step("RemoveDevice tag", ADAPTER, ADAPTER1, "RemoveDevice", "o", TAG)
    await client.step("SetDiscoveryFilter, UUIDs of the probe", ADAPTER, ADAPTER1, "SetDiscoveryFilter", "a{sv}", uuids)
    await client.step("StartDiscovery with UUIDs", ADAPTER, ADAPTER1, "StartDiscovery")
    await client.transcript.settle(2)
    await client.step("StopDiscovery", ADAPTER, ADAPTER1, "StopDiscovery")
    await client.step("GetManagedObjects", "/", OBJECTS, "GetManagedObjects")
    await client.step("GetDiscoveryFilters", ADAPTER, ADAPTER1, "GetDiscoveryFilters")


async def connection(client, control, other):
    await client.find(PROBE, TAG)
    await client.step("GetManagedObjects before Connect", "/", OBJECTS, "GetManagedObjects")
    await client.step("Disconnect while not connected", PROBE, DEVICE, "Disconnect")
    await client.step("Connect", PROBE, DEVICE, "Connect")
    await client.until(lambda: client.property(PROBE, DEVICE, "ServicesResolved"))
    await client.step("Connect while connected", PROBE, DEVICE, "Connect")
    await client.step("GetManagedObjects after Connect", "/", OBJECTS, "GetManagedObjects")
    await client.step("Disconnect", PROBE, DEVICE, "Disconnect")
    await client.step("Connect again (known services)", PROBE, DEVICE, "Connect")
    await client.until(lambda: client.property(PROBE, DEVICE, "ServicesResolved"))
    await client.step("the peer disconnects")
    await control.do("disconnect", "probe")
    await client.transcript.settle()
    await client.step("Connect", PROBE, DEVICE, "Connect")
    await client.step("the link is lost (0x08)")
    await control.do("vanish", "probe")
    await client.transcript.settle()
    first = asyncio.ensure_future(client.step("Connect to nobody, then Connect again", PROBE, DEVICE, "Connect"))
    await asyncio.sleep(1)
    await other.step("second Connect meanwhile", PROBE, DEVICE, "Connect")
    await client.step("Disconnect while connecting", PROBE, DEVICE, "Disconnect")
    await first
    await client.step("Connect to nobody, until it fails", PROBE, DEVICE, "Connect")
    await control.do("return", "probe")
    await client.find(TAG)
    await client.step("Connect the tag", TAG, DEVICE, "Connect")
    await client.until(lambda: client.property(TAG, DEVICE, "ServicesResolved"))
    await client.step("GetManagedObjects with the tag", "/", OBJECTS, "GetManagedObjects")
    await client.step("Disconnect the tag", TAG, DEVICE, "Disconnect")


async def values(client, control, other):
    await client.connect()
    echo, long, sink = (client.characteristic(number) for number in (1, 2, 5))
    commands, ready = client.characteristic(6), client.characteristic(7)
    await client.step("read of echo", *read_call(echo))
    await client.step("the same read again (same value)", *read_call(echo))
    await client.step("read of 400 bytes", *read_call(long))
    await client.step("read with offset 390", *read_call(long, offset=Variant("q", 390)))
    await client.step("read with offset 500", *read_call(long, offset=Variant("q", 500)))
    await client.step("read with an offset of a wrong type", *read_call(long, offset=Variant("s", "x")))
    await client.step("read of a write-only characteristic", *read_call(sink))
    await client.step("write without type", *write_call(echo, b"\x0a\x0b"))
    await client.step("read back", *read_call(echo))
    await client.step("write, type request", *write_call(echo, b"\x0c", type=Variant("s", "request")))
    await client.step("write, type command", *write_call(echo, b"\x0d", type=Variant("s", "command")))
    await client.step("write, type reliable", *write_call(echo, b"\x0e", type=Variant("s", "reliable")))
    await client.step("write, type nonsense", *write_call(echo, b"\x0e", type=Variant("s", "nonsense")))
    await client.step("write of nothing", *write_call(echo, b""))
    await client.step("write of 512 bytes", *write_call(echo, bytes(512)))
    await client.step("write of 513 bytes", *write_call(echo, bytes(513)))
    await client.step("write command of 300 bytes", *write_call(echo, bytes(300), type=Variant("s", "command")))
    await client.step("write with offset 2", *write_call(echo, b"\x01", offset=Variant("q", 2)))
    await client.step("write to read-only", *write_call(ready, b"\x01"))
    await client.step("write command to read-only", *write_call(ready, b"\x01", type=Variant("s", "command")))
    await client.step("write without type to command-only", *write_call(commands, b"\x01"))
    await client.step("write request to command-only", *write_call(commands, b"\x01", type=Variant("s", "request")))
    await client.step("write command to write-only", *write_call(sink, b"\x01", type=Variant("s", "command")))
    name = client.attribute(PROBE, DESCRIPTOR, "00002901-0000-1000-8000-00805f9b34fb")
    own = client.attribute(PROBE, DESCRIPTOR, probe_uuid(8))
    configuration = client.attribute(PROBE, DESCRIPTOR, "00002902-0000-1000-8000-00805f9b34fb")
    await client.step("read of descriptor 2901", *read_call(name, DESCRIPTOR))
    await client.step("write to descriptor 2901 (not writable)", *write_call(name, b"x", DESCRIPTOR))
    await client.step("read of the custom descriptor", *read_call(own, DESCRIPTOR))
    await client.step("write of the custom descriptor", *write_call(own, b"\x11\x22", DESCRIPTOR))
    await client.step("read of a 2902", *read_call(configuration, DESCRIPTOR))
    await client.step("write of a 2902", *write_call(configuration, b"\x01\x00", DESCRIPTOR))
    await client.step("Get MTU", echo, PROPERTIES, "Get", "ss", CHARACTERISTIC, "MTU")
    await client.step("unknown method", echo, CHARACTERISTIC, "Nonsense")
    await client.step("unknown interface", echo, "org.bluez.Nonsense1", "Nonsense")
    await client.step("wrong signature", echo, CHARACTERISTIC, "ReadValue", "s", "x")
    await client.step("unknown property", echo, PROPERTIES, "Get", "ss", CHARACTERISTIC, "Nonsense")
    await client.step("unknown path", PROBE + "/service9999", CHARACTERISTIC, "ReadValue", "a{sv}", {})
    await control.do("delay", "probe", char=probe_uuid(1), ms=1500)
    first = asyncio.ensure_future(client.step("two reads at once, one attribute", *read_call(echo)))
    await asyncio.sleep(0.5)
    await other.step("the second read", *read_call(echo))
    await first
    first = asyncio.ensure_future(client.step("a write during a read", *read_call(echo)))
    await asyncio.sleep(0.5)
    await other.step("the write", *write_call(echo, b"\x77"))
    await first
    first = asyncio.ensure_future(client.step("two writes at once", *write_call(echo, b"\x77")))
    await asyncio.sleep(0.5)
    await other.step("the second write", *write_call(echo, b"\x78"))
    await first


async def notifications(client, control, other):
    await client.connect()
    updates, indicated, echo = (client.characteristic(number) for number in (3, 4, 1))
    await client.step("StopNotify without start", updates, CHARACTERISTIC, "StopNotify")
    await client.step("StartNotify on a characteristic without notify", echo, CHARACTERISTIC, "StartNotify")
    await client.step("StartNotify", updates, CHARACTERISTIC, "StartNotify")
    await client.step("StartNotify again", updates, CHARACTERISTIC, "StartNotify")
    await client.step("notifications 01, 02, 02, 03")
    for value in ("01", "02", "02", "03"):
        await control.do("notify", "probe", char=probe_uuid(3), value=value)
    await client.transcript.settle()
    await client.step("read while notifying", *read_call(updates))
    await other.step("StartNotify by a second client", updates, CHARACTERISTIC, "StartNotify")
    await client.step("one notification, two subscribers")
    await control.do("notify", "probe", char=probe_uuid(3), value="04")
    await client.transcript.settle()
    await client.step("StopNotify by the first", updates, CHARACTERISTIC, "StopNotify")
    await other.step("StopNotify by the second", updates, CHARACTERISTIC, "StopNotify")
    await client.step("StopNotify again", updates, CHARACTERISTIC, "StopNotify")
    await client.step("StartNotify on indications", indicated, CHARACTERISTIC, "StartNotify")
    await client.step("an indication")
    await control.do("notify", "probe", char=probe_uuid(4), value="aabb")
    await client.transcript.settle()
    await client.step("StopNotify", indicated, CHARACTERISTIC, "StopNotify")
    third = await Client(client.transcript).open()
    await third.step("StartNotify by a third client", updates, CHARACTERISTIC, "StartNotify")
    third.bus.disconnect()
    await client.step("the third client leaves the bus")
    await client.step("AcquireNotify", updates, CHARACTERISTIC, "AcquireNotify", "a{sv}", {})
    await client.step("StartNotify while acquired", updates, CHARACTERISTIC, "StartNotify")
    commands = client.characteristic(6)
    await client.step("AcquireWrite", commands, CHARACTERISTIC, "AcquireWrite", "a{sv}", {})
    await client.step("write command while acquired", *write_call(commands, b"\x01", type=Variant("s", "command")))
    await client.step("Disconnect", PROBE, DEVICE, "Disconnect")
    await client.connect()
    await client.step("StartNotify", updates, CHARACTERISTIC, "StartNotify")
    await client.step("the peer disconnects while notifying")
    await control.do("disconnect", "probe")
    await client.transcript.settle()
    await client.step("ReadValue while disconnected", *read_call(updates))
    await client.step("WriteValue while disconnected", *write_call(echo, b"\x01"))
    await client.step("StartNotify while disconnected", updates, CHARACTERISTIC, "StartNotify")
    await client.step("StopNotify while disconnected", updates, CHARACTERISTIC, "StopNotify")
    await client.connect()
    await client.step("StartNotify", updates, CHARACTERISTIC, "StartNotify")
    await control.do("disconnect", "probe")
    await client.step("the peer disconnected while notifying; Connect", PROBE, DEVICE, "Connect")
    await client.transcript.settle(2)
    await client.step("a notification after the reconnection, without another StartNotify")
    sent = await control.do("notify", "probe", char=probe_uuid(3), value="05")
    await client.step(f"it was sent to {sent['sent']} subscribers")


async def faults(client, control, other):
    await client.connect()
    echo = client.characteristic(1)
    own = client.attribute(PROBE, DESCRIPTOR, probe_uuid(8))
    for code in bytes.fromhex("0102030406070809 0a0b0d0e10111213 809ffcfdfeff"):
        for operation, call in (
            ("read", read_call(echo)),
            ("write", write_call(echo, b"\x01", type=Variant("s", "request"))),
        ):
            await control.do("fail", "probe", char=probe_uuid(1), op=operation, att=code)
            await client.step(f"{operation} answered by ATT 0x{code:02x}", *call)
            await control.do("fail", "probe", char=probe_uuid(1), op=operation, att=0)
    await control.do("fail", "probe", char=probe_uuid(8), op="read", att=0x80)
    await client.step("descriptor read answered by ATT 0x80", *read_call(own, DESCRIPTOR))


async def security(client, control, other):
    await client.connect()
    echo = client.characteristic(1)
    for code in (0x05, 0x0F, 0x0C):
        await control.do("fail", "probe", char=probe_uuid(1), op="read", att=code)
        await client.step(f"read answered by ATT 0x{code:02x} (security)", *read_call(echo))
        await client.transcript.settle(2)
        await client.connect()


async def interruptions(client, control, other):
    async def during_read(name, action):
        await control.do("reset")
        await client.transcript.settle(0.3)
        await client.connect()
        await control.do("delay", "probe", char=probe_uuid(1), ms=8000)
        echo = client.characteristic(1)
        reading = asyncio.ensure_future(client.step(f"a slow read, then: {name}", *read_call(echo)))
        await asyncio.sleep(0.5)
        await other.bus.send(Message.new_signal("/", "lab.Observe", "Step", "s", [name]))
        await action()
        await reading
        await client.transcript.settle()

    await during_read("the peer disconnects", lambda: control.do("disconnect", "probe"))
    await during_read("the link is lost", lambda: control.do("vanish", "probe"))
    await during_read("Disconnect", lambda: other.call(PROBE, DEVICE, "Disconnect"))
    await during_read("RemoveDevice", lambda: other.call(ADAPTER, ADAPTER1, "RemoveDevice", "o", PROBE))
    await during_read("Powered = false", lambda: other.call(*power(False)))
    await client.step("Connect while off", PROBE, DEVICE, "Connect")
    await client.step("SetDiscoveryFilter while off", ADAPTER, ADAPTER1, "SetDiscoveryFilter", "a{sv}", {})
    await client.step("Powered = true", *power(True))
    await client.connect()
    echo = client.characteristic(1)
    await client.step("StartDiscovery while connected", ADAPTER, ADAPTER1, "StartDiscovery")
    await client.step("Powered = false while connected and scanning", *power(False))
    await client.step("StopDiscovery after that", ADAPTER, ADAPTER1, "StopDiscovery")
    await client.step("Powered = true", *power(True))
    await client.connect()
    await client.step("RemoveDevice while connected", ADAPTER, ADAPTER1, "RemoveDevice", "o", PROBE)
    await client.step("ReadValue of a removed characteristic", *read_call(echo))
    await client.step("Connect a removed device", PROBE, DEVICE, "Connect")
    await client.step("RemoveDevice of a removed device", ADAPTER, ADAPTER1, "RemoveDevice", "o", PROBE)
    await client.connect()
    await client.step("add-service while connected")
    service = {
        "uuid": probe_uuid(0x20),
        "characteristics": [{"uuid": probe_uuid(0x21), "properties": ["read", "notify"], "value": "2a"}],
    }
    await control.do("add-service", "probe", service=service)
    await client.transcript.settle(2)
    added = client.characteristic(0x21)
    await client.step("read of the new characteristic", *read_call(added))
    await client.step("remove-service while connected")
    await control.do("remove-service", "probe", uuid=probe_uuid(0x20))
    await client.transcript.settle(2)
    await client.step("read of the removed characteristic", *read_call(added))
    updates = client.characteristic(3)
    await client.step("StartNotify", updates, CHARACTERISTIC, "StartNotify")
    await client.step("reset: the peer disconnects while notifying, then is found again")
    await control.do("reset")
    await client.transcript.settle()


async def restart(client, control, other):
    await client.connect()
    async with Control(os.environ["COREBLUEZ_TEST_HARNESS"]) as harness:
        await control.do("delay", "probe", char=probe_uuid(1), ms=3000)
        echo = client.characteristic(1)
        reading = asyncio.ensure_future(client.step("a slow read, then bluetoothd is killed", *read_call(echo)))
        await asyncio.sleep(0.5)
        await harness.do("kill-daemon")
        await reading
        await client.step("a call while nobody owns the name", *read_call(echo))
        await client.step("start-daemon")
        await harness.do("start-daemon")
        await client.transcript.settle(2)
    await client.step("GetManagedObjects after the restart", "/", OBJECTS, "GetManagedObjects")
    await client.objects()
    await client.find(PROBE)
    await client.step("Connect after the restart", PROBE, DEVICE, "Connect")
    await client.transcript.settle(2)


SCENES = [scan, connection, values, notifications, faults, interruptions, restart, security]


async def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[2:]
    transcript = Transcript(folder)
    transcript.begin("start")
    await transcript.open()
    async with Control(os.environ["COREBLUEZ_TEST_CONTROL"]) as control:
        for index, scene in enumerate(SCENES):
            if wanted and scene.__name__ not in wanted:
                continue
            transcript.begin(f"{index + 1}-{scene.__name__}")
            client = await Client(transcript).open()
            other = await Client(transcript).open()
            await control.do("reset")
            await client.objects()
            start = time.monotonic()
            try:
                await scene(client, control, other)
            finally:
                client.bus.disconnect()
                other.bus.disconnect()
            print(f"{scene.__name__}: {time.monotonic() - start:.0f} s", flush=True)


asyncio.run(main())
