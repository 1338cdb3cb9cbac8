"""The control channel: JSON lines over a Unix socket. One request a line, answered in order."""

import asyncio
import json
import os

from . import central_verbs
from .requests import flag, number, octets

VERBS = [
    "capabilities",
    "reset",
    "advertise",
    "disconnect",
    "vanish",
    "return",
    "notify",
    "set",
    "fail",
    "delay",
    "add-service",
    "remove-service",
    "pairing",
    "pairing-state",
    "enter-passkey",
    "forget",
    "log",
    *central_verbs.VERBS,
]
# What the central does as the other peers do.
SHARED_VERBS = ["pairing", "pairing-state", "enter-passkey", "forget"]
LINE_LIMIT = 1 << 20


class Control:
    """Carries out the requests of tests."""

    def __init__(self, peripherals, central):
        self.peripherals = {each.peer: each for each in peripherals}
        self.central = central
        self.central_verbs = central_verbs.CentralVerbs(central)

    async def serve(self, path):
        mask = os.umask(0o177)
        try:
            server = await asyncio.start_unix_server(self.converse, path, limit=LINE_LIMIT)
        finally:
            os.umask(mask)
        return server

    async def converse(self, reader, writer):
        try:
            while line := await reader.readline():
                answer = await self.answer(line)
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
        except (ConnectionError, ValueError):
            pass
        finally:
            writer.close()

    async def answer(self, line):
        identifier = None
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise ValueError("a request is an object")
            identifier = request.get("id")
            result = await self.perform(request)
            return {"id": identifier, "ok": True, **(result or {})}
        except Exception as error:  # every failure is an answer; the connection stays
            return {"id": identifier, "ok": False, "error": f"{error or type(error).__name__}"}

    def peer(self, verb, request):
        if request.get("peer") == self.central.peer and verb in SHARED_VERBS:
            return self.central
        peripheral = self.peripherals.get(request.get("peer"))
        if peripheral is None:
            raise ValueError(f"no peer {request.get('peer')!r}")
        return peripheral

    async def perform(self, request):
        verb = request.get("do")
        if verb not in VERBS:
            raise ValueError(f"no verb {verb!r}")
        if verb == "capabilities":
            return self.capabilities()
        if verb == "reset":
            for each in [self.central, *self.peripherals.values()]:
                await each.reset()
            return None
        if verb in central_verbs.VERBS:
            return await self.central_verbs.perform(verb, request)
        return await getattr(self, "do_" + verb.replace("-", "_"))(self.peer(verb, request), request)

    def capabilities(self):
        peers = [
            {"peer": each.peer, "address": each.address, "address_type": "public", "name": each.name}
            for each in [*self.peripherals.values(), self.central]
        ]
        return {"side": "bumble", "capabilities": VERBS, "peers": peers}

    async def do_advertise(self, peer, request):
        await peer.advertise(flag(request, "on", None))

    async def do_disconnect(self, peer, request):
        return {"links": await peer.drop_links()}

    async def do_vanish(self, peer, request):
        return {"links": await peer.vanish()}

    async def do_return(self, peer, request):
        await peer.advertise(True)

    async def do_notify(self, peer, request):
        count = int(number(request, "count", 1, 0, 1_000_000))
        interval = number(request, "every_ms", 0, 0, 60_000) / 1000
        numbered = request.get("number", False) is True
        return {"sent": await peer.notify(request.get("char"), octets(request, "value"), count, interval, numbered)}

    async def do_set(self, peer, request):
        peer.database.find_contents(request.get("char")).current = octets(request, "value")

    async def do_fail(self, peer, request):
        operation = request.get("op")
        if operation not in ("read", "write"):
            raise ValueError("op must be read or write")
        contents = peer.database.find_contents(request.get("char"))
        contents.fails[operation] = int(number(request, "att", None, 0, 255))

    async def do_delay(self, peer, request):
        contents = peer.database.find_contents(request.get("char"))
        contents.delay = number(request, "ms", None, 0, 600_000) / 1000

    async def do_add_service(self, peer, request):
        service = request.get("service")
        if not isinstance(service, dict) or not isinstance(service.get("uuid"), str):
            raise ValueError("service must be an object with a uuid")
        await peer.add_service(service["uuid"], service.get("characteristics", []))

    async def do_remove_service(self, peer, request):
        await peer.remove_service(request.get("uuid"))

    async def do_pairing(self, peer, request):
        names = ("io", "accept", "compare", "sc", "mitm", "bonding", "passkey")
        peer.pairing.configure(**{name: request[name] for name in names if name in request})

    async def do_pairing_state(self, peer, request):
        return await peer.pairing.state()

    async def do_enter_passkey(self, peer, request):
        peer.pairing.enter(request.get("passkey"))

    async def do_forget(self, peer, request):
        peer.pairing.forget()

    async def do_log(self, peer, request):
        return {"entries": list(peer.entries)}
