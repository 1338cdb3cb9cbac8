"""A client of the control channel and of the harness: JSON lines over a Unix socket."""

import asyncio
import json


class ControlError(Exception):
    """The peripheral's side refused a request."""


class Control:
    """A client of the control channel and of the harness."""

    def __init__(self, path):
        self.path = path
        self.identifier = 0

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_unix_connection(self.path, limit=1 << 22)
        return self

    async def __aexit__(self, *_):
        self.writer.close()

    async def do(self, verb, peer=None, **arguments):
        self.identifier += 1
        request = {"id": self.identifier, "do": verb, **arguments}
        if peer is not None:
            request["peer"] = peer
        self.writer.write(json.dumps(request).encode() + b"\n")
        answer = json.loads(await self.reader.readline())
        if not answer["ok"]:
            raise ControlError(answer["error"])
        return answer
