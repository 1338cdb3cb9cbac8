#!/usr/bin/env bats
# Every recipe of Documentation/gatt-recipes.md, as it stands there.

load helper

setup_file() {
    start_simulator "$BATS_TEST_DIRNAME/recipes.json"
    mkdir "$BATS_FILE_TMPDIR/bin"
    ln -s "$GATT" "$BATS_FILE_TMPDIR/bin/gatt"
    export PATH="$BATS_FILE_TMPDIR/bin:$PATH"
}

teardown_file() {
    stop_simulator
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# recipe NUMBER [VARIABLE=VALUE...]: runs the code below the heading.
recipe() {
    local number=$1
    shift
    awk -v heading="## $number. " '
        index($0, "## ") == 1 { found = index($0, heading) == 1 }
        found && /^```$/ { exit }
        found && inside { print }
        found && /^```sh$/ { inside = 1 }
    ' "$root/Documentation/gatt-recipes.md" >recipe.sh
    [ -s recipe.sh ]
    env "$@" sh -eu recipe.sh
}

@test "1: battery into CSV" {
    recipe 1 rounds=2 pause=0
    [ "$(grep -cE '^[0-9-]{10}T[0-9:]{8}Z,100$' battery.csv)" = 2 ]
}

@test "2: button" {
    run -0 recipe 2
    [ "${lines[*]}" = "Ding dong Ding dong" ]
}

@test "3: lamp" {
    recipe 3
    [ "$(gatt read Lamp FFE9)" = ff8800 ]
}

@test "4: back-up" {
    recipe 4
    json 'sum("value" in line for line in lines if line["event"] == "characteristic") == 4' "$(cat backup.jsonl)"
}

@test "5: wait for a device" {
    run -0 recipe 5
    [ "$output" = "It is here" ]
}

@test "6: sequence" {
    run -0 recipe 6
    [ "${lines[*]}" = "258 2109 2112" ]
    [ "$(gatt read Thermometer FFF1)" = 01 ]
}

@test "7: heart rate" {
    recipe 7
    json '[line["value"] for line in lines] == ["0048", "0049", "004a"]' "$(cat heart.jsonl)"
}

@test "8: low battery" {
    run -0 recipe 8 limit=20
    [ -z "$output" ]
    run -0 recipe 8 limit=101
    [ "$output" = "Charge the strap" ]
}

@test "9: again until it works" {
    run -0 recipe 9
    [ "$output" = 2108 ]
}

@test "9: again until the device is in range" {
    local bus=$DBUS_SYSTEM_BUS_ADDRESS
    # So late that the first try fails.
    echo '{"name": "Thermometer", "appearsAfter": '"$(scaled 1)"', "services": [{"uuid": "181A", "characteristics": [
        {"uuid": "2A6E", "properties": ["read"], "value": "3c08"}]}]}' >late.json
    background late.bus simulate late.json
    wait_for 60 test -s late.bus
    export "$(cat late.bus)"
    run -0 --separate-stderr recipe 9 timeout=300ms pause=0
    kill "$process"
    ended 60 "$process" || true
    export DBUS_SYSTEM_BUS_ADDRESS=$bus
    [ "$output" = 2108 ]
    [[ $stderr == *"device Thermometer was not found"* ]]
}

@test "10: one link, many reads" {
    run -0 recipe 10
    [ "${lines[*]}" = "100 100 100" ]
    is_disconnected Strap
}

@test "11: copy" {
    recipe 11
    [ "$(gatt read Lamp FFEA)" = 01 ]
}

@test "12: file" {
    recipe 12
    wait_for 60 has_value Lamp FFE9 010203
}

@test "13: thermometers" {
    run -0 recipe 13
    [ "${#lines[@]}" = 1 ]
    [[ $output == *Thermometer* ]]
}

@test "14: addresses" {
    run -0 recipe 14
    [ "${#lines[@]}" = 8 ]
    [[ $output == *00:AA:02:00:00:04* ]]
}

@test "15: degrees" {
    run -0 recipe 15
    [ "$output" = 21.08 ]
}

@test "16: pairing" {
    run -0 recipe 16
    [ "$output" = beef ]
}

@test "17: forget" {
    gatt unpair Lock || true
    recipe 17
    run -0 gatt info Lock
    [[ $output == *"$(printf 'paired\tno')"* ]]
}

@test "18: maker and firmware" {
    run -0 recipe 18
    [ "$output" = "ACME 1.2.3" ]
}

greets() {
    gatt read Strap 2A19
    grep -q "^Hello$" greetings
}

@test "19: whenever it connects" {
    recipe 19 duration=10 >greetings 3>&- &
    local watch=$!
    wait_for 60 greets
    ended 60 "$watch"
}

@test "20: adapters" {
    run -0 recipe 20
    [ "$output" = hci0 ]
}

@test "21: modem" {
    run -0 --separate-stderr recipe 21
    [ "${lines[*]}" = $'ACME\r OK\r 1.0\r OK\r' ]
}

@test "22: serial program" {
    run -0 --separate-stderr recipe 22
    [ "$output" = hello ]
    wait_for 60 test ! -L uart
}

@test "23: log of a device" {
    recipe 23 quiet=1
    [ "$(grep -cF '< 7469636b  tick' ticker.log)" = 2 ]
}
