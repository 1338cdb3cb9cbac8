"""A peripheral by bless's interface, as its examples use it: what is written to one characteristic is notified by the
other. It ends with SIGINT.
"""

import asyncio
import signal

from bless import BlessServer, GATTAttributePermissions, GATTCharacteristicProperties, GATTDescriptorProperties

SERVICE = "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
VALUE = "C0B10001-7A6B-4D5E-8F90-1A2B3C4D5E6F"
UPDATES = "C0B10003-7A6B-4D5E-8F90-1A2B3C4D5E6F"
NAME = "00002901-0000-1000-8000-00805f9b34fb"

READABLE, WRITABLE = GATTAttributePermissions.readable, GATTAttributePermissions.writeable
TREE = {
    SERVICE: {
        VALUE: {
            "Properties": GATTCharacteristicProperties.read | GATTCharacteristicProperties.write,
            "Permissions": READABLE | WRITABLE, "Value": bytearray([1, 2, 3]),
            "Descriptors": {
                NAME: {"Properties": GATTDescriptorProperties.read, "Permissions": READABLE, "Value": bytearray(b"A")},
            },
        },
        UPDATES: {"Properties": GATTCharacteristicProperties.notify, "Permissions": READABLE, "Value": bytearray()},
    },
}


async def main():
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, ended.set)
    server = BlessServer(name="Python", loop=asyncio.get_running_loop())

    def read(characteristic):
        return characteristic.value

    def write(characteristic, value):
        characteristic.value = value
        server.get_characteristic(UPDATES).value = value
        server.update_value(SERVICE, UPDATES)

    server.read_request_func, server.write_request_func = read, write
    await server.add_gatt(TREE)
    await server.start()
    assert await server.is_advertising(), "bless does not advertise"
    print("Advertisement registered", flush=True)
    await ended.wait()
    await server.stop()


asyncio.run(main())
