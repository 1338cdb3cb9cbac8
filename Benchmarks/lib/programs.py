"""Whole programs on the simulator, beside scripts for bleak and bluetoothctl; and clients with nothing to do."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import threading
import time

import bench
import report

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STRAP, TAG = "00:AA:02:00:00:01", "BC:6A:29:AB:AB:50"


def peak_memory(process):
    """Follows a process's peak memory to its end: what is known when it ends counts."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def timed(command, environment, expected):
    """Wall time in ms, CPU time in ms and peak memory in MB of a program that prints `expected`."""
    with open(os.devnull, "rb") as null:
        outcome, _ = bench.spawn(command, environment, 60, null.fileno())
    if expected not in outcome.output:
        raise bench.Failure(f"it has not printed {expected}")
    driven = [line.split()[1:] for line in outcome.output.splitlines() if line.startswith("driven ")]
    if driven:
        number = {key: float(value) for key, value in (field.split("=") for field in driven[0])}
        return {"wall": number["wall"] * 1e3, "cpu": number["cpu"] * 1e3, "memory": number["memory"] / 1024}
    # The kernel counts in the parent what a child that was spawned shares with it, so memory has a run of its own.
    with subprocess.Popen(command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        highest = 0
        while process.poll() is None:
            highest = max(highest, peak_memory(process.pid))
            time.sleep(0.0005)
    return {"wall": outcome.seconds * 1e3, "cpu": outcome.cpu * 1e3, "memory": highest / 1024}


def compared(title, contenders, environment, rounds, prepare=lambda: None):
    """Runs the contenders in turn and prints a table; the first is ours."""
    numbers = {name: [] for name in contenders}
    for index in range(rounds):
        for name, (command, expected) in contenders.items():
            if numbers[name] is None:
                continue
            prepare()
            try:
                numbers[name].append(timed(command, environment, expected))
            except bench.Failure as failure:
                print(f"  {name}: {failure}", flush=True)
                numbers[name] = None
    print(f"\n{title}")
    rows = [("", "time, ms", "CPU, ms", "peak memory, MB", "time to ours", "memory to ours")]
    ours = numbers[next(iter(contenders))]
    for name, found in numbers.items():
        if not found:
            continue
        cells = [report.spread([each[key] for each in found], 1) for key in ("wall", "cpu", "memory")]
        ratios = [report.spread([a[key] / b[key] for a, b in zip(found, ours or [])], 2) if ours else "-"
                  for key in ("wall", "memory")]
        rows.append((name, *cells, *ratios))
    print(report.table(rows), flush=True)
    return {name: found for name, found in numbers.items() if found}


def bluetoothctl_of(folder):
    """bluetoothctl on the PATH, or out of Debian's package, which is unpacked and not installed."""
    if path := shutil.which("bluetoothctl"):
        return path
    path = folder / "bluez/usr/bin/bluetoothctl"
    if not path.exists():
        folder.mkdir(exist_ok=True)
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            subprocess.run(["apt-get", "-q", "download", "bluez"], cwd=folder, check=True, capture_output=True)
            package = next(folder.glob("bluez_*.deb"))
            subprocess.run(["dpkg", "-x", package, folder / "bluez"], check=True, capture_output=True)
    return str(path) if path.exists() else None


def compare(rounds):
    """`gatt read` and `sensortag read`."""
    gatt, python = os.environ.get("GATT"), os.environ.get("BENCHMARK_PYTHON")
    results = {}
    peers = bench.PEERS
    with bench.server(gatt, "simulate", str(ROOT / "Tests/Programs/GattTests/peripherals.json")) as (line, _):
        environment = dict([line.split("=", 1)])
        contenders = {"gatt read": ([gatt, "read", STRAP, "2A19"], "64")}
        if python:
            contenders["bleak script"] = ([python, str(peers / "read_battery.py"), STRAP], "64")
        if path := bluetoothctl_of(bench.BUILD / "packages"):
            contenders["bluetoothctl"] = (["python3", str(peers / "read_with_bluetoothctl.py"), path, STRAP], "64")
        else:
            print("bluetoothctl: there is none, and the package bluez cannot be downloaded")

        def connect():
            # bleak ends the link with the process, and gatt leaves it as it found it: so it is made before each.
            subprocess.run([gatt, "connect", STRAP], check=True, env={**os.environ, **environment}, capture_output=True)

        results["gatt"] = compared(
            "gatt read: a battery level of a connected device", contenders, environment, rounds, connect)
    with bench.server(os.environ["SIMULATOR"]) as (line, _):
        environment = dict([line.split("=", 1)])
        contenders = {"sensortag read": ([os.environ["SENSORTAG"], "read", TAG, "--sensor", "temperature"], "ambient")}
        if python:
            contenders["bleak script"] = ([python, str(peers / "read_sensortag.py"), TAG], "ambient")
        results["sensortag"] = compared(
            "sensortag read: connect, and one reading of a sensor", contenders, environment, rounds)
    return results


def switches(process):
    """How often the threads of a process were woken, and how many there are."""
    counts = []
    for status in pathlib.Path(f"/proc/{process}/task").glob("*/status"):
        lines = status.read_text(encoding="ascii").splitlines()
        counts.append(sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line))
    return sum(counts), len(counts)


def idle(clients, seconds):
    """All clients at once, each on a bus of its own, connected and subscribed: how often they are woken."""
    print(f"\nIdle for {seconds} s, connected and subscribed")
    rows, results = [("", "wake-ups", "threads", "resident memory, MB")], {}
    with contextlib.ExitStack() as stack:
        processes = {}
        for name, command in clients.items():
            environment = stack.enter_context(bench.mock())
            try:
                line, process = stack.enter_context(bench.server(*command, "idle", environment=environment))
            except bench.Failure as failure:
                print(f"  {name}: {failure}")
                continue
            # What a client prints is read, so that it never waits for that.
            threading.Thread(target=process.stdout.read, daemon=True).start()
            processes[name] = process.pid
        time.sleep(3)
        before = {name: switches(process) for name, process in processes.items()}
        time.sleep(seconds)
        for name, process in processes.items():
            count, threads = switches(process)
            status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii")
            resident = int(status.split("VmRSS:")[1].split()[0]) / 1024
            woken = count - before[name][0]
            results[name] = {"wakeups": woken, "seconds": seconds, "threads": threads, "resident": resident}
            rows.append((name, str(woken), str(threads), f"{resident:.1f}"))
    print(report.table(rows), flush=True)
    return results
