"""What is measured: each case is done by several clients in turn."""

import dataclasses

# What a device of the mock has.
OBJECTS = 31


@dataclasses.dataclass(frozen=True)
class Run:
    """One client's way to do a case; `share` of the items, for clients that would take too long."""

    label: str
    client: str
    work: str
    share: float = 1


@dataclasses.dataclass(frozen=True)
class Metric:
    """A number that is reported: its name, its unit, how it is computed of a run's result, and how it is printed."""

    name: str
    unit: str
    compute: object
    digits: int = 1


CPU = Metric("CPU", "us each", lambda result: result["cpu"] / result["items"] * 1e6, 2)
RATE = Metric("rate", "/s", lambda result: result["items"] / result["seconds"], 0)
TIME = Metric("time", "ms", lambda result: result["seconds"] * 1e3, 2)
WALL = Metric("process time", "ms", lambda result: result["process_seconds"] * 1e3)
PROCESS_CPU = Metric("process CPU", "ms", lambda result: result["process_cpu"] * 1e3)
MEMORY = Metric("peak memory", "MB", lambda result: result["memory"] / 1024)


@dataclasses.dataclass(frozen=True)
class Case:
    """Something that is measured: `numbers` follow the count on the clients' command lines, `options` go to the mock,
    and `quick` is the count of a short run where a twentieth would be too few."""

    name: str
    title: str
    count: int
    runs: tuple
    metrics: tuple
    numbers: tuple = ()
    options: object = lambda count: ()
    quick: int = 0


def clients(work, c=True, values=False, bleak=True, simplepyble=None, bleak_py=None):
    """The usual runs, with all ways to receive `values`; a share of the items for the peers that have one."""
    runs = [Run("C", "C", work)] if c else []
    runs.append(Run("CoreBlueZ", "CoreBlueZ", work))
    if values:
        runs.append(Run("CoreBlueZ, for await", "CoreBlueZ", "sequence"))
        runs.append(Run("CoreBlueZ, CoreBluetooth's delegate", "CoreBluetooth", work))
    if bleak:
        runs.append(Run("bleak", "bleak", work))
    if simplepyble:
        runs.append(Run("simplepyble", "simplepyble", work, simplepyble))
    if bleak_py:
        runs.append(Run("bleak-py", "bleak-py", work, bleak_py))
    return tuple(runs)


def known(devices):
    return lambda _: ("--devices", devices, "--attributes")


READS = (
    Run("C", "C", "reads"), Run("C, message built each time", "C", "plain-reads"),
    Run("CoreBlueZ", "CoreBlueZ", "reads"), Run("CoreBlueZ, await", "CoreBlueZ", "awaits"),
    Run("bleak", "bleak", "reads"),
    Run("simplepyble", "simplepyble", "reads", 0.3), Run("bleak-py", "bleak-py", "reads", 0.3))
PROCESS = (
    Run("C", "C", "process"), Run("CoreBlueZ", "CoreBlueZ", "process"),
    Run("CoreBlueZ, dynamic", "CoreBlueZ, dynamic", "process"), Run("bleak", "bleak", "process"),
    Run("simplepyble", "simplepyble", "process"), Run("bleak-py", "bleak-py", "process"))
SERVED_READS = (
    Run("C", "C", "served-reads"), Run("CoreBlueZ", "CoreBlueZ", "served-reads"),
    Run("bluezero", "bluezero", "served-reads", 0.3))
SERVED_VALUES = (
    Run("C", "C", "served-values"), Run("C, header built each time", "C", "plain-served-values"),
    Run("CoreBlueZ", "CoreBlueZ", "served-values"), Run("CoreBlueZ, await", "CoreBlueZ", "served-awaits"),
    Run("bluezero", "bluezero", "served-values", 0.1))
CONNECT = clients("connections", simplepyble=1, bleak_py=1)

