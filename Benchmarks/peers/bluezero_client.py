"""The mock's works for servers with bluezero: bluezero_client.py WORK [NUMBER...]."""

import os
import struct

from bluezero import adapter, peripheral
from gi.repository import GLib

from measurement import NOTIFIED, SERVICE, VALUE, Measurement, arguments, unsupported

# So many values are sent in one pass of the main loop.
PASS = 64


class Server:
    """Publishes one characteristic. The mock's subscription begins the work, and its end ends it."""

    def __init__(self, count, sends):
        self.count, self.sends, self.sent, self.reads, self.measurement = count, sends, 0, 0, None

    def read(self):
        self.reads += 1
        return list(VALUE)

    def send(self, characteristic):
        for number in range(self.sent, min(self.sent + PASS, self.count)):
            characteristic.set_value(struct.pack("<I16x", number))
        self.sent = min(self.sent + PASS, self.count)
        return self.sent < self.count

    def notify(self, notifying, characteristic):
        if notifying:
            self.measurement = Measurement()
            if self.sends:
                GLib.idle_add(self.send, characteristic)
            return
        self.measurement.end(self.count)
        assert self.sends or self.reads == self.count, "reads are missing"
        os._exit(0)

    def run(self):
        served = peripheral.Peripheral(next(adapter.Adapter.available()).address)
        served.add_service(1, SERVICE, True)
        served.add_characteristic(
            1, 1, NOTIFIED, list(VALUE), False, ["read", "notify"],
            read_callback=self.read, notify_callback=self.notify)
        served.publish()


WORKS = {"served-reads": False, "served-values": True}

work, numbers = arguments()
if work not in WORKS:
    unsupported()
Server(numbers[0], WORKS[work]).run()
