#!/usr/bin/env bats
# import and show need no bus.

load helper

setup() {
    captures="$root/Tests/FuzzerTests/Corpora/captures"
    cd "$BATS_TEST_TMPDIR"
}

@test "import makes a recording of each format, and of a recording" {
    gatt import "$captures/android" -o android.jsonl
    [ "$(stat -c %a android.jsonl)" = 600 ]
    head -1 android.jsonl | grep -q '^{"gatt-recording":1,"origin":"capture","began":"2026-11-26T10:00:00.000000Z"}$'
    grep -q '"event":"value","device":"C0:01:02:03:04:05","handle":3,"value":"07","by":"indication"}$' android.jsonl
    for capture in btmon packet-logger wireshark; do
        gatt import "$captures/$capture" | cmp - android.jsonl
    done
    gatt import - <android.jsonl | cmp - android.jsonl
    run -73 --separate-stderr gatt import "$captures/android" -o android.jsonl
    [[ $stderr == *"android.jsonl cannot be created: File exists"* ]]
}

@test "import keeps one device, and redacts" {
    run -0 gatt import "$captures/android" --device 00:00:00:00:00:01
    [[ $output == *'"event":"adapter"'* ]]
    [[ $output != *'"device"'* ]]
    run -0 gatt import "$captures/android" --redact
    [[ $output != *C0:01:02:03:04:05* ]]
    [[ $output != *Strap* ]]
    [[ $output == *'"value":"010203"'* ]]
    run -0 gatt import "$captures/android" --redact --hide-values
    [[ $output == *'"value":"000000"'* ]]
    run -64 gatt import - --redact
    run -64 gatt import "$captures/android" --hide-values
    run -64 gatt import "$captures/android" --device Strap
}

@test "import and show say what is wrong with a file, and where" {
    run -66 --separate-stderr gatt import missing
    [[ $stderr == "gatt: The file missing cannot be read: "* ]]
    run -65 --separate-stderr gatt import "$root/README.md"
    [[ $stderr == *"README.md: byte 0: This is no capture"* ]]
    printf '{"gatt-recording":1,"origin":"capture","began":"2026-11-26T10:00:00.000000Z"}\n{"t":1}\n' >wrong.jsonl
    run -65 --separate-stderr gatt show wrong.jsonl
    [[ $stderr == *'wrong.jsonl:2: "event" is missing' ]]
}

