#!/usr/bin/env bats
# gatt record: what a program and bluetoothd say to each other.

load helper

setup_file() {
    start_simulator
}

teardown_file() {
    stop_simulator
}

setup() {
    file=$BATS_TEST_TMPDIR/recording.jsonl
}

teardown() {
    [ -z "${process:-}" ] || kill -KILL "$process" 2>/dev/null || true
}

# recorded EXPRESSION: whether a Python expression holds of the events, which `of` selects by their names.
recorded() {
    python3 -c '
import json, sys
header, *events = [json.loads(line) for line in open(sys.argv[2])]
def of(*names): return [event for event in events if event["event"] in names]
assert eval(f"({sys.argv[1]})"), events
' "$1" "$file"
}

@test "record has what a program asked for and got, in a file for this user only" {
    run -0 --separate-stderr gatt record "$file" -- "$GATT" read Strap 2A19
    [ "$output" = 64 ]
    [ -z "$stderr" ]
    [ "$(stat -c %a "$file")" = 600 ]
    recorded 'header["gatt-recording"] == 1 and header["origin"] == "bluetoothd" and header["program"][1] == "read"'
    recorded '[event["n"] for event in of("request") if event["op"] == "read"] ==
              [event["n"] for event in of("response") if event.get("value") == "64"]'
    recorded 'len(of("connected")) == 1 and [event["by"] for event in of("disconnected")] == ["here"]'
    recorded 'of("database")[-1]["complete"] and "180F" in [service["uuid"] for service in of("database")[-1]["services"]]'
    recorded '[event["t"] for event in events] == sorted(event["t"] for event in events)'
}

@test "record has every value that the program printed, in order" {
    gatt record "$file" -- "$GATT" notify Strap 2A19 --count 50 >"$BATS_TEST_TMPDIR/values"
    python3 - "$file" "$BATS_TEST_TMPDIR/values" <<'PYTHON'
import json, sys
events = [json.loads(line) for line in open(sys.argv[1])][1:]
values = [event["value"] for event in events if event["event"] == "value"]
printed = open(sys.argv[2]).read().split()
assert len(printed) == 50 and values[:50] == printed, (values, printed)
PYTHON
}

@test "The status of record is that of the program" {
    run -7 gatt record "$file" -- sh -c 'exit 7'
    run -73 --separate-stderr gatt record "$file" -- true
    [ "$stderr" = "gatt: The file $file exists; replace it with --overwrite" ]
    run -143 gatt record "$file" --overwrite -- sh -c 'kill -TERM $$'
    rm "$file"
    run -127 --separate-stderr gatt record "$file" -- no-such-program
    [[ $stderr == "gatt: The program cannot be started: no-such-program: "* ]]
    [ ! -e "$file" ]
    run -126 gatt record "$file" -- /dev/null
    run -64 gatt record "$file"
    [ ! -e "$file" ]
    DBUS_SYSTEM_BUS_ADDRESS=tcp:host=localhost run -69 gatt record "$file" -- true
    [ ! -e "$file" ]
}

@test "A signal to record reaches the program, and the recording has the end" {
    background "$BATS_TEST_TMPDIR/values" record "$file" -- "$GATT" notify Strap 2A19
    wait_for 60 test -s "$BATS_TEST_TMPDIR/values"
    kill -TERM "$process"
    status=0
    ended 60 "$process" || status=$?
    [ "$status" = 143 ]
    recorded '[event["op"] for event in of("request")][-2:] == ["stopNotify", "disconnect"]'
    recorded 'events[-1]["event"] in ("response", "device", "disconnected")'
}

@test "Ctrl-C on a terminal reaches the program once" {
    run -0 python3 - "$GATT" "$file" <<'PYTHON'
import os, pty, sys
# Blocked, a signal that comes before the wait is not lost.
code = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\nprint('ready', flush=True)\n" \
       "count = sum(signal.sigtimedwait([signal.SIGINT], seconds) is not None for seconds in (60, 1))\n" \
       "print('count', count)"
process, terminal = pty.fork()
if process == 0:
    os.execv(sys.argv[1], [sys.argv[1], "record", sys.argv[2], "--", "python3", "-c", code])
shown, typed = b"", False
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    shown += part
    if not typed and b"ready" in shown:
        os.write(terminal, b"\x03")
        typed = True
assert b"count 1" in shown, shown
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
PYTHON
}

@test "If record is killed, the file has whole lines only" {
    background "$BATS_TEST_TMPDIR/values" record "$file" -- "$GATT" notify Strap 2A19
    wait_for 60 grep -q '"event":"value"' "$file"
    kill -KILL "$process"
    wait_for 60 process_is_gone "$process"
    [ -z "$(tail -c 1 "$file")" ]
    recorded 'len(of("value")) > 0'
    # The program could not do it, without a bus.
    gatt disconnect Strap
}

@test "A passkey is in no recording" {
    run -0 python3 - "$GATT" "$file" <<'PYTHON'
import os, pty, sys
process, terminal = pty.fork()
if process == 0:
    os.execv(sys.argv[1], [sys.argv[1], "record", sys.argv[2], "--", sys.argv[1], "pair", "Screen"])
shown, answered = b"", False
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    shown += part
    if not answered and b"shows: " in shown:
        os.write(terminal, b"007 042\n")
        answered = True
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
PYTHON
    gatt unpair Screen
    recorded '[event["step"] for event in of("pairing")] == ["question", "confirmed"]'
    recorded 'of("pairing")[0]["method"] == "RequestPasskey"'
    # The times may have these digits.
    recorded 'not any(key in str([{**event, "t": 0} for event in events]) for key in ("7042", "007 042", "1b82"))'
}

@test "bleak runs behind record: its reads and its notifications are there, by socket or by signal" {
    [ -n "${COREBLUEZ_TEST_PYTHON:-}" ] || skip "needs a Python with bleak, named by COREBLUEZ_TEST_PYTHON"
    cat >"$BATS_TEST_TMPDIR/client.py" <<'PYTHON'
import asyncio
from bleak import BleakClient, BleakScanner

BATTERY = "00002a19-0000-1000-8000-00805f9b34fb"

async def main():
    device = await BleakScanner.find_device_by_name("Strap", timeout=60)
    async with BleakClient(device) as client:
        print((await client.read_gatt_char(BATTERY)).hex())
        values = asyncio.Queue()
        await client.start_notify(BATTERY, lambda _, value: values.put_nowait(value.hex()))
        for _ in range(20):
            print(await values.get())
        await client.stop_notify(BATTERY)

asyncio.run(main())
PYTHON
    gatt record "$file" -- "$COREBLUEZ_TEST_PYTHON" -B "$BATS_TEST_TMPDIR/client.py" >"$BATS_TEST_TMPDIR/values"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/values")" = 21 ]
    python3 - "$file" "$BATS_TEST_TMPDIR/values" <<'PYTHON'
import json, sys
events = [json.loads(line) for line in open(sys.argv[1])][1:]
values = [event["value"] for event in events
          if event["event"] == "value" or event["event"] == "response" and "value" in event]
printed = open(sys.argv[2]).read().split()
assert values[:len(printed)] == printed, (values, printed)
PYTHON
}
