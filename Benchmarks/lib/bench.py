"""A private bus with the mock on it, and programs that run on it."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time

BUILD = pathlib.Path(os.environ["BENCHMARKS_BUILD"])
PEERS = pathlib.Path(__file__).resolve().parent.parent / "peers"
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="false"/><allow receive_sender="*"/><allow own="*"/>
  </policy>
  <limit name="max_incoming_bytes">1000000000</limit>
  <limit name="max_outgoing_bytes">1000000000</limit>
  <limit name="max_message_size">134217728</limit>
  <limit name="max_match_rules_per_connection">5000</limit>
  <limit name="max_replies_per_connection">50000</limit>
</busconfig>
"""


class Failure(Exception):
    """A run that has not done its work."""


class Unsupported(Failure):
    """A library that cannot do it."""


def commands():
    """How each client is started."""
    client = pathlib.Path(os.environ["BENCHMARK_CLIENT"])
    result = {"C": [str(BUILD / "limit")], "CoreBlueZ": [str(client)],
              "CoreBluetooth": [str(client.with_name("DelegateClient"))]}
    if dynamic := os.environ.get("BENCHMARK_DYNAMIC_CLIENT"):
        result["CoreBlueZ, dynamic"] = [dynamic]
    if python := os.environ.get("BENCHMARK_PYTHON"):
        result |= {name: [python, str(PEERS / f"{name.replace('-', '_')}_client.py")]
                   for name in ("bleak", "simplepyble", "bleak-py")}
    if python := os.environ.get("COREBLUEZ_TEST_BLUEZERO"):
        result["bluezero"] = [python, str(PEERS / "bluezero_client.py")]
    return result


def wait_for_line(process):
    """The first line that a server prints."""
    line = process.stdout.readline().strip()
    if not line:
        raise Failure(f"{process.args[0]} has ended")
    return line


@contextlib.contextmanager
def server(*command, environment=None):
    """A process that serves until the block is left, and its first line."""
    environment = {**os.environ, **(environment or {})}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    try:
        yield wait_for_line(process), process
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


@contextlib.contextmanager
def mock(*options):
    """A fresh bus and a fresh mock; gives the environment of its clients."""
    with tempfile.TemporaryDirectory() as folder:
        configuration = pathlib.Path(folder) / "bus.conf"
        configuration.write_text(CONFIGURATION.format(folder=folder), encoding="ascii")
        with server("dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address") as (address, _):
            with server(str(BUILD / "mock"), address, *map(str, options)):
                yield {"DBUS_SYSTEM_BUS_ADDRESS": address}


class Outcome:
    """What a process has printed, and what it took from its start to its end."""

    def __init__(self, output, seconds, usage):
        self.output, self.seconds, self.cpu = output, seconds, usage.ru_utime + usage.ru_stime

    def results(self):
        """The lines that the clients print of their work."""
        lines = [line.split()[1:] for line in self.output.splitlines() if line.startswith("result ")]
        return [{key: float(value) for key, value in (field.split("=") for field in line)} for line in lines]


def spawn(command, environment, timeout=300, stdin=None):
    """Runs a program to its end, without what subprocess would add to its time."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        actions = [(os.POSIX_SPAWN_DUP2, output.fileno(), 1), (os.POSIX_SPAWN_DUP2, errors.fileno(), 2)]
        if stdin is not None:
            actions.append((os.POSIX_SPAWN_DUP2, stdin, 0))
        start = time.perf_counter()
        process = os.posix_spawnp(command[0], command, {**os.environ, **environment}, file_actions=actions)
        timer = threading.Timer(timeout, os.kill, (process, signal.SIGKILL))
        timer.start()
        try:
            _, status, usage = os.wait4(process, 0)
        finally:
            timer.cancel()
        seconds = time.perf_counter() - start
        output.seek(0)
        errors.seek(0)
        text, complaint = (file.read().decode(errors="replace") for file in (output, errors))
    code = os.waitstatus_to_exitcode(status)
    if code == 78:
        raise Unsupported("it cannot do this")
    if code != 0:
        last = (complaint + text).strip().splitlines()[-1:] or [""]
        reason = f"it took more than {timeout} s" if code == -signal.SIGKILL else f"exit status {code}: {last[0]}"
        raise Failure(reason)
    return Outcome(text, seconds, usage), complaint


def run(client, work, numbers=(), options=(), timeout=300):
    """One run on a fresh bus: what the client printed of each piece of work, with what its process took."""
    with mock(*options) as environment:
        outcome, _ = spawn([*commands()[client], work, *map(str, numbers)], environment, timeout)
    results = outcome.results()
    if not results:
        raise Failure("it has printed no result")
    return [result | {"process_seconds": outcome.seconds, "process_cpu": outcome.cpu} for result in results]


def instructions(client, work, numbers=(), options=(), timeout=900):
    """How many instructions a run takes, by callgrind."""
    profiles = os.environ.get("BENCHMARK_PROFILES")
    profile = f"{profiles}/callgrind.out.{client}.{work}" if profiles else os.devnull
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *commands()[client], work]
    with mock(*options) as environment:
        _, complaint = spawn([*command, *map(str, numbers)], environment, timeout)
    # A child that could not be started has a line of its own: bleak looks for bluetoothctl.
    counts = [int(count) for count in re.findall(r"Collected : (\d+)", complaint)]
    if not counts:
        raise Failure("callgrind has counted nothing")
    return max(counts)


def system_calls(client, work, numbers=(), options=(), timeout=300):
    """How many system calls a run makes, on all its threads, by strace."""
    with tempfile.NamedTemporaryFile("r") as summary, mock(*options) as environment:
        command = ["strace", "-f", "-c", "-o", summary.name, *commands()[client], work]
        spawn([*command, *map(str, numbers)], environment, timeout)
        totals = [line.split() for line in summary if line.endswith(" total\n")]
    if not totals:
        raise Failure("strace has counted nothing")
    return int(totals[-1][3])


def slope(client, work, short, long, options=lambda _: (), numbers=lambda count: (count,), items=lambda count: count,
          count=instructions):
    """What one item takes of what `count` counts: the difference of two runs, one with `short` and one with `long`
    items. What begins and ends a run counts for nothing."""
    counts = [count(client, work, numbers(length), options(length)) for length in (short, long)]
    return (counts[1] - counts[0]) / (items(long) - items(short))