@test "What comes before an error in a file is shown and imported" {
    {
        echo '{"gatt-recording":1,"origin":"capture","began":"2026-11-26T10:00:00.000000Z"}'
        echo '{"t":1,"event":"heard","device":"C0:01:02:03:04:05","addressType":"random","name":"Strap"}'
        echo '{"t":2,"event":"conn'
    } >cut.jsonl
    run -65 --separate-stderr gatt show cut.jsonl
    [[ $output == *'C0:01:02:03:04:05 "Strap": 1 advertisement'* ]]
    [[ $stderr == *"cut.jsonl:3: "* ]]
    run -65 gatt show --html cut.jsonl
    [[ $output == *"</html>"* ]]
    run -65 --separate-stderr gatt import --redact cut.jsonl
    [[ ${#lines[@]} == 2 && $output != *Strap* ]]
}

@test "show prints the timeline and the summary" {
    run -0 gatt show "$captures/android"
    [[ $output == *'0.021  C0:01:02:03:04:05  read Heart Rate Measurement (2A37) @0x0003: '* ]]
    [[ $output == *'C0:01:02:03:04:05 "Strap": 3 advertisements, 1 link, 1 service, '* ]]
    run -0 gatt show --summary "$captures/android"
    [[ ${lines[0]} == "Recorded from a capture, 2026-11-26T10:00:00.000000Z, "* ]]
    [[ $output != *Measurement* ]]
}

@test "show prints its lines in the order of their times, whenever the responses came" {
    {
        echo '{"gatt-recording":1,"origin":"bluetoothd","began":"2026-11-26T10:00:00.000000Z"}'
        for event in '1,"event":"request","n":1,"op":"read"' '2,"event":"request","n":2,"op":"read"' \
            '3,"event":"value","handle":3,"value":"07","by":"signal"' '4,"event":"response","n":2,"value":"02"' \
            '5,"event":"response","n":1,"value":"01"' '6,"event":"request","n":3,"op":"write"' \
            '7,"event":"connected"'; do
            echo "{\"t\":$event,\"device\":\"C0:01:02:03:04:05\"}"
        done
    } >order.jsonl
    run -0 gatt show order.jsonl
    [ "$(printf '%s\n' "${lines[@]:0:5}" | awk '{ print $1 }' | tr '\n' ' ')" = "1.000 2.000 3.000 6.000 7.000 " ]
    [[ ${lines[0]} == *"read: 01 [4.000 s]" && ${lines[3]} == *"write: no response in the recording" ]]
    # 10,000 rows do not wait longer.
    {
        head -2 order.jsonl
        seq 12000 | sed 's/.*/{"t":&,"event":"connected","device":"C0:01:02:03:04:05"}/'
        echo '{"t":12001,"event":"response","n":1,"value":"01"}'
    } >long.jsonl
    gatt show long.jsonl >rows
    [[ $(head -1 rows) == *" 1.000 "*"read: the response comes later" ]]
    grep -q '12001.000 .* response to read: 01 \[12000.000 s\]$' rows
    [ "$(head -12002 rows | sort -c -s -n -k 1,1 && echo sorted)" = sorted ]
}

@test "A capture without HCI packets is an error, not an empty recording" {
    printf 'btsnoop\0\0\0\0\1\0\0\3\352' >empty.btsnoop
    for command in import show; do
        run -65 --separate-stderr gatt "$command" empty.btsnoop
        [[ $stderr == *"empty.btsnoop: byte 16: The capture contains no HCI packets" ]]
    done
    run -65 gatt simulate --replay empty.btsnoop
}

# ended_by_signal COMMAND...: the command runs until SIGTERM, and then ends.
ended_by_signal() {
    local status=0
    gatt_at_prompt "$@" >output 3>&- &
    process=$!
    # It has opened its file, and waits.
    wait_for 60 reads_from "$process"
    kill -TERM "$process"
    ended 20 "$process" || status=$?
    [ "$status" = 143 ]
}

# reads_from PROCESS: whether a process has opened the pipe.
reads_from() {
    find "/proc/$1/fd" -lname "$PWD/pipe" | grep -q .
}

@test "A signal ends a command that waits for its file" {
    mkfifo pipe
    # A writer that writes nothing.
    exec 4<>pipe
    ended_by_signal import pipe
    ended_by_signal show pipe
    ended_by_signal import --redact pipe
    ended_by_signal simulate --replay pipe
    exec 4>&-
}

@test "A signal ends a command whose output nobody reads" {
    mkfifo pipe
    exec 4<>pipe
    {
        echo '{"gatt-recording":1,"origin":"capture","began":"2026-11-26T10:00:00.000000Z"}'
        seq 5000 | sed 's/.*/{"t":&,"event":"connected","device":"C0:01:02:03:04:05"}/'
    } >long.jsonl
    local command status
    for command in import show; do
        gatt_at_prompt "$command" long.jsonl >pipe 3>&- 4>&- &
        process=$!
        # A pipe has 64 KiB.
        wait_for 60 eval '[ "$(cat "/proc/$process/task/"*/wchan | grep -c pipe)" -gt 0 ]'
        kill -TERM "$process"
        status=0
        ended 20 "$process" || status=$?
        [ "$status" = 143 ]
        timeout 1 cat <&4 >/dev/null || true
    done
    exec 4>&-
}

@test "Neither a capture nor its redaction grows: output and time stay in proportion to the input" {
    # A whole database of a thousand services, and then one service after another with another UUID.
    grow() {
        python3 - "$1" <<'PYTHON' >"grow-$1.btsnoop"
import struct, sys
packets, time = [], 0x00DCDDB30F2F8000 + 1_700_000_000_000_000

def packet(kind, received, data):
    global time
    time += 1000
    data = bytes([kind]) + data
    packets.append(struct.pack(">IIIIQ", len(data), len(data), received, 0, time) + data)

def attribute(received, data):
    data = struct.pack("<HH", len(data), 4) + data
    packet(2, received, struct.pack("<HH", 0x2040 if received else 0x40, len(data)) + data)

packet(4, 1, bytes([0x3E, 19, 1, 0, 0x40, 0, 0, 0, 1, 2, 3, 4, 5, 0xC0]) + bytes(7))
for first in range(0, 1000, 40):
    services = [(16 * n + 1, 16 * n + 16, 0x1000 + n) for n in range(first, first + 40)]
    attribute(0, b"\x10" + struct.pack("<HHH", services[0][0], 0xFFFF, 0x2800))
    attribute(1, b"\x11\x06" + b"".join(struct.pack("<HHH", *service) for service in services))
attribute(0, b"\x10" + struct.pack("<HHH", 16001, 0xFFFF, 0x2800))
attribute(1, b"\x01\x10" + struct.pack("<HB", 16001, 0x0A))
for number in range(int(sys.argv[1])):
    attribute(0, b"\x10" + struct.pack("<HHH", 1, 0xFFFF, 0x2800))
    attribute(1, b"\x11\x06" + struct.pack("<HHH", 1, 16, number))
    attribute(0, b"\x0a\x03\x00")
    attribute(1, b"\x0b\x00")
sys.stdout.buffer.write(b"btsnoop\0" + struct.pack(">II", 1, 1002) + b"".join(packets))
PYTHON
        gatt import "grow-$1.btsnoop" -o "grow-$1.jsonl"
        [ "$(stat -c %s "grow-$1.jsonl")" -lt $(($(stat -c %s "grow-$1.btsnoop") * 20)) ]
    }
    grow 100
    grow 400
    # The last services are in the recording, even if not all that came before.
    grep '"event":"database"' grow-400.jsonl | tail -1 | grep -q '"uuid":"13E7"'
}

@test "show prints a page that loads nothing, and in which no name is markup" {
    {
        echo '{"gatt-recording":1,"origin":"capture","began":"2026-11-26T10:00:00.000000Z"}'
        echo '{"t":1,"event":"heard","device":"C0:01:02:03:04:05","addressType":"random","name":"<script>\u001b[31m&\"'"'"'"}'
    } >name.jsonl
    run -0 gatt show --html name.jsonl
    [[ $output == "<!DOCTYPE html>"* ]]
    [[ $output == *'&lt;script&gt;\u{1b}[31m&amp;&quot;&#39;'* ]]
    [[ $output != *"<script"* ]]
    [[ $output != *src=* ]]
    [[ $output != *href=* ]]
    [[ $output != *$'\e'* ]]
}
