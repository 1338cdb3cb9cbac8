"""Writes a file to a serial port and prints as many bytes as come back.

Usage: exchange.py PORT FILE
"""

import os
import select
import sys
import time

with open(sys.argv[2], "rb") as file:
    data = file.read()
port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
sent, received = 0, b""
end = time.monotonic() + 120
while len(received) < len(data) and time.monotonic() < end:
    readable, writable, _ = select.select([port], [port] if sent < len(data) else [], [], 1)
    if readable:
        received += os.read(port, 4096)
    if writable:
        sent += os.write(port, data[sent : sent + 4096])
sys.stdout.buffer.write(received)
