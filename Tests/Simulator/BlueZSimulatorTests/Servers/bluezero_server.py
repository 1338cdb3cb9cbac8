"""A peripheral by bluezero's interface, as its examples use it: what is written to one characteristic is notified by
the other. It ends with SIGINT.

Usage: bluezero_server.py ADAPTER'S-ADDRESS
"""

import sys

from bluezero import peripheral

SERVICE = "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
VALUE = "C0B10001-7A6B-4D5E-8F90-1A2B3C4D5E6F"
UPDATES = "C0B10003-7A6B-4D5E-8F90-1A2B3C4D5E6F"

stored, subscribed = [1, 2, 3], []


def read():
    return stored


def write(value, _options):
    stored[:] = value
    for characteristic in subscribed:
        characteristic.set_value(value)


def notify(notifying, characteristic):
    subscribed[:] = [characteristic] if notifying else []


server = peripheral.Peripheral(sys.argv[1], local_name="Python")
server.add_service(srv_id=1, uuid=SERVICE, primary=True)
server.add_characteristic(
    srv_id=1, chr_id=1, uuid=VALUE, value=[], notifying=False, flags=["read", "write"], read_callback=read,
    write_callback=write)
server.add_descriptor(srv_id=1, chr_id=1, dsc_id=1, uuid="2901", value=[0x41], flags=["read"])
server.add_characteristic(
    srv_id=1, chr_id=2, uuid=UPDATES, value=[], notifying=False, flags=["notify"], notify_callback=notify)
# It prints that the advertisement is registered.
server.publish()
