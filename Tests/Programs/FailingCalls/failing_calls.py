"""Lets each call of the system fail once, one after the other, in programs that use the simulator.

usage: failing_calls.py            all functions in all scenarios: takes about an hour
       failing_calls.py NAME...    these functions, such as write or poll
       failing_calls.py --short    the first call of each function in one scenario

A program must not crash, hang, or end with another status than those of sysexits.h; if it fails, it has to say why on
the standard error; if it does not, its output has to be whole. The file of stored peripherals must be the one before or
the one after, even if the program is killed in the middle, and nothing may lie beside it after the next change. Prints
how many calls were tried, and what was wrong. Exit code: 0 if nothing was wrong, otherwise 1.
"""
import errno
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = ROOT / ".build/debug"
TAG = "BC:6A:29:AB:AB:50"
LIMIT = 60
BACKTRACE = "enable=yes,interactive=no,color=no,registers=none,images=none"
# The functions with the errors that they may have; 0 is a short transfer.
ERRORS = {
    "open": ["EMFILE", "EACCES"], "socket": ["EMFILE"], "socketpair": ["EMFILE"], "connect": ["ECONNREFUSED"],
    "bind": ["EADDRINUSE"], "listen": ["ENOBUFS"], "accept4": ["EMFILE", "ECONNABORTED"], "dup": ["EMFILE"],
    "pipe2": ["EMFILE"], "eventfd": ["EMFILE"], "timerfd_create": ["EMFILE"], "epoll_create1": ["EMFILE"],
    "epoll_ctl": ["ENOMEM"], "epoll_wait": ["EINTR"], "poll": ["EINTR", "ENOMEM"], "fsync": ["EIO"],
    "ftruncate": ["ENOSPC"], "rename": ["ENOSPC"], "unlink": ["EACCES"], "mkdir": ["ENOSPC"], "fchmod": ["EPERM"],
    "read": ["EINTR", "EIO", 0], "write": ["EINTR", "ENOSPC", 0], "recv": ["EINTR", "ECONNRESET"],
    "send": ["EINTR", "EPIPE", 0], "recvmsg": ["EINTR", "ECONNRESET"], "sendmsg": ["EINTR", "EPIPE"],
    "malloc": ["ENOMEM"],
}
SCENARIOS = {
    "adapters": [BUILD / "gatt", "adapters"],
    "read": [BUILD / "gatt", "read", TAG, "2a26"],
    "write": [BUILD / "gatt", "write", TAG, "F000AA12-0451-4000-B000-000000000000", "01"],
    "inspect": [BUILD / "gatt", "inspect", TAG, "--json"],
    "sensortag": [BUILD / "sensortag", "read", "--json"],
    "import": [BUILD / "gatt", "import", ROOT / "Tests/FuzzerTests/Corpora/captures/android"],
    # It runs until SIGTERM.
    "serve": [BUILD / "gatt", "serve", ROOT / "Tests/Programs/FailingCalls/served.json"],
}
# How long a program that runs until SIGTERM may use the calls that fail.
SERVING = 3
# What stores a peripheral, by functions that matter to its file. -1 kills the program.
STORING = [BUILD / "CoreBlueZPackageTests.xctest", "--testing-library", "swift-testing", "--filter",
           "StoredPeripheralsTests.storedByScript"]
FILE_ERRORS = {name: [*ERRORS[name], -1] for name in ("open", "read", "write", "fsync", "rename", "unlink", "mkdir")}
BEFORE, AFTER = ["00:00:00:00:00:01"], ["00:00:00:00:00:01", "00:00:00:00:00:00"]
# Stops that nothing can be done about: the documented one of BluetoothActor, if there is no thread for Bluetooth, and
# those of libdispatch, if it cannot make its queue of events.
STOPS = re.compile(r"CoreBlueZ cannot start its thread|crashed:\s+0 .* in libdispatch\.so")


