#!/usr/bin/env bats
# Finding devices: adapters, scan, info, and what DEVICE means.

load helper

setup_file() {
    start_simulator
}

teardown_file() {
    stop_simulator
}

@test "adapters lists every adapter, also one that is off" {
    run -0 --separate-stderr gatt adapters
    [ "${lines[0]}" = "$(printf 'hci0\t00:AA:01:00:00:42\ton\tfirst')" ]
    [ "${lines[1]}" = "$(printf 'hci1\t00:AA:01:00:00:43\toff\tsecond')" ]
    [ -z "$stderr" ]
    run -0 gatt adapters --json
    json 'lines[1]["adapter"] == "hci1" and lines[1]["isPowered"] is False and lines[1]["event"] == "adapter"' "$output"
}

@test "An adapter that is off or missing is unavailable" {
    run -69 --separate-stderr gatt scan --adapter hci1 --duration 1
    [ -z "$output" ]
    [[ $stderr == *"hci1 is off"* ]]
    run -69 gatt read Strap 2A19 --adapter hci7
    run -0 gatt scan --adapter 00:AA:01:00:00:42 --count 1
}

@test "scan lists address, signal strength, name and what the device tells" {
    run -0 --separate-stderr gatt scan --duration "$(scaled 1)"
    [[ $output == *"$(printf '00:AA:02:00:00:01\t-50\tStrap\tHeart Rate, Texas Instruments Inc.')"* ]]
    [ "$(grep -c Strap <<<"$output")" = 1 ]
    [ -z "$stderr" ]
}

@test "scan --json has the whole advertisement" {
    run -0 gatt scan Strap --count 1 --json
    json 'len(lines) == 1' "$output"
    json 'lines[0]["device"] == "00:AA:02:00:00:01" and lines[0]["deviceName"] == "Strap"' "$output"
    json 'lines[0]["rssi"] == -50 and lines[0]["txPower"] == 4 and lines[0]["serviceUUIDs"] == ["180D"]' "$output"
    json 'lines[0]["manufacturerData"] == {"0x000d": "0102"}' "$output"
    json 'lines[0]["companies"] == {"0x000d": "Texas Instruments Inc."}' "$output"
    json 'lines[0]["appearance"] == 833 and lines[0]["appearanceName"] == "Heart Rate Belt"' "$output"
    json '__import__("datetime").datetime.fromisoformat(lines[0]["time"].replace("Z", "+00:00"))' "$output"
}

@test "scan takes only what was asked for" {
    run -0 gatt scan --service 180d --duration "$(scaled 1)"
    [ "${#lines[@]}" = 1 ]
    run -0 gatt scan --rssi -55 --duration "$(scaled 1)"
    [ "${#lines[@]}" = 1 ]
    run -0 gatt scan stra --duration "$(scaled 1)"
    [ "${#lines[@]}" = 2 ]
    run -0 gatt scan 00-bb --duration "$(scaled 1)"
    [[ $output == *Deaf* ]]
}

@test "scan --count waits for a device, and says where it does not come" {
    run -0 gatt scan Late --count 1 --duration "$(scaled 20)"
    [[ $output == *Late* ]]
    run -0 --separate-stderr gatt scan Nobody --duration 200ms
    [ -z "$output" ]
    [[ $stderr == "No device was found within "* ]]
    run -75 --separate-stderr gatt scan Nobody --count 1 --duration 200ms
    [[ $stderr == *"Found 0 of 1"* ]]
}

@test "DEVICE is an address in any spelling, a name in any case, or the beginning of either" {
    for device in 00:AA:02:00:00:01 00-aa-02-00-00-01 Strap strap Strap 00:aa:02:00:00:01; do
        run -0 --separate-stderr gatt info "$device"
        [ "${lines[0]}" = "$(printf 'address\t00:AA:02:00:00:01')" ]
    done
    run -0 gatt info 00:BB
    [[ $output == *Deaf* ]]
    run -0 gatt info stran
    [[ $output == *Strange* ]]
}

@test "A DEVICE that fits several is an error that lists them" {
    run -64 --separate-stderr gatt info Stra
    [ -z "$output" ]
    [[ $stderr == *"00:AA:02:00:00:01  Strap"* ]]
    [[ $stderr == *"00:AA:02:00:00:02  Strange"* ]]
    run -64 gatt info Twin
    run -64 gatt info ""
}

@test "A DEVICE that is not there is not found, within the time" {
    run -75 --separate-stderr gatt read Nobody 2A19 --timeout 300ms
    [[ $stderr == *"The device Nobody was not found within 0.3 seconds"* ]]
    run -66 gatt disconnect Nobody
    run -66 gatt unpair Nobody
}

@test "info tells what is known without connecting" {
    run -0 gatt info Strap
    [[ $output == *"$(printf 'connected\tno')"* ]]
    [[ $output == *"$(printf 'appearance\tHeart Rate Belt')"* ]]
    run -0 gatt info Strap --json
    json 'lines[0]["event"] == "device" and lines[0]["isConnected"] is False and lines[0]["isPaired"] is False' "$output"
}

# on_terminal COMMAND...: its standard error is a terminal, and what is written there is the output.
on_terminal() {
    printf -v line '%q ' "$@"
    SHELL=/bin/bash script -qec "$line >'$BATS_TEST_TMPDIR/data'" /dev/null </dev/null
}

@test "On a terminal, what takes longer than a second is told, and taken away at its end" {
    run -75 on_terminal "$GATT" read Nobody 2A19 --timeout 1500ms
    [[ $output == *$'\r\e[KLooking for Nobody ...\r\e[K'* ]]
    run -0 on_terminal "$GATT" scan --duration 1200ms
    [[ $output == *$'\r\e[KScanning for 1.2 seconds ...\r\e[K' ]]
    grep -q Strap "$BATS_TEST_TMPDIR/data"
    run -0 on_terminal "$GATT" scan --duration 200ms
    [ -z "$output" ]
    run -0 --separate-stderr gatt scan --duration 1200ms
    [ -z "$stderr" ]
}
