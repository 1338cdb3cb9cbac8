"""A Nordic UART that sends back what it gets. It is silent until the control channel lets it advertise."""

import asyncio

from .database import Value, characteristic
from .gatt_peers import GattPeer, service


def uuid(number):
    return f"6e40{number:04x}-b5a3-f393-e0a9-e50e24dcca9e"


class NordicUART(GattPeer):
    """The service is not advertised: a central recognises it after connecting."""

    peer = "uart"
    name = "Lab UART"
    address = "C0:B1:00:00:01:06"

    def __init__(self, link, adapter):
        self.waiting = asyncio.Queue()
        self.echoing = None
        super().__init__(link, adapter)

    def services(self):
        self.transmit = characteristic(uuid(3), ["notify"], Value())
        receive = characteristic(
            uuid(2), ["write", "write-without-response"], Value(lengths=range(1, 513), on_write=self.take)
        )
        return [service(uuid(1), receive, self.transmit)]

    def on_connection(self, connection):
        super().on_connection(connection)
        self.echoing = asyncio.ensure_future(self.echo())

    def take(self, value):
        self.waiting.put_nowait(value)

    async def echo(self):
        """One notification for each write, in order; nothing of one link is left for the next."""
        while True:
            await self.notify_value(self.transmit, await self.waiting.get())

    def link_lost(self):
        if self.echoing is not None:
            self.echoing.cancel()
            self.echoing = None
        self.waiting = asyncio.Queue()
