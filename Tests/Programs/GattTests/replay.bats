#!/usr/bin/env bats
# gatt simulate --replay: recordings and captures that are played to other commands.

load helper

strap=00:AA:02:00:00:01
pulse=00:AA:02:00:00:20

# One link with a subscription, reads and a write. The last read is an ATT error, and ends the command.
session() {
    gatt run "$BATS_FILE_TMPDIR/session"
}

setup_file() {
    cat >"$BATS_FILE_TMPDIR/session" <<LINES
notify $strap 2A19 --count 5
read $strap 2A29 --format utf8
write $strap FFE0/FFE1 05
read $strap FFE0/FFE1
read $strap FFE2
LINES
    start_simulator
    run -76 gatt record "$BATS_FILE_TMPDIR/recording.jsonl" -- "$GATT" run "$BATS_FILE_TMPDIR/session"
    echo "$output" >"$BATS_FILE_TMPDIR/printed"
    stop_simulator
}

setup() {
    recording=$BATS_FILE_TMPDIR/recording.jsonl
    captures="$root/Tests/FuzzerTests/Corpora/captures"
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    [ -n "${process:-}" ] || return 0
    kill -TERM "$process" 2>/dev/null || true
    ended 60 "$process" || true
}

# replay OPTION...: plays a recording to the commands that follow; it reports in bus.error.
replay() {
    background bus simulate --replay "$@"
    wait_for 60 test -s bus
    export "$(cat bus)"
}

# written FILE LINE...: writes a recording: a device "Pulse", its services, and these events, which have no braces.
written() {
    local file=$1 event
    shift
    {
        echo '{"gatt-recording":1,"origin":"bluetoothd","began":"2026-11-26T10:00:00.000000Z"}'
        for event in \
            '"t":0,"event":"adapter","adapter":"hci0","address":"00:AA:01:00:00:42","powered":true' \
            '"t":0,"event":"request","n":1,"op":"discover","setting":{"adapter":"hci0"}' \
            '"t":0,"event":"response","n":1' \
            '"t":0,"event":"heard","device":"00:AA:02:00:00:20","addressType":"public","rssi":-60,"name":"Pulse"' \
            '"t":0,"event":"request","n":2,"op":"connect","device":"00:AA:02:00:00:20"' \
            '"t":0,"event":"connected","device":"00:AA:02:00:00:20"' \
            '"t":0,"event":"response","n":2' \
            '"t":0,"event":"database","device":"00:AA:02:00:00:20","complete":true,"services":[{"uuid":"180D","handle":1,"primary":true,"characteristics":[{"uuid":"2A37","handle":2,"properties":["notify"],"descriptors":[{"uuid":"2902","handle":4}]}]}]' \
            '"t":0,"event":"device","device":"00:AA:02:00:00:20","resolved":true' \
            '"t":0,"event":"request","n":3,"op":"notify","device":"00:AA:02:00:00:20","handle":3' \
            '"t":0,"event":"response","n":3' "$@"; do
            echo "{$event}"
        done
    } >"$file"
}

# value TIME VALUE: the event of a value of Pulse.
value() {
    echo "\"t\":$1,\"event\":\"value\",\"device\":\"00:AA:02:00:00:20\",\"handle\":3,\"value\":\"$2\",\"by\":\"signal\""
}

@test "A link that is lost after Connect is not made again" {
    written whole.jsonl
    {
        head -8 whole.jsonl
        echo '{"t":0,"event":"disconnected","device":"00:AA:02:00:00:20"}'
    } >lost.jsonl
    # The moment is not the same each time.
    for _ in 1 2 3; do
        replay lost.jsonl --fast
        run -68 --separate-stderr gatt read Pulse 2A37 --retries 0
        case $stderr in
        'gatt: The link to Pulse was lost' | 'gatt: Connecting to Pulse: the link broke at once') ;;
        *) false ;;
        esac
        [ ! -s bus.error ]
        teardown
    done
}

@test "A replay is to the same command what the device was" {
    replay "$recording"
    run -76 session
    [ "$output" = "$(cat "$BATS_FILE_TMPDIR/printed")" ]
    [[ $output == *$'\nACME\n05\n'*0x80* ]]
    [ ! -s bus.error ]
}

