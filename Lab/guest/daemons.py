"""dbus-daemon and bluetoothd of a Debian suite, run from its folder."""

import os
import signal
import subprocess
import threading
import time

DEADLINE = 60.0
LOG = "/run/bluetoothd.log"
ADAPTER_PATH = "/org/bluez/hci0"


class Failure(Exception):
    """The lab itself does not work."""


def wait_until(condition, what, deadline=DEADLINE):
    """Waits for a condition; the time is only an upper bound."""
    end = time.monotonic() + deadline
    while not condition():
        if time.monotonic() > end:
            raise Failure(f"{what}: not there after {deadline:.0f} s")
        time.sleep(0.02)


class Copier:
    """Copies what is appended to a file in the guest's memory to the host, where each write takes milliseconds."""

    PERIOD = 0.5

    def __init__(self, source, target):
        self.source = open(source, "rb")
        self.target = open(target, "ab", buffering=0)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.ended.wait(self.PERIOD):
            self.copy()
        self.copy()

    def copy(self):
        if data := self.source.read():
            self.target.write(data)

    def end(self):
        self.ended.set()
        self.thread.join()


class Bluetooth:
    """The two daemons; bluetoothd can be killed and started again."""

    def __init__(self, suite, out):
        self.suite = suite
        self.out = out
        self.bus = None
        self.daemon = None
        self.is_experimental = True
        open(LOG, "wb").close()
        self.log = Copier(LOG, out / "bluetoothd.log")
        paths = ("usr/libexec/bluetooth/bluetoothd", "usr/lib/bluetooth/bluetoothd")
        self.program = next(("/" + path for path in paths if os.path.exists(os.path.join(suite, path))), None)
        if self.program is None:
            raise Failure(f"no bluetoothd in {suite}")
        for name in ("dev", "proc", "sys", "run"):
            subprocess.run(["mount", "--bind", "/" + name, os.path.join(suite, name)], check=True)

    def inside(self, *command):
        return ["chroot", self.suite, *command]

    def version(self):
        return subprocess.run(self.inside(self.program, "-v"), capture_output=True, text=True).stdout.strip()

    def start_bus(self):
        os.makedirs("/run/dbus", exist_ok=True)
        with open(self.out / "dbus-daemon.log", "wb") as log:
            self.bus = subprocess.Popen(
                self.inside("dbus-daemon", "--system", "--nofork", "--nopidfile"), stdout=log, stderr=log
            )
        wait_until(lambda: os.path.exists("/run/dbus/system_bus_socket"), "the system bus")

    def start_daemon(self):
        """Starts bluetoothd and returns when the adapter is on."""
        if self.daemon is not None and self.daemon.poll() is None:
            return
        options = ["-n", "-d", *(["-E"] if self.is_experimental else [])]
        with open(LOG, "ab") as log:
            self.daemon = subprocess.Popen(
                self.inside(self.program, *options), stdout=log, stderr=subprocess.STDOUT
            )
        wait_until(self.power_on, "the adapter")

    def power_on(self):
        if self.daemon.poll() is not None:
            raise Failure(f"bluetoothd ended with {self.daemon.returncode}")
        call = self.inside(
            "dbus-send",
            "--system",
            "--print-reply",
            "--dest=org.bluez",
            ADAPTER_PATH,
            "org.freedesktop.DBus.Properties.Set",
            "string:org.bluez.Adapter1",
            "string:Powered",
            "variant:boolean:true",
        )
        return subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def set_experimental(self, is_experimental):
        """Restarts bluetoothd if it does not run this way: with or without --experimental."""
        if is_experimental != self.is_experimental:
            self.kill_daemon()
            self.is_experimental = is_experimental
            self.start_daemon()

    def kill_daemon(self):
        if self.daemon is not None and self.daemon.poll() is None:
            self.daemon.send_signal(signal.SIGKILL)
            self.daemon.wait()
