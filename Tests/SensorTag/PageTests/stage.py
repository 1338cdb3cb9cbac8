"""A server of the page whose events, memory and refusals the test decides."""

import json
import pathlib
import queue
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "Demos/SensorTag/sensortag-web/Page"
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
         ".js": "text/javascript; charset=utf-8"}
# The same policy as the program's.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
TOKEN = "0123456789abcdef" * 2
START = 1_790_000_000_000


def sensor(name, status="on", **more):
    """A sensor as in the state."""
    limits = {} if name in ("keys", "battery") else {"period": 1000, "shortestPeriod": 100, "longestPeriod": 2550}
    return {"name": name, "status": status, "canBeCalibrated": name in ("barometer", "gyroscope"), **limits, **more}


def tag(identifier, name, *sensors, link="connected", **more):
    """A tag as in the state."""
    return {"id": identifier, "name": name, "generation": "CC2650", "firmware": "1.20", "rssi": -60, "link": link,
            "sensors": [sensor(one) if isinstance(one, str) else one for one in sensors],
            "information": [{"label": "Model", "text": "CC2650 SensorTag"}] if sensors else [], **more}


class Stage(ThreadingHTTPServer):
    """The server. Each has a port of its own, so that a browser keeps nothing of one for another."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, *tags):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.tags = list(tags)
        self.run = "1"
        self.readings = []
        self.streams = []
        self.queries = []
        self.commands = []
        self.histories = []
        self.refusal = None
        self.ends = False
        self.url = f"http://127.0.0.1:{self.server_port}/"
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.drop()
        self.shutdown()
        self.server_close()

    @property
    def owner(self):
        """The address with the secret."""
        return f"{self.url}#{TOKEN}"

    def state(self):
        return event("state", {"run": self.run, "tags": self.tags})

    def show(self, *tags):
        """Sends a new state."""
        with self.lock:
            self.tags = list(tags)
            self.send(self.state())

    def send(self, text):
        for stream in self.streams:
            stream.put(text)

    def read(self, identifier, name, time, **values):
        """Sends a reading at a time in seconds, and remembers it."""
        self.read_all([(identifier, name, time, values)])

    def read_all(self, list_, is_remembered=True, is_sent=True):
        with self.lock:
            readings = []
            for identifier, name, time, values in list_:
                number = 1 + sum(1 for reading in self.readings + readings if reading["tag"] == identifier)
                readings.append({"tag": identifier, "number": number, "time": START + round(time * 1000),
                                 "sensor": name, "values": values})
            if is_remembered:
                self.readings += readings
            if is_sent:
                self.send(event("readings", {"skipped": 0, "readings": readings}))

    def remember(self, list_):
        """Remembers readings that were there before anybody looked."""
        self.read_all(list_, is_sent=False)

    def drop(self):
        """Ends all streams."""
        with self.lock:
            for stream in self.streams:
                stream.put(None)

    def restart(self, list_):
        """Becomes another run, whose memory has these readings before anybody asks for it."""
        with self.lock:
            self.run += "1"
            self.readings = []
        self.remember(list_)
        self.drop()


def event(name, data):
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


class Handler(BaseHTTPRequestHandler):
    """A request. All connections end with their response, as HTTP 1.0 has it."""

    def log_message(self, *_):
        pass

    def answer(self, status, body, type_="text/plain; charset=utf-8"):
        self.send_response(status)
        self.send_header("Content-Type", type_)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        if address.path == "/events":
            self.events(query)
        elif address.path == "/history":
            self.history(query)
        else:
            path = FOLDER / (address.path[1:] or "index.html")
            if not path.is_file():
                return self.answer(404, b"There is no such page\n")
            self.answer(200, path.read_bytes(), TYPES.get(path.suffix, "text/plain"))

    def history(self, query):
        with self.server.lock:
            self.server.histories.append(query)
            readings = [reading for reading in self.server.readings if reading["tag"] == query["tag"]]
        end = readings[-1]["time"] if readings else 0
        last = {reading["sensor"]: reading for reading in readings}
        chosen = [reading for reading in readings if reading is last[reading["sensor"]]
                  or reading["time"] >= end - int(query["seconds"]) * 1000]
        self.answer(200, json.dumps({"readings": chosen}).encode(), "application/json")

    def events(self, query):
        server = self.server
        mailbox = queue.Queue()
        with server.lock:
            server.queries.append(query)
            refusal = server.refusal
            if refusal is None:
                server.streams.append(mailbox)
                mailbox.put(server.state())
        if refusal is not None:
            return self.answer(503, (refusal + "\n").encode())
        try:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            while (text := self.next(mailbox)) is not None:
                self.wfile.write(text.encode())
        except OSError:
            pass
        finally:
            with server.lock:
                server.streams.remove(mailbox)

    @staticmethod
    def next(mailbox):
        try:
            return mailbox.get(timeout=1)
        except queue.Empty:
            return ": heartbeat\n\n"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["X-Token"] != TOKEN:
            return self.answer(403, b"Open the page with the address that the program printed\n")
        self.server.commands.append(json.loads(body))
        self.answer(202, b"")
