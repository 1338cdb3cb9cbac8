"""The requests of the control channel that concern the central."""

import asyncio

from .central import SUBSCRIPTIONS
from .discovery import describe
from .requests import flag, number, octets

VERBS = [
    "central-advertisements",
    "central-connect",
    "central-disconnect",
    "central-vanish",
    "central-discover",
    "central-read",
    "central-write",
    "central-prepare",
    "central-subscribe",
    "central-values",
    "central-confirm",
    "central-pair",
    "central-state",
]


def result(code, **contents):
    """An ATT error is an answer, not a failure of the request."""
    return {"att": int(code)} if code else contents


class CentralVerbs:
    """Carries out what a test asks of a `Central`."""

    def __init__(self, central):
        self.central = central

    async def perform(self, verb, request):
        try:
            return await getattr(self, verb.removeprefix("central-"))(request)
        except asyncio.CancelledError:  # by Bumble
            raise ConnectionError("the link ended in the meantime") from None

    async def handle(self, request):
        """The attribute's handle: as given, or that of the first characteristic with a UUID."""
        if "handle" in request:
            return int(number(request, "handle", None, 1, 0xFFFF))
        return (await self.central.find_characteristic(request.get("char"))).handle

    async def advertisements(self, request):
        heard = self.central.controller.heard
        answer = [
            {
                "address": address.to_string(False),
                "address_type": "public" if address.is_public else "random",
                "connectable": connectable,
                "data": data.hex(),
                "scan_response": response.hex(),
            }
            for (_, connectable), (address, data, response) in heard.items()
        ]
        if flag(request, "clear", False):
            heard.clear()
        return {"advertisements": answer}

    async def connect(self, request):
        address = request.get("address", self.central.adapter.public_address.to_string(False))
        return {"mtu": await self.central.connect(address, int(number(request, "mtu", 517, 23, 517)))}

    async def disconnect(self, _request):
        return {"links": await self.central.drop_links()}

    async def vanish(self, _request):
        return {"links": await self.central.vanish()}

    async def discover(self, _request):
        return {"services": [describe(service) for service in await self.central.discover()]}

    async def read(self, request):
        handle = await self.handle(request)
        if flag(request, "long", False):
            code, value = await self.central.read_long(handle)
        else:
            code, value = await self.central.read(handle, int(number(request, "offset", 0, 0, 0xFFFF)))
        return result(code, value=value.hex())

    async def write(self, request):
        handle = await self.handle(request)
        value = octets(request, "value")
        if flag(request, "response", True):
            return result(await self.central.write(handle, value))
        await self.central.write_command(handle, value)
        return {}

    async def prepare(self, request):
        parts = request.get("parts")
        if not isinstance(parts, list) or not all(isinstance(each, dict) for each in parts):
            raise ValueError("parts must be a list of objects")
        parts = [(int(number(each, "offset", 0, 0, 0xFFFF)), octets(each, "value")) for each in parts]
        return result(await self.central.prepare(await self.handle(request), parts, flag(request, "execute", True)))

    async def subscribe(self, request):
        kind = request.get("kind")
        if kind not in SUBSCRIPTIONS:
            raise ValueError(f"kind must be one of {', '.join(SUBSCRIPTIONS)}")
        return result(await self.central.subscribe(request.get("char"), kind))

    async def values(self, request):
        values = [
            {"char": self.central.describe(handle), "value": value.hex(), "kind": kind}
            for kind, handle, value in self.central.values
        ]
        if flag(request, "clear", False):
            self.central.values.clear()
        return {"values": values}

    async def confirm(self, request):
        self.central.confirm(flag(request, "on", None))

    async def pair(self, _request):
        return {"paired": await self.central.pair()}

    async def state(self, _request):
        connection = self.central.connection
        return {
            "connected": connection is not None,
            "mtu": connection.att_mtu if connection else 0,
            "encrypted": bool(connection and connection.encryption),
        }
