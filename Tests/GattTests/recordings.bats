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
    [[ $stderr == *'wrong.jsonl:2: There is no "event" in the event' ]]
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
