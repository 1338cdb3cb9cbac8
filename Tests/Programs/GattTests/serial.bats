#!/usr/bin/env bats
# Serial devices of `gatt simulate`.

load helper

setup_file() {
    start_simulator "$BATS_TEST_DIRNAME/serial.json"
}

teardown_file() {
    stop_simulator
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# answers DEVICE NOTIFY COUNT WRITE VALUE...: writes until there are so many notifications, and prints them.
answers() {
    local device=$1 notify=$2 count=$3 write=$4
    shift 4
    # Those of an earlier call go before the loop looks, not when the background process gets its turn.
    : >answers
    gatt connect "$device"
    gatt notify "$device" "$notify" --count "$count" >answers 3>&- &
    local notifications=$!
    until [ "$(wc -l <answers)" -ge "$count" ]; do
        gatt write "$device" "$write" "$@"
        sleep 0.1
    done
    wait "$notifications"
    gatt disconnect "$device"
}

@test "an echo, three bytes at a time" {
    answers Echo 6E400003-B5A3-F393-E0A9-E50E24DCCA9E 2 6E400002-B5A3-F393-E0A9-E50E24DCCA9E 0102030405
    [ "$(cat answers)" = "$(printf '010203\n0405')" ]
}

@test "answers of a table, joined" {
    answers Modem FFE0/FFE1 1 FFE0/FFE1 4154 --without-response
    [ "$(cat answers)" = 4f4b ]
    answers Modem FFE0/FFE1 1 FFE0/FFE1 0102 --without-response
    [ "$(cat answers)" = 0304 ]
}

@test "what a device says by itself" {
    run -0 gatt notify Ticker 49535343-1E4D-4BD9-BA61-23C647249616 --count 3 --format utf8
    [ "${lines[*]}" = "tick tock tick" ]
}

@test "garbage" {
    answers Noise D7080003-052C-46C4-9978-C0977BEBF328 1 D7080002-052C-46C4-9978-C0977BEBF328 00000000
    [ -n "$(cat answers)" ]
}

@test "wrong descriptions" {
    echo '{"name": "X", "serial": {"profile": "none"}}' >wrong.json
    run -65 --separate-stderr gatt simulate wrong.json
    [[ $stderr == *"wrong.json:1: serial.profile: Expected one of nordic, "*'found "none"'* ]]
    echo '{"name": "X", "serial": {"profile": "nordic", "behaviour": "magic"}}' >wrong.json
    run -65 --separate-stderr gatt simulate wrong.json
    [[ $stderr == *"wrong.json:1: serial.behaviour: Expected one of echo, "*'found "magic"'* ]]
    echo '{"name": "X", "serial": {"profile": "nordic", "fragment": 0}}' >wrong.json
    run -65 gatt simulate wrong.json
    echo '{"name": "X", "serial": {"profile": "nordic", "delay": -1}}' >wrong.json
    run -65 gatt simulate wrong.json
    echo '{"name": "X", "serial": {"profile": "nordic", "responses": [{"value": "0"}]}}' >wrong.json
    run -65 gatt simulate wrong.json
    echo '{"name": "X", "serial": {"profile": "nordic", "properties": ["fly"]}}' >wrong.json
    run -65 gatt simulate wrong.json
    echo '{"name": "X", "serial": {"profile": "nordic", "unsolicited": {"values": ["0"]}}}' >wrong.json
    run -65 gatt simulate wrong.json
}
