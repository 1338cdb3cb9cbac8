"""Measures serial ports over Bluetooth in turn: bytes into the port, and the echo of all out of it.

Usage: ports.py GATT BLE-SERIAL LINK BYTES ROUNDS
"""

import os
import select
import signal
import statistics
import subprocess
import sys
import time

GATT, BLE_SERIAL, LINK = sys.argv[1:4]
COUNT, ROUNDS = int(sys.argv[4]), int(sys.argv[5])
ADDRESS = "00:AA:02:00:00:01"
LIMIT = 300
DATA = bytes(index * 31 % 256 for index in range(COUNT))
# The MTU of the simulated link is 517; ble-serial does not ask for it.
PAIRS = [
    ("confirmed writes", [], ["--write-with-response", "--mtu", "512"]),
    ("unconfirmed writes", ["--without-response"], ["--mtu", "512"]),
]


def begin(command, is_ready):
    """Starts a program, and waits until it says that it is ready."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in process.stdout:
        if is_ready(line):
            return process
    raise SystemExit(f"{command[0]} ended with {process.wait()}")


def transfer():
    """The seconds until all bytes are back; None if they are not the same."""
    port = os.open(LINK, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    sent, received = 0, bytearray()
    start = time.perf_counter()
    while len(received) < COUNT:
        readable, writable, _ = select.select([port], [port] if sent < COUNT else [], [], 10)
        if not readable and not writable or time.perf_counter() - start > LIMIT:
            break
        if readable:
            received += os.read(port, 65536)
        if writable:
            sent += os.write(port, DATA[sent : sent + 4096])
    seconds = time.perf_counter() - start
    os.close(port)
    return seconds if received == DATA else None


def peak(process):
    """The most memory that a process has had, in MB."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) / 1000 for line in file if line.startswith("VmHWM"))


def measure(command, is_ready):
    process = begin(command, is_ready)
    try:
        return transfer(), peak(process)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def main():
    slower = False
    for name, ours, theirs in PAIRS:
        rounds = []
        for _ in range(ROUNDS):
            one = measure([GATT, "serial", ADDRESS, f"--pty={LINK}", *ours], lambda line: line.strip() == LINK)
            other = measure(
                [BLE_SERIAL, "-d", ADDRESS, "-p", LINK, *theirs], lambda line: "Running main loop" in line
            )
            rounds.append((one, other))
            print(f"{name}: gatt {one[0] or 'lost bytes'}, ble-serial {other[0] or 'lost bytes'}", flush=True)
        complete = [(one[0], other[0]) for one, other in rounds if one[0] and other[0]]
        lost = [sum(pair[side][0] is None for pair in rounds) for side in (0, 1)]
        memory = [statistics.median(pair[side][1] for pair in rounds) for side in (0, 1)]
        text = f"{COUNT} bytes there and back, {name}: "
        if complete:
            rates = [COUNT / statistics.median(pair[side] for pair in complete) / 1000 for side in (0, 1)]
            ratio = statistics.median(one / other for one, other in complete)
            slower = slower or ratio > 1
            text += f"gatt {rates[0]:.0f} kB/s, ble-serial {rates[1]:.0f} kB/s; time ratio {ratio:.2f}; "
        print(
            f"{text}rounds with lost bytes: {lost[0]} and {lost[1]} of {ROUNDS}; "
            f"memory {memory[0]:.0f} and {memory[1]:.0f} MB"
        )
    sys.exit(1 if slower else 0)


main()