CASES = [
    Case("notify-flood", "Notifications, flat out", 100_000,
         clients("notifications", values=True, simplepyble=0.3, bleak_py=0.1), (CPU, RATE), (0, 1)),
    Case("notify-single", "Notifications, 5,000/s singly", 10_000,
         clients("notifications", values=True, simplepyble=0.5, bleak_py=0.5), (CPU,), (5000, 1)),
    Case("notify-ten", "Notifications, 5,000/s ten at a time", 10_000,
         clients("notifications", values=True, simplepyble=0.5, bleak_py=0.5), (CPU,), (5000, 10)),
    Case("many", "Notifications of 100 peripherals at once, 5,000/s", 10_000,
         clients("many", simplepyble=0.5, bleak_py=0.5), (CPU, MEMORY), (5000, 100, 100),
         lambda _: ("--devices", 100, "--found", 100)),
    Case("acquire-flood", "AcquireNotify, flat out", 300_000, clients("acquired"), (CPU, RATE), (0, 1)),
    Case("acquire-single", "AcquireNotify, 5,000/s singly", 10_000, clients("acquired"), (CPU,), (5000, 1)),
    Case("reads", "Reads, one after the other", 10_000, READS, (RATE, CPU)),
    Case("reads-at-once", "Reads of 16 characteristics at once", 32_000,
         clients("reads-at-once", bleak_py=0.2), (CPU, RATE)),
    Case("requests", "Writes with response", 10_000, clients("requests", simplepyble=0.3, bleak_py=0.3), (RATE, CPU)),
    Case("commands", "Writes without response", 10_000,
         (*clients("commands", simplepyble=0.3, bleak_py=0.3), Run("CoreBlueZ, await", "CoreBlueZ", "command-awaits")),
         (RATE, CPU)),
    Case("acquire-write", "AcquireWrite", 300_000,
         (*clients("acquired-writes", bleak=False), Run("CoreBlueZ, await", "CoreBlueZ", "acquired-awaits")),
         (CPU, RATE)),
    Case("serve-reads", "As a peripheral: reads served, one after the other", 10_000, SERVED_READS, (RATE, CPU), (),
         lambda count: ("--reads", count)),
    Case("serve-reads-at-once", "As a peripheral: reads served, four at once", 10_000, SERVED_READS, (RATE, CPU), (),
         lambda count: ("--reads", count, "--outstanding", 4)),
    Case("serve-values", "As a peripheral: notifications, flat out", 100_000, SERVED_VALUES, (CPU, RATE), (),
         lambda count: ("--values", count)),
    Case("advertisements", "Advertisements, 5,000/s of 1,000 devices", 10_000,
         (*clients("scan"), Run("CoreBlueZ, decoded", "CoreBlueZ", "decoded-scan")), (CPU,), (),
         lambda count: ("--devices", 1000, "--advertisements", count, "--rate", 5000)),
    Case("start", "Start with 31,002 objects", 1, clients("start", simplepyble=1, bleak_py=1),
         (PROCESS_CPU, WALL, MEMORY), (), known(1000), quick=1),
    Case("connect-1", "Connect and discover, one device known", 20, CONNECT, (TIME,), quick=3),
    Case("connect-1000", "Connect and discover, 1,000 devices known", 20, CONNECT, (TIME,), (),
         lambda _: ("--devices", 1000), quick=3),
    Case("connect-31000", "Connect and discover, 31,002 objects known", 20, CONNECT, (TIME,), (), known(1000), quick=3),
    Case("process", "A process that finds, connects and reads", 1, PROCESS, (WALL, PROCESS_CPU, MEMORY), quick=1),
]


@dataclasses.dataclass(frozen=True)
class Counted:
    """What callgrind or strace counts: instructions or system calls of one item, as a slope between two run lengths."""

    label: str
    works: dict
    short: int
    long: int
    numbers: object = lambda count: (count, 0, 1)
    options: object = lambda count: ()
    items: object = lambda count: count


def scan_options(count):
    return ("--devices", 100, "--advertisements", count)


NOTIFICATIONS = dict.fromkeys(("C", "CoreBlueZ", "CoreBluetooth", "bleak"), "notifications")
COUNTED = {
    "notification": Counted("Notification", NOTIFICATIONS, 1000, 5000),
    "sequence": Counted("Notification, for await", {"C": "notifications", "CoreBlueZ": "sequence"}, 1000, 5000),
    "acquired": Counted(
        "AcquireNotify value", {"C": "acquired", "CoreBlueZ": "acquired", "bleak": "acquired"}, 2000, 10000),
    "read": Counted("Read", {"C": "reads", "CoreBlueZ": "reads", "bleak": "reads"}, 500, 2500, lambda count: (count,)),
    "await": Counted("Read, await", {"C": "reads", "CoreBlueZ": "awaits"}, 500, 2500, lambda count: (count,)),
    "request": Counted(
        "Write with response", {"C": "requests", "CoreBlueZ": "requests", "bleak": "requests"}, 500, 2500,
        lambda count: (count,)),
    "command": Counted(
        "Write without response", {"C": "commands", "CoreBlueZ": "commands", "bleak": "commands"}, 500, 2500,
        lambda count: (count,)),
    "command-await": Counted(
        "Write without response, await", {"C": "commands", "CoreBlueZ": "command-awaits"}, 500, 2500,
        lambda count: (count,)),
    "acquired-write": Counted(
        "AcquireWrite value", {"C": "acquired-writes", "CoreBlueZ": "acquired-writes"}, 2000, 10000,
        lambda count: (count,)),
    "served-read": Counted(
        "Read served", {"C": "served-reads", "CoreBlueZ": "served-reads"}, 500, 2500, lambda count: (count,),
        lambda count: ("--reads", count)),
    "served-value": Counted(
        "Notification sent", {"C": "served-values", "CoreBlueZ": "served-values"}, 1000, 5000, lambda count: (count,),
        lambda count: ("--values", count)),
    "advertisement": Counted(
        "Advertisement", {"C": "scan", "CoreBlueZ": "scan", "bleak": "scan"}, 1000, 5000, lambda count: (count,),
        scan_options),
    "object": Counted(
        "Object of the tree", {"C": "tree", "CoreBlueZ": "tree"}, 20, 100, lambda _: (),
        lambda devices: ("--devices", devices, "--attributes"), lambda devices: devices * OBJECTS),
}

# By strace. At a rate, the values come as they do from a peripheral.
SYSTEM_CALLS = {
    f"{name}-{pace}": Counted(
        f"{title}, {text}", works, 1000, 5000,
        lambda count, rate=rate, burst=burst: (count, rate, burst))
    for name, title, works in (
        ("notification", "Notification", NOTIFICATIONS),
        ("acquired", "AcquireNotify value", {"C": "acquired", "CoreBlueZ": "acquired", "bleak": "acquired"}))
    for pace, text, rate, burst in (
        ("flood", "flat out", 0, 1), ("single", "5,000/s singly", 5000, 1), ("ten", "5,000/s in tens", 5000, 10))
} | {"read": COUNTED["read"], "request": COUNTED["request"]}
