"""The kernel's Bluetooth Management interface (bluez: doc/mgmt-api.txt), past bluetoothd."""

import ctypes
import os
import socket
import struct

AF_BLUETOOTH, BTPROTO_HCI = 31, 1
HCI_CHANNEL_CONTROL, NO_INDEX = 3, 0xFFFF
DISCONNECT, GET_CONNECTIONS = 0x0014, 0x0015
COMMAND_COMPLETE, COMMAND_STATUS = 0x0001, 0x0002
NOT_CONNECTED = 0x02
DEADLINE = 10.0


class Management:
    """Commands to hci0."""

    def __init__(self):
        self.socket = socket.socket(AF_BLUETOOTH, socket.SOCK_RAW | socket.SOCK_CLOEXEC, BTPROTO_HCI)
        # Python's bind takes no channel.
        address = struct.pack("<HHH", AF_BLUETOOTH, NO_INDEX, HCI_CHANNEL_CONTROL)
        if ctypes.CDLL(None, use_errno=True).bind(self.socket.fileno(), address, len(address)) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self.socket.settimeout(DEADLINE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def command(self, code, parameters=b""):
        """The status and the parameters of the response."""
        self.socket.send(struct.pack("<HHH", code, 0, len(parameters)) + parameters)
        while True:
            packet = self.socket.recv(65536)
            event, _, _ = struct.unpack_from("<HHH", packet)
            if event in (COMMAND_COMPLETE, COMMAND_STATUS):
                answered, status = struct.unpack_from("<HB", packet, 6)
                if answered == code:
                    return status, packet[9:]

    def end_links(self):
        """Ends all links, and returns how many there were."""
        status, response = self.command(GET_CONNECTIONS)
        if status != 0:
            return 0
        (count,) = struct.unpack_from("<H", response)
        for number in range(count):
            status, _ = self.command(DISCONNECT, response[2 + 7 * number : 9 + 7 * number])
            if status not in (0, NOT_CONNECTED):
                raise OSError(f"the kernel did not end a link: status {status}")
        return count
