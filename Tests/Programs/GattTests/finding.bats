#!/usr/bin/env bats
# Which device and which characteristic a command uses.

load helper

lamp=C0:FF:EE:00:00:11
lamp2=C0:FF:EE:00:00:22
clock=C0:FF:EE:00:00:33

setup_file() {
    start_simulator "$BATS_TEST_DIRNAME/finding.json"
}

teardown_file() {
    stop_simulator
}

# forget ADDRESS...: BlueZ forgets the devices, as half a minute after their last advertisement.
forget() {
    local device
    for device in "$@"; do
        gatt info "$device" >/dev/null
        gatt unpair "$device"
    done
}

@test "A device in range that has exactly this name is meant, not a remembered one whose name begins alike" {
    gatt pair "$lamp2"
    forget "$lamp"
    run -0 --separate-stderr gatt write Lamp FFE9 ff8800
    [ -z "$stderr" ]
    [ "$(gatt read "$lamp" FFE9)" = ff8800 ]
    [ "$(gatt read "$lamp2" FFE9)" = 00 ]
    gatt unpair "$lamp2"
}

@test "What was not typed exactly is said" {
    gatt info "$clock"
    for text in clock Clo c0-ff-ee-00-00-3; do
        run -0 --separate-stderr gatt info "$text"
        [ "$stderr" = "Using Clock ($clock)" ]
        [ "${lines[0]}" = "$(printf 'address\t%s' "$clock")" ]
    done
    for text in Clock "$clock"; do
        run -0 --separate-stderr gatt info "$text"
        [ -z "$stderr" ]
    done
}

@test "disconnect and unpair do not take the beginning of a name, and print the whole one" {
    gatt connect "$clock"
    for command in disconnect unpair; do
        for text in Cl C0:FF:EE:00:00:3; do
            run -66 --separate-stderr gatt "$command" "$text"
            [[ $stderr == *"give its whole name or its address:"*"  $clock  Clock  connected"* ]]
        done
    done
    is_connected "$clock"
    run -0 --separate-stderr gatt disconnect clock
    [ "$stderr" = "Using Clock ($clock)" ]
    is_disconnected "$clock"
}

@test "An address may be copied from anywhere" {
    for text in C0FFEE000022 C0_FF_EE_00_00_22 c0-ff-ee-00-00-22 " $lamp2" "$lamp2 " \
        /org/bluez/hci0/dev_C0_FF_EE_00_00_22 dev_C0_FF_EE_00_00_22; do
        run -0 --separate-stderr gatt info "$text"
        [ "${lines[0]}" = "$(printf 'address\t%s' "$lamp2")" ]
        [ -z "$stderr" ]
    done
}

@test "A UUID may be copied from anywhere" {
    for text in 0xFFE9 0xffe5/0xFFE9 '{0000FFE9-0000-1000-8000-00805F9B34FB}' \
        urn:uuid:0000ffe9-0000-1000-8000-00805f9b34fb FFE5/0x0000FFE9; do
        gatt write "$lamp" "$text" 01
        [ "$(gatt read "$lamp" "$text")" = 01 ]
    done
    run -66 gatt read "$lamp" 0xFFE
}

@test "Of characteristics with one UUID, the only one that permits the use is meant" {
    [ "$(gatt read "$clock" FFF4)" = 01 ]
    gatt write "$clock" FFF4 05
    run -64 --separate-stderr gatt read "$clock" FFF5
    [[ $stderr =~ @0x[0-9a-f]{4}\ \ FFF0/FFF5\ \ read$'\n' ]]
    [[ $stderr =~ @0x[0-9a-f]{4}\ \ FFF0/FFF5\ \ read,\ notify ]]
    run -0 gatt notify "$clock" FFF5 --duration 200ms
}

are_notifying() {
    [ "$(grep -c '"Notifying": true' "$BATS_TEST_TMPDIR/values.error")" -ge 2 ]
}

@test "notify prints the values of several characteristics in the order of their arrival" {
    gatt connect "$clock"
    background "$BATS_TEST_TMPDIR/values" notify "$clock" FFF2 FFF1 --count 100 --trace
    wait_for 60 are_notifying
    for _ in {1..20}; do gatt write "$clock" FFF3 01; done
    ended 120 "$process"
    gatt disconnect "$clock"
    run -0 awk -F '\t' '{ printf "%s%s", $2, NR % 5 ? " " : "\n" }' "$BATS_TEST_TMPDIR/values"
    [ "$(sort -u <<<"$output")" = "00 01 02 03 ff" ]
}

@test "scan --rssi takes what a signal strength can be" {
    for value in 70 21 -128; do
        run -64 --separate-stderr gatt scan --rssi "$value"
        [[ $stderr == *"from -127 to 20"* ]]
    done
    run -0 gatt scan --rssi -127 --count 1
}
