"""What the peers' clients share: what a piece of work takes, as one line, and the mock's characteristics."""

import struct
import sys
import time


def uuid(number):
    return f"{number:08x}-0000-1000-8000-00805f9b34fb"


SERVICE = uuid(0x180D)
NOTIFIED, READ_ONLY, CONTROL, WRITTEN, STATUS = map(uuid, (0x2A37, 0x2A38, 0x2A39, 0xFF01, 0xFF02))
MANY = [uuid(0xFF10 + index) for index in range(16)]
VALUE = bytes([1] * 20)


def address(index):
    return f"C0:FF:EE:{index >> 16 & 255:02X}:{index >> 8 & 255:02X}:{index & 255:02X}"


def order(numbers):
    """How the mock is ordered to send values: how many, how many a second (0: flat out), and how many at once."""
    return struct.pack("<III", *numbers[:3])


def memory():
    with open("/proc/self/status", encoding="ascii") as file:
        lines = dict(line.split(":", 1) for line in file)
    return (int(lines[name].split()[0]) for name in ("VmHWM", "VmRSS"))


class Measurement:
    """Begins when it is made."""

    def __init__(self):
        self.wall, self.processor = time.monotonic(), time.process_time()

    def end(self, items):
        wall, processor = time.monotonic() - self.wall, time.process_time() - self.processor
        peak, resident = memory()
        print(f"result items={items} seconds={wall} cpu={processor} memory={peak} resident={resident}", flush=True)


class Values:
    """Counts the values that come."""

    def __init__(self, count):
        self.left, self.count, self.bytes = count, count, 0

    def take(self, value):
        """Whether it was the last."""
        self.bytes += len(value)
        self.left -= 1
        return self.left == 0

    def check(self):
        assert self.bytes == self.count * len(VALUE), "the values are not those that were sent"


def check_written(status, count, place):
    """The mock counts what arrives: by requests, by commands, by packets."""
    assert struct.unpack("<III", bytes(status))[place] == count, "not all that was written has arrived"


def arguments():
    """The work, and its numbers."""
    return sys.argv[1], [*map(int, sys.argv[2:]), 0, 0, 0, 0]


def unsupported():
    """What a client of another library cannot do ends with this status."""
    sys.exit(78)
