"""A framed card reader over Microchip's (ISSC's) Transparent UART. It is silent until the control channel lets it
advertise."""

import asyncio
import binascii
import struct

from .database import Value, characteristic
from .gatt_peers import GattPeer, service

SERVICE = "49535343-fe7d-4ae5-8fa9-9fafd205e455"
WRITE = "49535343-8841-43f4-a8d4-ecbe34729bb3"
NOTIFY = "49535343-1e4d-4bd9-ba61-23c647249616"
PACKET = 20
READ_TRACKS, SEND_APDU, NEWS = b"\xc1\x07", b"\xc1\x08", b"\xee\x01"
TRACKS = b"%B4000000000000002^LAB/LENA^30011010000000000?;4000000000000002=30011010000000000?"
SELECT = b"\x00\xa4\x04\x00"
# An APDU of this class gets no answer, so that a test can interrupt the wait.
SILENT_CLASS = 0xFF


def checksum(body):
    """CRC-16/IBM-3740."""
    return struct.pack(">H", binascii.crc_hqx(body, 0xFFFF))


def frame(command, data):
    body = command + struct.pack(">H", len(data)) + data
    return b"\x02" + body + checksum(body)


class ISSCReader(GattPeer):
    """The service is not advertised. Noise and a frame that nobody asked for come before the tracks."""

    peer = "reader"
    name = "Lab Reader"
    address = "C0:B1:00:00:01:07"

    def __init__(self, link, adapter):
        self.received = b""
        self.answers = asyncio.Queue()
        self.answering = None
        super().__init__(link, adapter)

    def services(self):
        self.transmit = characteristic(NOTIFY, ["notify"], Value())
        receive = characteristic(
            WRITE, ["write", "write-without-response"], Value(lengths=range(1, PACKET + 1), on_write=self.take)
        )
        return [service(SERVICE, receive, self.transmit)]

    def on_connection(self, connection):
        super().on_connection(connection)
        self.answering = asyncio.ensure_future(self.answer())

    def take(self, value):
        """Frames are complete by their length; one with a wrong checksum is skipped."""
        self.received += value
        while len(self.received) >= 5:
            end = struct.unpack(">H", self.received[3:5])[0] + 7
            if len(self.received) < end:
                return
            body, rest = self.received[1 : end - 2], self.received[end - 2 : end]
            self.received = self.received[end:]
            if rest == checksum(body):
                self.answers.put_nowait(self.reply(body[:2], body[4:]))

    def reply(self, command, data):
        if command == READ_TRACKS:
            return b"\x55\x02\x00" + frame(NEWS, b"\x01") + frame(command, TRACKS)
        if command == SEND_APDU and data.startswith(SELECT):
            name = data[5 : 5 + data[4]]
            return frame(command, bytes([0x6F, len(name) + 2, 0x84, len(name)]) + name + b"\x90\x00")
        if command == SEND_APDU and data[0] == SILENT_CLASS:
            return b""
        return frame(command, b"\x6d\x00")

    async def answer(self):
        while True:
            answer = await self.answers.get()
            for start in range(0, len(answer), PACKET):
                await self.notify_value(self.transmit, answer[start : start + PACKET])

    def link_lost(self):
        if self.answering is not None:
            self.answering.cancel()
            self.answering = None
        self.received = b""
        self.answers = asyncio.Queue()