@test "A replay without its waits prints the same" {
    replay "$recording" --fast
    run -76 session
    [ "$output" = "$(cat "$BATS_FILE_TMPDIR/printed")" ]
    [ ! -s bus.error ]
}

@test "What is not recorded is answered by what is known, and reported once on the standard error" {
    replay "$recording" --fast
    # The first read is recorded; the second one is not, and gets its value.
    printf 'read %s FFE0/FFE1\n' "$strap" "$strap" "$strap" >reads
    run -0 gatt run reads
    [ "$output" = $'05\n05\n05' ]
    gatt write "$strap" FFE6 01
    run -76 --separate-stderr gatt read "$strap" FFE7
    [[ $stderr == *"unlikely error"* ]]
    wait_for 60 grep -q "^$strap: There are more links than recorded; they are the last one again$" bus.error
    grep "$strap: No such" bus.error >reports
    [ "$(grep -c . reports)" = 3 ]
    grep -qx "$strap: No such read of handle 0x0041 is recorded; the last known value is returned" reports
    grep -qx "$strap: No such write of handle 0x.... is recorded; it succeeds" reports
    grep -qx "$strap: No such read of handle 0x.... is recorded; it fails" reports
}

@test "A device without a recorded link cannot be connected" {
    replay "$recording" --fast
    run -68 --separate-stderr gatt connect 00:AA:02:00:00:02
    [[ $stderr == *le-connection-abort-by-local* ]]
    grep -qx "00:AA:02:00:00:02: No link with the device is recorded; Connect fails" bus.error
}

@test "Values keep their recorded times" {
    written times.jsonl "$(value 0 01)" "$(value 0.5 02)" "$(value 1 03)"
    replay times.jsonl
    local begin
    begin=$(date +%s%N)
    run -0 gatt notify "$pulse" 2A37 --count 3
    [ "$output" = $'01\n02\n03' ]
    # Never less than recorded; more if the machine is slow.
    [ $(($(date +%s%N) - begin)) -ge 1000000000 ]
}

@test "With --fast, an hour is no wait" {
    written hour.jsonl "$(value 0 01)" "$(value 3600 02)"
    replay hour.jsonl --fast
    run -0 gatt notify "$pulse" 2A37 --count 2
    [ "$output" = $'01\n02' ]
}

@test "A link that was lost is lost again" {
    written lost.jsonl "$(value 0 01)" '"t":0.1,"event":"disconnected","device":"00:AA:02:00:00:20","by":"lost"'
    replay lost.jsonl
    run -68 --separate-stderr gatt notify "$pulse" 2A37 --count 2
    [ "$output" = 01 ]
}

@test "A recording is also played from the standard input" {
    gatt_at_prompt simulate --replay - --fast <"$recording" >bus 2>bus.error 3>&- &
    process=$!
    wait_for 60 test -s bus
    export "$(cat bus)"
    run -0 gatt notify "$strap" 2A19 --count 5
    [ "$output" = "$(head -5 "$BATS_FILE_TMPDIR/printed")" ]
}

@test "Ctrl-C ends a replay, and SIGTERM" {
    local signal status
    for signal in INT:130 TERM:143; do
        replay "$recording"
        kill -"${signal%:*}" "$process"
        status=0
        ended 60 "$process" || status=$?
        [ "$status" = "${signal#*:}" ]
        process=
    done
}

@test "A capture is played, and says what it does not contain" {
    replay "$captures/android"
    grep -qx "C0:01:02:03:04:05: A link of classic Bluetooth is left out" bus.error
    run -0 gatt read C0:01:02:03:04:05 2A37
    [ "$output" = 010203 ]
    # The capture has a write of the client configuration.
    run -0 gatt notify C0:01:02:03:04:05 2A37 --count 3
    [ "$output" = $'000000000000000000000000000000000000000000000000000000000000\n07\n07' ]
    ! grep "No such" bus.error
}

