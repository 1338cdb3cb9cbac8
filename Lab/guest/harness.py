"""The harness socket: what happens to bluetoothd itself. The same line format as the control channel."""

import json
import os
import socketserver
import threading

from management import Management

VERBS = ["capabilities", "kill-daemon", "start-daemon", "end-links"]


class Harness:
    """Kills and starts bluetoothd, and ends links past it, on request."""

    def __init__(self, path, bluetooth):
        self.bluetooth = bluetooth
        self.lock = threading.Lock()
        harness = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                for line in self.rfile:
                    self.wfile.write(json.dumps(harness.answer(line)).encode() + b"\n")

        class Server(socketserver.ThreadingUnixStreamServer):
            daemon_threads = True

        mask = os.umask(0o177)
        try:
            self.server = Server(path, Handler)
        finally:
            os.umask(mask)

    def start(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, line):
        identifier = None
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise ValueError("a request is an object")
            identifier = request.get("id")
            return {"id": identifier, "ok": True, **self.perform(request.get("do"))}
        except Exception as error:  # every failure is an answer; the connection stays
            return {"id": identifier, "ok": False, "error": f"{error or type(error).__name__}"}

    def perform(self, verb):
        with self.lock:
            if verb == "capabilities":
                return {"side": "harness", "capabilities": VERBS}
            if verb == "kill-daemon":
                self.bluetooth.kill_daemon()
                return {}
            if verb == "start-daemon":
                self.bluetooth.start_daemon()
                return {}
            if verb == "end-links":
                with Management() as management:
                    return {"links": management.end_links()}
        raise ValueError(f"no verb {verb!r}")
