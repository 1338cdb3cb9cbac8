"""An accessory of classic Bluetooth: 10 MB through an AccessorySession to an RFCOMM echo service and back, on two
virtual adapters; and udev's rule that starts a program at a link.

Usage in the guest: accessory_check.py PROGRAM; the program is that of Benchmarks/streams.
"""

import asyncio
import glob
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from programs import Program

ROOT = pathlib.Path(__file__).resolve().parent.parent
BTVIRT = pathlib.Path(sys.prefix).parent / "btvirt/root/usr/bin/btvirt"
DOCUMENT = ROOT / "Documentation/Accessories.md"
RULES = pathlib.Path("/run/udev/rules.d/80-accessory.rules")
UDEVD = ("/lib/systemd/systemd-udevd", "/usr/lib/systemd/systemd-udevd")
OURS, THEIRS = "hci1", "hci2"
NAME = "Lab Port"
UUID = "c1a50000-7a6b-4d5e-8f90-1a2b3c4d5e6f"
COUNT = 10_000_000
DEADLINE = 120.0


class Wrong(Exception):
    """What happened is not what should have."""


def daemon_log():
    path = pathlib.Path(os.environ["LAB_OUT"]) / "bluetoothd.log"
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


def show_kernel_defect(since):
    """Says so if the link has ended although nobody asked bluetoothd for it: boot.py knows the sentence.

    Linux 6.1 can lose count of who uses a link (hci_conn_timeout then finds fewer than none, net/bluetooth/hci_conn.c).
    """
    lines = daemon_log()[since:]
    ends = [index for index, line in enumerate(lines) if "dev_disconnected()" in line]
    if ends and not any("mgmt.c:send_request()" in line and "command 0x0014" in line for line in lines[: ends[0]]):
        print("lab: the guest's kernel has ended a link that was in use", flush=True)


async def until(condition, what):
    end = time.monotonic() + DEADLINE
    while not await condition():
        if time.monotonic() > end:
            raise Wrong(f"{what}: not there after {DEADLINE:.0f} s")
        await asyncio.sleep(0.2)


async def power(adapter):
    """Switches an adapter on, as soon as bluetoothd has it and the kernel is ready."""
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()

    async def is_on():
        message = Message(
            "org.bluez",
            f"/org/bluez/{adapter}",
            "org.freedesktop.DBus.Properties",
            "Set",
            signature="ssv",
            body=["org.bluez.Adapter1", "Powered", Variant("b", True)],
        )
        return (await bus.call(message)).message_type is not MessageType.ERROR

    await until(is_on, f"{adapter} with power")
    bus.disconnect()


def start_udev():
    """Starts udev with the document's rule. False where the machine has no udev."""
    daemon = next((path for path in UDEVD if os.path.exists(path)), None)
    if daemon is None or shutil.which("udevadm") is None:
        return False
    RULES.parent.mkdir(parents=True, exist_ok=True)
    RULES.write_text(re.search(r"```text\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.S)[1])
    subprocess.run([daemon, "--daemon"], check=True)
    return True


async def link_properties():
    """What udev knows of the kernel's device for our link, line by line."""
    found = []

    async def is_known():
        paths = glob.glob(f"/sys/class/bluetooth/{OURS}:*")
        query = ["udevadm", "info", "--query=property", "--path"]
        texts = [subprocess.run([*query, path], capture_output=True, text=True).stdout for path in paths]
        found[:] = [line for text in texts for line in text.splitlines()]
        return any(line.startswith("SYSTEMD_WANTS=") for line in found)

    await until(is_known, "udev's properties of the link")
    return found


async def check(program, has_udev):
    echo = [sys.executable, "-B", str(ROOT / "Lab/rfcomm_echo.py"), THEIRS, NAME, UUID]
    async with Program(*echo) as server:
        if not await server.until(lambda: "ready\n" in server.lines):
            raise Wrong(await server.complaints())
        sent, came = pathlib.Path("/run/accessory-sent"), pathlib.Path("/run/accessory-came")
        sent.write_bytes(os.urandom(COUNT))
        arguments = ["accessory", "--adapter", OURS, "--name", NAME, "--uuid", UUID]
        arguments += ["--input", str(sent), "--output", str(came)]
        async with Program(program, *arguments) as client:
            if not await server.until(lambda: "connected\n" in server.lines):
                raise Wrong(await server.complaints())
            print("ok          accessory: the session's channel is open", flush=True)
            since = len(daemon_log())
            if has_udev:
                properties = dict(line.split("=", 1) for line in await link_properties() if "=" in line)
                wants, tags = properties.get("SYSTEMD_WANTS", ""), properties.get("TAGS", "")
                if "accessory.service" not in wants.split() or ":systemd:" not in tags:
                    raise Wrong(f"udev: {properties}")
                print("ok          accessory: udev wants accessory.service for the link", flush=True)
            code = await client.end()
            if code != 0:
                show_kernel_defect(since)
            await server.until(lambda: any(line.startswith("ended") for line in server.lines))
            if code != 0:
                raise Wrong(f"status {code}, {await client.complaints()!r}; the service: {server.lines}")
        count, digest = server.lines[-1].split()[1:]
        hashes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (sent, came)]
        if int(count) != COUNT or hashes != [digest] * 2:
            raise Wrong(f"sent and came back {hashes}, the service got {count} bytes, {digest}")
        rate = client.lines[-1].strip()
        print(f"ok          accessory: {COUNT} bytes both ways, SHA-256 {digest}, {rate} kB/s each way", flush=True)


def show_daemon():
    """What bluetoothd did last: both ends of the link are its own."""
    for line in [line for line in daemon_log() if "src/shared/mgmt.c" not in line][-60:]:
        print(line, flush=True)


async def main():
    program = sys.argv[1]
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = os.environ["COREBLUEZ_TEST_BUS"]
    has_udev = start_udev()
    if not has_udev:
        print("left out    accessory: no udev on this machine", flush=True)
    log = pathlib.Path(os.environ["LAB_OUT"]) / "btvirt.log"
    with open(log, "wb") as output:
        adapters = subprocess.Popen([str(BTVIRT), "-l2"], stdout=output, stderr=subprocess.STDOUT)
    try:
        for adapter in (OURS, THEIRS):
            await power(adapter)
        await check(program, has_udev)
    except Wrong as error:
        show_daemon()
        sys.exit(f"accessory: {error}")
    finally:
        adapters.kill()


if __name__ == "__main__":
    asyncio.run(main())