class Run:
    """What a program did."""

    def __init__(self, command, environment):
        serves = command[1] == "serve"
        with subprocess.Popen(
                command, env={**os.environ, "SWIFT_BACKTRACE": BACKTRACE, **environment}, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            try:
                self.wait(program, SERVING if serves else LIMIT)
            except subprocess.TimeoutExpired:
                self.end(program, serves)
        # As asked.
        if serves and self.status == -signal.SIGTERM:
            self.status = 0

    def wait(self, program, limit):
        self.output, errors = program.communicate(timeout=limit)
        self.status, self.errors = program.returncode, errors.decode(errors="replace")

    def end(self, program, serves):
        """Ends a program that serves, by SIGTERM; one that hangs, by SIGKILL."""
        try:
            if not serves:
                raise subprocess.TimeoutExpired(program.args, LIMIT)
            program.terminate()
            self.wait(program, LIMIT)
        except subprocess.TimeoutExpired:
            program.kill()
            program.communicate()
            self.status, self.output, self.errors = None, b"", ""

    def problem(self, expected):
        if self.status is None:
            return f"it hung for {LIMIT} s"
        if STOPS.search(self.errors):
            return None
        if self.status < 0:
            return f"it ended by {signal.Signals(-self.status).name}: {self.errors.strip()[-300:]}"
        if self.status == 0:
            # Signal strengths and times differ from run to run.
            is_whole = self.output.count(b"\n") == expected.count(b"\n") and self.output[-1:] == expected[-1:]
            return None if is_whole else "it succeeded with another output"
        if not (self.status == 1 or 64 <= self.status <= 78):
            return f"it ended with {self.status}"
        return None if self.errors.strip() else f"it ended with {self.status} and said nothing"


def failing(library, name, error, number, mark):
    code = error if isinstance(error, int) else getattr(errno, error)
    return {
        "LD_PRELOAD": str(library), "FAILING_CALL": name, "FAILING_CALL_NUMBER": str(number),
        "FAILING_CALL_ERROR": str(code), "FAILING_CALL_MARK": str(mark),
    }


def store_problem(folder, environment):
    """What is wrong after storing with a call that fails."""
    folder.mkdir(exist_ok=True)
    file = folder / "peripherals.json"
    file.write_text(json.dumps({"peripherals": BEFORE}))
    variables = {"COREBLUEZ_TEST_STORE": str(folder)}
    run = Run(STORING, {**variables, **environment})
    stored = json.loads(file.read_text())["peripherals"]
    if run.status is None:
        return f"it hung for {LIMIT} s"
    if stored != AFTER and (run.status == 0 or stored != BEFORE):
        return f"it ended with {run.status}, and {stored} is stored"
    if Run(STORING, variables).status != 0 or json.loads(file.read_text())["peripherals"] != AFTER:
        return "afterwards nothing can be stored"
    rest = sorted(path.name for path in folder.iterdir())
    return None if rest == ["peripherals.json", "peripherals.json.lock"] else f"{rest} are left"


class Trial:
    """Counts the calls that were made to fail, and prints what was wrong."""

    def __init__(self, library, mark, last):
        self.library, self.mark, self.last = library, mark, last
        self.tried = self.wrong = 0

    def run(self, scenario, errors, problem):
        """`problem` gets the environment in which a call fails, and returns what is wrong."""
        for name, error in ((name, error) for name, list_of_name in errors.items() for error in list_of_name):
            number = 0
            while number < self.last:
                number += 1
                self.mark.unlink(missing_ok=True)
                found = problem(failing(self.library, name, error, number, self.mark))
                if not self.mark.exists():
                    number -= 1
                    break
                self.tried += 1
                if found:
                    self.wrong += 1
                    print(f"{scenario}: {name} number {number} with {error}: {found}", flush=True)
            print(f"{scenario}: {name} with {error}: {number} calls", flush=True)


def main():
    is_short = sys.argv[1:] == ["--short"]
    wanted = list(ERRORS) if is_short else sys.argv[1:] or list(ERRORS)
    if any(name not in ERRORS for name in wanted):
        sys.exit(__doc__.strip())
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder, "failing_calls.so")
        subprocess.run(
            ["clang", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-o", library,
             ROOT / "Tests/Programs/FailingCalls/failing_calls.c", "-ldl"], check=True)
        trial = Trial(library, pathlib.Path(folder, "mark"), 1 if is_short else sys.maxsize)
        errors = {name: ERRORS[name] for name in wanted}
        with subprocess.Popen([BUILD / "bluez-simulator"], stdout=subprocess.PIPE, text=True) as simulator:
            try:
                bus = {"DBUS_SYSTEM_BUS_ADDRESS": simulator.stdout.readline().strip().partition("=")[2]}
                for scenario, command in list(SCENARIOS.items())[:1 if is_short else None]:
                    expected = Run(command, bus).output
                    trial.run(
                        scenario, errors, lambda environment: Run(command, {**bus, **environment}).problem(expected))
            finally:
                simulator.terminate()
        errors = {name: FILE_ERRORS[name] for name in wanted if name in FILE_ERRORS and not is_short}
        trial.run("store", errors, lambda environment: store_problem(pathlib.Path(folder, "store"), environment))
    print(f"{trial.tried} failing calls, {trial.wrong} of them wrong")
    sys.exit(1 if trial.wrong else 0)


if __name__ == "__main__":
    main()
