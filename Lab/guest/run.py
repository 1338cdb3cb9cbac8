"""The lab's program in the guest: bus, controller, peripherals, bluetoothd, then the steps of the run, one by one."""

import argparse
import os
import pathlib
import subprocess
import sys
import time

from daemons import Bluetooth, Failure, wait_until
from harness import Harness

CONTROL = "/run/lab-control"
HARNESS = "/run/lab-harness"
TIME_SCALE = "20"
# The end of the name of a step for which bluetoothd runs without --experimental.
PLAIN = "-plain"


def say(text):
    print(f"lab: {text}", flush=True)


def start_peripherals(out):
    source = pathlib.Path(__file__).resolve().parent.parent
    with open(out / "peripherals.log", "wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-B", "-m", "peripherals", "--control", CONTROL],
            cwd=source,
            stdout=log,
            stderr=subprocess.STDOUT,
        )

    def ready():
        if process.poll() is not None:
            raise Failure("the peripherals ended")
        return os.path.exists(CONTROL) and os.path.exists("/sys/class/bluetooth/hci0")

    wait_until(ready, "the peripherals and hci0")
    return process


def step_environment(out, suite, version):
    return {
        **os.environ,
        "COREBLUEZ_TEST_BLUEZ": version,
        "COREBLUEZ_TEST_BUS": "unix:path=/run/dbus/system_bus_socket",
        "COREBLUEZ_TEST_CONTROL": CONTROL,
        "COREBLUEZ_TEST_HARNESS": HARNESS,
        "COREBLUEZ_TEST_TIME_SCALE": TIME_SCALE,
        "LAB_OUT": str(out),
        "LAB_SUITE": suite,
        "LAB_PYTHON": sys.executable,
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def run_steps(out, environment, bluetooth):
    """The exit code of the run: that of the first step that failed. What has passed is not left for another boot."""
    result = 0
    for step in sorted((out / "steps").iterdir()):
        say(f"--- {step.name}")
        bluetooth.set_experimental(not step.name.endswith(PLAIN))
        start = time.monotonic()
        code = subprocess.run(["/bin/sh", str(step)], env=environment, stdin=subprocess.DEVNULL).returncode
        say(f"--- {step.name} ended with {code} after {time.monotonic() - start:.1f} s")
        result = result or code
        if code == 0:
            step.unlink()
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    out = pathlib.Path(arguments.out)
    bluetooth = Bluetooth(arguments.suite, out)
    code = 1
    try:
        bluetooth.start_bus()
        start_peripherals(out)
        bluetooth.start_daemon()
        Harness(HARNESS, bluetooth).start()
        version = bluetooth.version()
        (out / "version").write_text(f"{version}\n")
        (out / "ready").touch()
        say(f"bluetoothd {version} is ready")
        code = run_steps(out, step_environment(out, arguments.suite, version), bluetooth)
    except Failure as failure:
        say(str(failure))
    finally:
        bluetooth.log.end()
        say(f"ended with {code} after {time.clock_gettime(time.CLOCK_BOOTTIME):.0f} s")
        temporary = out / "exit-code.new"
        temporary.write_text(f"{code}\n")
        temporary.rename(out / "exit-code")


main()
