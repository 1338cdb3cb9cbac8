"""The programs under test, and waiting for conditions."""

import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


def wait_until(condition, what, seconds=30):
    """Returns the first true result of `condition`; fails after a deadline, which is later on a machine that has more
    to do than it has processors for."""
    seconds *= min(20, max(1, os.getloadavg()[0] / os.cpu_count()))
    deadline = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds:.0f} s: {what}")
        time.sleep(0.05)


class Program:
    """A program that prints a line when it is ready."""

    def __init__(self, arguments, ready, environment=None):
        self.errors = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            # A program that was started to ignore a signal ignores it.
            ["env", "--default-signal=INT,HUP,TERM", *arguments],
            stdout=subprocess.PIPE, stderr=self.errors, text=True, env={**os.environ, **(environment or {})},
        )
        for line in self.process.stdout:
            match = re.search(ready, line)
            if match:
                self.match = match
                return
        raise AssertionError(f"{arguments[0]} ended: {self.complaints()}")

    def complaints(self):
        self.errors.seek(0)
        return self.errors.read()

    def stop(self, number=signal.SIGINT):
        """Ends it by a signal; returns the status as Python has it."""
        self.process.send_signal(number)
        status = self.process.wait(timeout=30)
        self.process.stdout.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()


class Simulator(Program):
    """One simulated tag on a message bus of its own, with a control channel."""

    def __init__(self, programs, model):
        self.folder = tempfile.TemporaryDirectory()
        path = os.path.join(self.folder.name, "control")
        super().__init__(
            [os.path.join(programs, "bluez-simulator"), "--model", model, "--control", path],
            r"DBUS_SYSTEM_BUS_ADDRESS=(.*)",
        )
        self.bus = {"DBUS_SYSTEM_BUS_ADDRESS": self.match.group(1).strip()}
        self.gatt_program = os.path.join(programs, "gatt")
        self.channel = socket.socket(socket.AF_UNIX)
        self.channel.connect(path)
        self.lines = self.channel.makefile("r")
        self.last = 0

    def do(self, verb, **arguments):
        """Asks the simulator for something."""
        self.last += 1
        request = {"id": self.last, "do": verb, "peer": "tag", **arguments}
        self.channel.sendall((json.dumps(request) + "\n").encode())
        while True:
            answer = json.loads(self.lines.readline())
            if answer.get("id") == self.last:
                assert answer.get("ok"), answer
                return answer

    def read(self, address, characteristic):
        """What another program of this machine reads from the tag, in hexadecimal digits."""
        result = subprocess.run(
            [self.gatt_program, "read", "--format", "hex", address, characteristic],
            env={**os.environ, **self.bus}, capture_output=True, text=True, timeout=30,
        )
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()


class NamedTag(Program):
    """A tag of the second generation by its advertisement, with any name."""

    def __init__(self, programs, name):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as description:
            json.dump({"name": name, "address": "B0:B4:48:00:00:01", "advertisedServices": ["AA80"]}, description)
            description.flush()
            super().__init__(
                [os.path.join(programs, "gatt"), "simulate", description.name], r"DBUS_SYSTEM_BUS_ADDRESS=(.*)")
        self.bus = {"DBUS_SYSTEM_BUS_ADDRESS": self.match.group(1).strip().strip("'\"")}


class Page(Program):
    """The program that serves the page."""

    def __init__(self, programs, *arguments, environment=None, files=None):
        limit = ["prlimit", f"--nofile={files}"] if files else []
        super().__init__(
            [*limit, os.path.join(programs, "sensortag-web"), "--port", "0", *arguments],
            r"(http://([^/]+)/#([0-9a-f]{32}))", environment,
        )
        self.url, self.host, self.token = self.match.groups()

    def request(self, path, method="GET", body=None, **headers):
        """Status and text of an answer. Header names have underscores for hyphens."""
        names = {key.replace("_", "-"): value for key, value in headers.items()}
        request = urllib.request.Request(
            f"http://{self.host}{path}", method=method, data=body and json.dumps(body).encode(), headers=names)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read().decode(), answer.headers
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(), error.headers

    def command(self, **command):
        """Sends a command as the page does."""
        return self.request("/command", "POST", command, Content_Type="application/json", X_Token=self.token)[0]

    def memory(self):
        """The peak of its memory in MB and the CPU time in seconds."""
        with open(f"/proc/{self.process.pid}/status") as status:
            peak = int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1)) / 1024
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(") ", 1)[1].split()
        return peak, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
