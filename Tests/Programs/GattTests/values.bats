#!/usr/bin/env bats
# Values in and out, and what CHARACTERISTIC means.

load helper

setup_file() {
    start_simulator
    # One link for all, which the commands leave as it is.
    gatt connect Strap
}

teardown_file() {
    stop_simulator
}

# round FORMAT VALUE HEX: what is written as FORMAT is HEX, and is read as VALUE again.
round() {
    gatt write Strap FFE0/FFE1 --format "$1" -- "$2"
    [ "$(gatt read Strap FFE0/FFE1)" = "$3" ]
    [ "$(gatt read Strap FFE0/FFE1 --format "$1")" = "$2" ]
}

@test "Every number format, to its ends and in its byte order" {
    round u8 255 ff
    round i8 -128 80
    round u16le 513 0102
    round u16be 513 0201
    round i16le -2 feff
    round i16be -2 fffe
    round u24le 1 010000
    round i24be -8388608 800000
    round u32le 4294967295 ffffffff
    round i32be -2147483648 80000000
    round u48be 281474976710655 ffffffffffff
    round u64le 18446744073709551615 ffffffffffffffff
    round i64be -9223372036854775808 8000000000000000
    round f32le 0.1 cdcccc3d
    round f32be 1.5 3fc00000
    round f64le -2.5 00000000000004c0
    round f64be inf 7ff0000000000000
    round bool true 01
}

@test "Several numbers are a list" {
    gatt write Strap FFE0/FFE1 --format u16be "1, 0x0203"
    [ "$(gatt read Strap FFE0/FFE1)" = 00010203 ]
    [ "$(gatt read Strap FFE0/FFE1 -f u16be)" = "1 515" ]
    run -0 gatt read Strap FFE0/FFE1 -f u16be --json
    json 'lines[0]["decoded"] == [1, 515] and lines[0]["value"] == "00010203"' "$output"
}

@test "Text, base64, hex with separators, raw bytes" {
    round utf8 "grüße" 6772c3bcc39f65
    round base64 AAH/ 0001ff
    gatt write Strap FFE0/FFE1 "0x01:a2-B3 04"
    [ "$(gatt read Strap FFE0/FFE1)" = 01a2b304 ]
    gatt read Strap FFE0/FFE1 --format raw | cmp - <(printf '\001\242\263\004')
}

@test "Files and the standard input, as they are and as text" {
    printf '\001\000\377' >"$BATS_TEST_TMPDIR/value.bin"
    gatt write Strap FFE0/FFE1 "@$BATS_TEST_TMPDIR/value.bin"
    [ "$(gatt read Strap FFE0/FFE1)" = 0100ff ]
    printf '\377\000' | gatt write Strap FFE0/FFE1 -
    [ "$(gatt read Strap FFE0/FFE1)" = ff00 ]
    echo 513 | gatt write Strap FFE0/FFE1 - --format u16le
    [ "$(gatt read Strap FFE0/FFE1)" = 0102 ]
    run -66 gatt write Strap FFE0/FFE1 "@$BATS_TEST_TMPDIR/missing"
    run -74 bash -c '"$0" write Strap FFE0/FFE1 - <&-' "$GATT"
}

@test "What does not fit a format is refused before anything is written" {
    gatt write Strap FFE0/FFE1 aa
    while read -r format value; do
        run -65 --separate-stderr gatt write Strap FFE0/FFE1 --format "$format" -- "$value"
        [ -z "$output" ]
        [ -n "$stderr" ]
    done <<'TABLE'
u8 256
u8 -1
u8 1.5
u8 0x
u8 ten
i8 128
i8 -129
u16le 65536
i24be 8388608
u64le 18446744073709551616
i64le 9223372036854775808
f32le 1e39
f64le 1e400
f32le x
bool 2
hex abc
hex zz
base64 ?
u8 ,
TABLE
    [ "$(gatt read Strap FFE0/FFE1)" = aa ]
}

@test "What cannot be shown in a format is an error" {
    gatt write Strap FFE0/FFE1 ff0102
    run -65 --separate-stderr gatt read Strap FFE0/FFE1 --format u16le
    [ -z "$output" ]
    [[ $stderr == *"ff0102 has 3 bytes"* ]]
    run -65 gatt read Strap FFE0/FFE1 --format utf8
    run -65 gatt read Strap FFE0/FFE1 --format bool
    run -64 gatt read Strap FFE0/FFE1 --format u7
}

@test "A value of 512 bytes is whole; one more is refused" {
    head -c 512 /dev/urandom >"$BATS_TEST_TMPDIR/value"
    gatt write Strap FFE0/FFE1 "@$BATS_TEST_TMPDIR/value"
    gatt read Strap FFE0/FFE1 --format raw | cmp - "$BATS_TEST_TMPDIR/value"
    head -c 513 /dev/zero >"$BATS_TEST_TMPDIR/value"
    run -65 gatt write Strap FFE0/FFE1 "@$BATS_TEST_TMPDIR/value"
}

@test "An empty value can be written and read" {
    gatt write Strap FFE0/FFE1 ""
    run -0 gatt read Strap FFE0/FFE1
    [ "$output" = "" ]
    [ "$(gatt read Strap FFE0/FFE1 --format raw | wc -c)" = 0 ]
}