@test "Wrong arguments" {
    run -64 --separate-stderr gatt simulate description.json --replay "$recording"
    [[ $stderr == *"Give either a description or --replay with a recording"* ]]
    run -64 gatt simulate
    run -64 gatt simulate --fast
    run -64 gatt simulate --fast description.json
    run -64 gatt simulate --replay
}

@test "A file that cannot be played is an error that names it, and the line" {
    run -66 --separate-stderr gatt simulate --replay missing.jsonl
    [[ $stderr == "gatt: The file missing.jsonl cannot be read: "* ]]
    head -c -10 "$recording" >cut.jsonl
    run -65 --separate-stderr gatt simulate --replay cut.jsonl
    [ "$stderr" = "gatt: cut.jsonl:$(wc -l <"$recording"): The line is cut off" ]
    sed '3s/.*/{"t":1}/' "$recording" >malformed.jsonl
    run -65 --separate-stderr gatt simulate --replay malformed.jsonl
    [[ $stderr == *'malformed.jsonl:3: "event" is missing' ]]
    run -65 --separate-stderr gatt simulate --replay "$root/README.md"
    [[ $stderr == *"README.md: byte 0: This is no capture"* ]]
    : >empty
    run -65 --separate-stderr gatt simulate --replay empty
    [ "$stderr" = "gatt: empty: byte 0: The file is empty" ]
}

@test "bleak gets the recorded responses and values" {
    [ -n "${COREBLUEZ_TEST_PYTHON:-}" ] || skip "needs a Python with bleak, named by COREBLUEZ_TEST_PYTHON"
    cat >client.py <<'PYTHON'
import asyncio
from bleak import BleakClient, BleakScanner

BATTERY = "00002a19-0000-1000-8000-00805f9b34fb"
MAKER = "00002a29-0000-1000-8000-00805f9b34fb"

async def main():
    device = await BleakScanner.find_device_by_name("Strap", timeout=60)
    async with BleakClient(device) as client:
        values = asyncio.Queue()
        await client.start_notify(BATTERY, lambda _, value: values.put_nowait(value.hex()))
        for _ in range(5):
            print(await values.get())
        await client.stop_notify(BATTERY)
        print((await client.read_gatt_char(MAKER)).decode())

asyncio.run(main())
PYTHON
    replay "$recording" --fast
    run -0 "$COREBLUEZ_TEST_PYTHON" -B client.py
    [ "$output" = "$(head -6 "$BATS_FILE_TMPDIR/printed")" ]
}

@test "bleak gets every value of a minute of a SensorTag, recorded from bluetoothd, in order" {
    [ -n "${COREBLUEZ_TEST_PYTHON:-}" ] || skip "needs a Python with bleak, named by COREBLUEZ_TEST_PYTHON"
    minute=$root/Tests/Recordings/BusRecorderTests/Recordings/tag-sockets.jsonl
    cat >client.py <<'PYTHON'
import asyncio
import json
import sys

sys.path.insert(0, sys.argv[1])
import replay_client

events = [json.loads(line) for line in open(sys.argv[2])][1:]
uuids = {}
for event in events:
    if event["event"] == "database":
        for service in event["services"]:
            for characteristic in service["characteristics"]:
                uuids[characteristic["handle"] + 1] = characteristic["uuid"].lower()
values = [event for event in events if event["event"] == "value"]
wanted, seen = {}, {}
for event in values:
    uuid = uuids[event["handle"]]
    wanted.setdefault(uuid if len(uuid) == 36 else f"0000{uuid}-0000-1000-8000-00805f9b34fb", []).append(event["value"])

def take(uuid, value, flush):
    seen.setdefault(uuid, []).append(value)
    if sum(map(len, seen.values())) == len(values):
        task.cancel()

replay_client.print = take
sys.argv[1:] = ["B0:B4:48:C0:26:50", "sockets"]
loop = asyncio.new_event_loop()
task = loop.create_task(replay_client.main())
loop.call_later(150, task.cancel)
try:
    loop.run_until_complete(task)
except asyncio.CancelledError:
    pass
print(len(seen), seen == wanted)
PYTHON
    replay "$minute" --fast
    run -0 "$COREBLUEZ_TEST_PYTHON" -B client.py "$root/Lab" "$minute"
    [ "$output" = "7 True" ]
}
