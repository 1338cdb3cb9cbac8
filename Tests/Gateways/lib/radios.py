"""Many gateways on one machine: a broker, simulated radios, a gateway for each, a fleet and a client."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
PROGRAMS = ["gatt-gateway", "gatt-fleet", "many-radios", "bluez-simulator"]


def build(configuration, programs=PROGRAMS):
    """Builds the programs and returns the folder in which they are."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin"
    if missing := [name for name in ("swift", "dbus-daemon", "mosquitto") if not shutil.which(name, path=path)]:
        sys.exit(f"{', '.join(missing)} missing: Scripts/test-gateways installs what this needs")
    command = ["swift", "build", "--package-path", ROOT, "-c", configuration]
    for program in programs:
        subprocess.run([*command, "--product", program], check=True, stdout=sys.stderr)
    path = subprocess.run([*command, "--show-bin-path"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return path.strip()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def wait_for(what, condition, limit=60):
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waiting for {what} took more than {limit} s")
        time.sleep(0.05)


class Program:
    """A program whose output is kept, line by line."""

    def __init__(self, name, arguments, folder, environment=None):
        self.name = name
        self.lines = []
        self.changed = threading.Condition()
        self.log = open(os.path.join(folder, f"{name}.log"), "a", encoding="utf-8")
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
            env={**os.environ, **(environment or {})})
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.rstrip("\n"))
                self.changed.notify_all()
        with self.changed:
            self.changed.notify_all()

    def wait_for_lines(self, count, limit=60):
        with self.changed:
            if not self.changed.wait_for(lambda: len(self.lines) >= count, limit):
                raise TimeoutError(f"{self.name} has not said {count} lines within {limit} s")
            return self.lines[:count]

    def ask(self, line, limit=60):
        """Writes a line and returns the next one that comes."""
        known = len(self.lines)
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.wait_for_lines(known + 1, limit)[known]

    def cpu(self):
        """The CPU time in seconds, user and system."""
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """The largest resident size in MB."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))

    def kill(self):
        self.process.kill()
        self.finish()

    def end(self, limit=20):
        """Ends it as a person would, by SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        self.wait_for_end(limit)

    def end_input(self, limit=20):
        """Closes its input, which a client takes as the end: it disconnects and says what it has counted."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.wait_for_end(limit)

    def wait_for_end(self, limit):
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            print(f"{self.name} has not ended within {limit} s and is killed", file=sys.stderr)
            self.process.kill()
        self.finish()

    def finish(self):
        self.process.wait()
        self.reader.join(5)
        self.log.close()


class Radios:
    """Everything that a trial needs. Use it with `with`."""

    def __init__(self, programs, gateways, devices, rate, lease=15):
        self.programs = programs
        self.count = gateways
        self.devices = devices
        self.rate = rate
        self.lease = lease
        self.folder = tempfile.mkdtemp(prefix="many-radios-")
        self.port = free_port()
        self.broker = self.air = self.fleet = None
        self.gateways = {}
        self.buses = []

    def __enter__(self):
        self.start_broker()
        self.air = Program(
            "air", [self.path("many-radios"), "simulate", "--radios", str(self.count), "--devices", str(self.devices),
                    "--rate", str(self.rate)], self.folder)
        self.buses = self.air.wait_for_lines(self.count)
        for number in range(self.count):
            self.start_gateway(number)
        self.start_fleet()
        return self

    def __exit__(self, kind, value, trace):
        for program in [self.fleet, *self.gateways.values(), self.air, self.broker]:
            if program is not None and program.process.poll() is None:
                program.end()
        if kind is None:
            shutil.rmtree(self.folder)
        else:
            print(f"The logs are in {self.folder}", file=sys.stderr)

    def path(self, name):
        return os.path.join(self.programs, name)

    @property
    def url(self):
        return f"mqtt://127.0.0.1:{self.port}"

    def start_broker(self):
        configuration = os.path.join(self.folder, "mosquitto.conf")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
            file.write("max_queued_messages 100000\nset_tcp_nodelay true\n")
            if os.geteuid() == 0:
                file.write("user root\n")
        executable = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self.broker = Program("mosquitto", [executable, "-c", configuration], self.folder)
        wait_for("the broker", self.is_broker_open)

    def is_broker_open(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def start_gateway(self, number, *arguments):
        self.gateways[number] = Program(
            f"gateway{number}",
            [self.path("gatt-gateway"), "--broker", self.url, "--name", f"room{number}",
             "--state", os.path.join(self.folder, f"state{number}"), *arguments],
            self.folder, {"DBUS_SYSTEM_BUS_ADDRESS": self.buses[number]})

    def start_fleet(self, *arguments):
        self.fleet = Program(
            "fleet", [self.path("gatt-fleet"), "--broker", self.url, "--lease", str(self.lease), *arguments],
            self.folder)
        line = self.fleet.wait_for_lines(1)[0]
        self.bus = line.partition("=")[2]

    def start_client(self, *arguments, bus=None, name="client"):
        return Program(
            name,
            [self.path("many-radios"), "client", "--radios", str(self.count), "--devices", str(self.devices),
             *arguments],
            self.folder, {"DBUS_SYSTEM_BUS_ADDRESS": bus or self.bus})

    def writes(self):
        """How often each number was written, by the peripheral."""
        return json.loads(self.air.ask("writes"))


def last_report(client):
    """The client's newest line about a second."""
    with client.changed:
        for line in reversed(client.lines):
            if '"connected"' in line:
                return json.loads(line)
    return {"connected": 0, "values": 0}