@test "CHARACTERISTIC is a UUID, an assigned name, service/characteristic or a handle" {
    for characteristic in 2A19 2a19 00002A19 00002a19-0000-1000-8000-00805f9b34fb "battery level" Battery_Level \
        180F/2A19 "Battery/Battery Level" "battery service/2A19" @0x000b @11 @0x000c; do
        run -0 gatt read Strap "$characteristic"
        [ "$output" = 64 ]
    done
    gatt write Strap F0000002-0451-4000-B000-000000000000 0a
    [ "$(gatt read Strap F0000001-0451-4000-B000-000000000000/F0000002-0451-4000-B000-000000000000)" = 0a ]
}

@test "A CHARACTERISTIC that fits several is an error that lists them" {
    run -64 --separate-stderr gatt read Strap FFE1
    [ -z "$output" ]
    [[ $stderr == *"@0x0040  FFE0/FFE1"* ]]
    [[ $stderr == *"F0000001-0451-4000-B000-000000000000/FFE1"* ]]
    run -0 gatt read Strap @0x0040
    run -0 gatt read Strap F0000001-0451-4000-B000-000000000000/FFE1
    [ "$output" = 02 ]
}

@test "The beginning of a name will do where it fits one characteristic" {
    for characteristic in batt "Battery L" battery_lev 180F/batt batt/2A19 batt/batt; do
        run -0 gatt read Strap "$characteristic"
        [ "$output" = 64 ]
    done
    run -0 gatt notify Strap batt --count 1
    run -64 --separate-stderr gatt read Weather te
    [ -z "$output" ]
    [[ $stderr == *'"te" matches several characteristics'* ]]
    [[ $stderr == *"1809/2A1C  (Health Thermometer/Temperature Measurement)"* ]]
    [[ $stderr == *"181A/2A6E  (Environmental Sensing/Temperature)"* ]]
    # A whole name is not the beginning of another.
    run -0 gatt read Weather temperature
    [ "$output" = c409 ]
    run -66 gatt read Strap attery
    run -66 gatt read Strap ""
    run -66 gatt read Strap batt/manu
}

@test "A CHARACTERISTIC that is not there is not found" {
    run -66 --separate-stderr gatt read Strap 1234
    [[ $stderr == *"no characteristic 1234"* ]]
    run -66 gatt read Strap 180F/2A29
    run -66 gatt read Strap @0x7777
    run -64 gatt read Strap @zz
    run -64 gatt read Strap @0
}

@test "--json has device, service, characteristic, value and what it means" {
    run -0 gatt read Strap 2A19 --json
    json 'lines[0]["event"] == "read" and lines[0]["device"] == "00:AA:02:00:00:01"' "$output"
    json 'lines[0]["service"] == "180F" and lines[0]["serviceName"] == "Battery"' "$output"
    json 'lines[0]["characteristic"] == "2A19" and lines[0]["characteristicName"] == "Battery Level"' "$output"
    json 'lines[0]["handle"] == 11 and lines[0]["value"] == "64" and lines[0]["decoded"] == 100' "$output"
    json 'lines[0]["mtu"] == 517' "$output"
    run -0 gatt write Strap FFE0/FFE1 01 --json
    json 'lines[0]["event"] == "write" and lines[0]["value"] == "01"' "$output"
}

@test "write without a response is refused where the value does not fit one packet" {
    gatt connect Strange
    gatt write Strange FFE1 000102030405060708090a0b0c0d0e0f10111213 --without-response
    wait_for 60 has_value Strange FFE1 000102030405060708090a0b0c0d0e0f10111213
    run -65 --separate-stderr gatt write Strange FFE1 000102030405060708090a0b0c0d0e0f1011121314 --without-response
    [[ $stderr == *"21 bytes, but at most 20"* ]]
    gatt write Strange FFE1 000102030405060708090a0b0c0d0e0f1011121314
    gatt disconnect Strange
}

@test "inspect shows the tree with names, properties, handles and values" {
    run -0 --separate-stderr gatt inspect Strap --no-values
    [ "${lines[0]}" = "Strap (00:AA:02:00:00:01), MTU 517" ]
    [[ $output == *"    @0x000b 2A19 Battery Level  read, notify"* ]]
    [[ $output == *"2901 Characteristic User Description"* ]]
    [ -z "$stderr" ]
}

@test "Control characters of a device are not shown to a terminal" {
    [ "$(gatt read Strap 2A26 --format utf8)" = "$(printf '1.0\033[31m')" ]
    run -0 script -qec "'$GATT' read Strap 2A26" /dev/null
    [[ $output == *'1.0\u{1b}[31m'* ]]
}

@test "The link that was there is still there" {
    is_connected Strap
}

@test "Descriptors are read and written by their paths and handles" {
    [ "$(gatt read Strap FFE1/2901 -f utf8)" = "A knob" ]
    [ "$(gatt read Strap "FFE0/FFE1/characteristic user description" -f utf8)" = "A knob" ]
    run -0 gatt read Strap FFE0/FFE1/2901 --json
    json 'lines[0]["descriptor"] == "2901" and lines[0]["characteristic"] == "FFE1"' "$output"
    handle=$(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["handle"])' "$output")
    [ "$(gatt read Strap "@$handle" -f utf8)" = "A knob" ]
    gatt write Strap FFE1/FFEF 2a
    [ "$(gatt read Strap FFE0/FFE1/FFEF)" = 2a ]
    run -64 gatt write Strap FFE1/FFEF 2a --without-response
    run -66 --separate-stderr gatt read Strap FFE1/2904
    [[ $stderr == *"no characteristic FFE1/2904"* ]]
    run -69 --separate-stderr gatt write Strap 2A19/2902 0100
    [[ $stderr == *"if notifications are requested"* ]]
}
