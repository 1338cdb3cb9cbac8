"""Runs the virtual machine on the host: boots, shows its console, ends with the guest's exit code.

The guest shares the host's root read-only, and OUT for what it writes. OUT/steps holds one shell script for each thing
to do there.
"""

import argparse
import collections
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import threading
import time

CANNOT_RUN = 77
BOOT_TRIES = 2
# Defects of Linux 6.1, each with what shows it: l2cap_sock_release ends bluetoothd and blocks the controller
# (bluez/bluez issue 340); the kernel loses count of who uses a link (accessory_check.py recognizes it).
KERNEL_DEFECTS = (
    ("list_del corruption", "hci_chan_del+"),
    ("lab: the guest's kernel has ended a link that was in use",),
)


def qemu_command(lab, initramfs, out):
    share = "security_model=none,multidevs=remap"
    return [
        "qemu-system-x86_64",
        *("-M", "q35", "-m", "3072", "-smp", "1", "-accel", "tcg", "-cpu", "max"),
        *("-display", "none", "-serial", "stdio", "-monitor", "none", "-no-reboot", "-nic", "none"),
        *("-kernel", str(lab / "kernel/vmlinuz"), "-initrd", initramfs),
        *("-append", "console=ttyS0 quiet oops=panic panic=-1 mitigations=off"),
        *("-virtfs", f"local,path=/,mount_tag=host,{share},readonly=on"),
        *("-virtfs", f"local,path={str(out).replace(',', ',,')},mount_tag=out,{share}"),
    ]


def write_entry(out, here, lab, suite):
    """The script that the guest's init runs; the paths of the host hold in the guest."""
    command = [sys.executable, here / "guest/run.py", "--suite", lab / "suites" / suite, "--out", "/run/lab"]
    lines = [
        "export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8",
        "exec " + " ".join(shlex.quote(str(word)) for word in command),
    ]
    (out / "enter").write_text("\n".join(lines) + "\n")


class Failures:
    """Picks what the failed steps printed from the guest's console, and writes it to a file."""

    PASSED = re.compile(r"[\u25c7\u2714] |ok ")
    STEP = re.compile(r"lab: --- (\S+)(?: ended with (-?\d+) .*)?")

    def __init__(self, path):
        self.path = path
        self.path.unlink(missing_ok=True)
        self.lines = collections.deque(maxlen=100)

    def take(self, line):
        step = self.STEP.fullmatch(line)
        if not step:
            if not self.PASSED.match(line):
                self.lines.append(line)
            return
        if step[2] not in (None, "0"):
            with open(self.path, "a", encoding="utf-8") as file:
                file.writelines(each + "\n" for each in (*self.lines, line))
        self.lines.clear()


class Machine:
    """One boot of the guest."""

    def __init__(self, command, out):
        self.out = out
        self.failures = Failures(out / "failures")
        self.signs = set()
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self.reader = threading.Thread(target=self.show, daemon=True)
        self.reader.start()

    def show(self):
        for line in self.process.stdout:
            text = line.decode(errors="replace").replace("\r", "")
            sys.stdout.write(text)
            sys.stdout.flush()
            self.failures.take(text.rstrip("\n"))
            self.signs.update(sign for defect in KERNEL_DEFECTS for sign in defect if sign in text)

    def has_kernel_defect(self):
        return any(self.signs.issuperset(defect) for defect in KERNEL_DEFECTS)

    def wait(self, name, deadline):
        """True once OUT/name is there; false at the end of the machine or of the time."""
        while time.monotonic() < deadline:
            if (self.out / name).exists():
                return True
            if self.process.poll() is not None:
                return (self.out / name).exists()
            time.sleep(0.05)
        return False

    def end(self):
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(5)


def run(arguments, out):
    lab = pathlib.Path(arguments.lab).resolve()
    here = pathlib.Path(__file__).resolve().parent
    write_entry(out, here, lab, arguments.suite)
    for attempt in range(BOOT_TRIES):
        for name in ("ready", "exit-code"):
            (out / name).unlink(missing_ok=True)
        machine = Machine(qemu_command(lab, arguments.initramfs, out), out)
        code = 1
        try:
            if not machine.wait("ready", time.monotonic() + arguments.boot_limit):
                print(f"lab: the guest did not get ready (try {attempt + 1} of {BOOT_TRIES})", flush=True)
                machine.process.kill()
                continue
            if machine.wait("exit-code", time.monotonic() + arguments.limit):
                code = int((out / "exit-code").read_text())
            else:
                print("lab: the guest ended without a result, or its time was up", flush=True)
                machine.process.kill()
        finally:
            machine.end()
        if code == 0 or not machine.has_kernel_defect() or attempt + 1 == BOOT_TRIES:
            return code
        print("lab: a defect of the guest's kernel: once more, with the steps that have not passed", flush=True)
    return CANNOT_RUN


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lab", required=True, help="the folder of what was downloaded")
    parser.add_argument("--initramfs", required=True, help="the guest's first files")
    parser.add_argument("--suite", required=True, help="the Debian suite whose bluetoothd runs")
    parser.add_argument("--out", required=True, help="folder for scripts and results")
    parser.add_argument("--limit", type=float, default=3000, help="seconds for everything")
    parser.add_argument("--boot-limit", type=float, default=90, help="seconds until bluetoothd is ready")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    out = pathlib.Path(arguments.out).resolve()
    os.makedirs(out / "steps", exist_ok=True)
    sys.exit(run(arguments, out))


main()
