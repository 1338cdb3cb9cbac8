#!/usr/bin/env bats
# What values mean by the assigned numbers: for people on terminals, and beside the bytes in JSON.

load helper

setup_file() {
    start_simulator
    gatt connect Weather
}

teardown_file() {
    stop_simulator
}

# on_terminal COMMAND...: its output is a terminal.
on_terminal() {
    printf -v line '%q ' "$@"
    SHELL=/bin/bash script -qec "$line" /dev/null </dev/null | tr -d '\r'
}

@test "A terminal gets values as people read them" {
    while IFS='|' read -r characteristic text; do
        run -0 on_terminal "$GATT" read Weather "$characteristic"
        [ "$output" = "$text" ] || { echo "$characteristic: $output"; return 1; }
    done <<'TABLE'
2A6E|25.00 °C
2A6F|46.50 %
2A6D|101326.6 Pa
2A6C|-327.68 m
2A77|812.5 W/m²
2A76|5
2AA1|21.7 7.3 -42.5 µT
2B8C|not known
2A19|ff
2A08|ea07021f0c1e00
2A98|81.600 kg
2A35|systolic 120 mmHg, diastolic NaN, mean arterial pressure 93 mmHg, ea07021f0c1e00
2A07|-4 dBm
2A37|72 bpm, 12 kJ, intervals 830 828 ms
2A38|chest
2A1C|36.8 °C
2A50|Texas Instruments Inc., product 0x0001, version 1.1.0
2A2B|2026-03-01 12:30:00
2A24|W\u{1b}
FFE9|0102
TABLE
}

@test "Pipes get bytes, and with --format auto what people read" {
    [ "$(gatt read Weather 2A6E)" = c409 ]
    [ "$(gatt read Weather 2A6E --format auto)" = "25.00 °C" ]
    [ "$(gatt read Weather 2A6E --format i16le)" = 2500 ]
    [ "$(on_terminal "$GATT" read Weather 2A6E --format hex)" = c409 ]
    [ "$(gatt notify Weather 2A6E --count 2 -f auto)" = $'25.00 °C\n-25.00 °C' ]
}

@test "JSON has the bytes and the meaning beside them" {
    # decoded CHARACTERISTIC VALUE DECODED UNIT
    decoded() {
        run -0 gatt read Weather "$1" --json
        json "lines[0]['value'] == '$2' and lines[0].get('decoded') == $3 and lines[0].get('unit') == $4" "$output"
    }
    decoded 2A6E c409 25.0 "'°C'"
    decoded 2A6F 2a12 46.5 "'%'"
    decoded 2A6D 12760f00 101326.6 "'Pa'"
    decoded 2AA1 d900490057fe "[21.7, 7.3, -42.5]" "'µT'"
    decoded 2B8C ffff None None
    json "lines[0]['reason'] == 'not known'" "$output"
    decoded 2A19 ff None None
    json "lines[0]['reason'] == '255 is not in the range 0 to 100 %'" "$output"
    decoded 2A08 ea07021f0c1e00 None None
    json "lines[0]['reason'] == '2026-02-31 is not a date'" "$output"
    decoded 2A35 027800ff075d00ea07021f0c1e00 "{'systolic': 120, 'meanArterialPressure': 93}" None
    json "lines[0]['units'] == {'systolic': 'mmHg', 'meanArterialPressure': 'mmHg'}" "$output"
    json "lines[0]['reasons'] == {'diastolic': 'NaN', 'time': '2026-02-31 is not a date'}" "$output"
    decoded 2A07 fc -4 "'dBm'"
    decoded 2A38 01 1 None
    decoded 2A37 1e480c0052035003 \
        "{'beatsPerMinute': 72, 'hasContact': True, 'energyKilojoules': 12, 'intervalsMilliseconds': [830, 828]}" None
    decoded 2A50 010d0001001001 "{'vendorSource': 'Bluetooth', 'vendor': 13, 'vendorName': 'Texas Instruments Inc.', \
'product': 1, 'version': '1.1.0'}" None
    decoded 2A2B ea0703010c1e00078000 "'2026-03-01T12:30:00.500'" None
    run -0 gatt read Weather 2A6E --json --format i16le
    json "lines[0]['decoded'] == 2500 and 'unit' not in lines[0]" "$output"
}

@test "Numbers of medical devices are read and written, and so are their special values" {
    [ "$(gatt read Weather FFEB --format medfloat16)" = "36.6 nan" ]
    gatt write Weather FFEB --format sfloat "120 nres -inf"
    [ "$(gatt read Weather FFEB)" = 780000080208 ]
    run -0 gatt read Weather FFEB --json --format sfloat
    json "lines[0]['decoded'] == [120, 'nres', '-inf']" "$output"
    run -65 --separate-stderr gatt write Weather FFEB --format sfloat 12345
    [[ $stderr == *'"12345" has too many digits'* ]]
    gatt write Weather FFEB --format medfloat32 36.4
    [ "$(gatt read Weather FFEB)" = 6c0100ff ]
}

@test "inspect shows the bytes and what they mean" {
    run -0 gatt inspect Weather
    [[ $output == *"2A6E Temperature  read, notify = c409 (25.00 °C)"* ]]
    [[ $output == *'2A24 Model Number String  read = 571b "W\u{1b}"'* ]]
}

@test "A value that does not fit has no meaning" {
    gatt write Weather 2A6C 0102
    [ "$(gatt read Weather 2A6C -f auto)" = 0102 ]
    run -0 gatt read Weather 2A6C --json
    json "'decoded' not in lines[0] and lines[0]['reason'] == '2 bytes instead of 3'" "$output"
}

@test "Nothing can be written as auto" {
    run -64 --separate-stderr gatt write Weather 2A6C 0102 --format auto
    [[ $stderr == *"The format auto is only for reading"* ]]
}
