"""Strangers that connect to the page in great numbers, without the secret. Everything is bounded in count and time."""

import errno
import multiprocessing
import resource
import select
import socket
import time

# What each of a hundred connections sends at first, and then every 50 ms.
KINDS = [
    *[(b"", b"")] * 60,  # silent
    *[(b"GET / HT", b"T")] * 20,  # a slow head
    *[(b"GET / HTTP/1.1\r\n", b"X: " + b"x" * 500 + b"\r\n")] * 10,  # an endless head
    *[(b"GET /page.js HTTP/1.1\r\nHost: %s\r\n\r\n", b"")] * 8,  # a response that nobody reads
    *[(b"POST /command HTTP/1.1\r\nHost: %s\r\nContent-Length: 100\r\n\r\n", b"x")] * 2,
]
STREAMS = 100
OPEN_AT_ONCE = 700


class Flood:
    """A process that attempts `attempts` connections and a hundred event streams."""

    def __init__(self, host, attempts):
        self.done = multiprocessing.Value("i", 0)
        self.process = multiprocessing.Process(target=flood, args=(host, attempts, self.done), daemon=True)

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.join()

    @property
    def attempts(self):
        """How many connections were attempted."""
        return self.done.value


class Stranger:
    """One connection. It reads nothing."""

    def __init__(self, address, first, more):
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.first, self.more = first, more
        self.is_open = self.socket.connect_ex(address) in (0, errno.EINPROGRESS)

    def go_on(self):
        """Sends more."""
        try:
            if self.first:
                self.socket.send(self.first)
                self.first = b""
            elif self.more:
                self.socket.send(self.more)
        except OSError as error:
            self.is_open = error.errno in (errno.EAGAIN, errno.ENOTCONN)


def flood(host, attempts, done, seconds=120):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    name, port = host.split(":")
    address = (name, int(port))
    stream = f"GET /events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    strangers = [Stranger(address, stream, b"") for _ in range(STREAMS)]
    end = time.monotonic() + seconds
    poll = select.poll()
    while time.monotonic() < end:
        while len(strangers) < OPEN_AT_ONCE and done.value < attempts:
            first, more = KINDS[done.value % len(KINDS)]
            strangers.append(Stranger(address, first % host.encode() if b"%s" in first else first, more))
            done.value += 1
        for stranger in strangers:
            poll.register(stranger.socket, select.POLLRDHUP)
        ended = {number for number, _ in poll.poll(50)}
        for stranger in strangers:
            poll.unregister(stranger.socket)
            stranger.go_on()
            if stranger.socket.fileno() in ended or not stranger.is_open:
                stranger.is_open = False
                stranger.socket.close()
        strangers = [stranger for stranger in strangers if stranger.is_open]
