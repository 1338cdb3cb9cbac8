#!/usr/bin/env bats
# What advertisements mean: scan and watch with --decode, the file of keys, and the table of --live.

load helper

setup_file() { start_simulator "$here/beacons.json"; }
teardown_file() { stop_simulator; }

# keys MODE LINE...: writes a file of keys, whose name is then the variable `keys`.
keys() {
    keys=$BATS_TEST_TMPDIR/keys
    printf '%s\n' "${@:2}" >"$keys"
    chmod "$1" "$keys"
}

@test "scan --decode lists what the devices measure" {
    run -0 gatt scan --decode --duration "$(scaled 1)"
    [[ $output == *$'\tDIY-sensor\tBTHome v2: temperature 25'*' °C, humidity 50.'*' %'* ]]
    [[ $output == *"temperature 24.3 °C, humidity 53.49 %, pressure 100044 Pa"* ]]
    [[ $output == *"iBeacon: "*"e2c56db5-dffb-48d2-b060-d0f5a71096e0"* || $output == *"iBeacon: "*"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"* ]]
    [[ $output == *"https://goo.gl/Aq18zF"* ]]
    [[ $output == *"temperature 16.2 °C"* ]]
}

@test "scan --decode --json has names, units and bytes" {
    run -0 gatt scan Ruuvi --decode --json --count 1
    json 'lines[0]["decoded"][0]["format"] == "RuuviTag 5" and lines[0]["decoded"][0]["company"] == "0x0499"' "$output"
    json 'lines[0]["decoded"][0]["readings"]["temperature"] == {"value": 24.3, "unit": "°C"}' "$output"
    json 'lines[0]["decoded"][0]["data"] == lines[0]["manufacturerData"]["0x0499"]' "$output"
    run -0 gatt scan Ruuvi --json --count 1
    json '"decoded" not in lines[0]' "$output"
}

@test "watch --decode follows one device, and tells only what is new" {
    run -0 gatt watch --decode DIY --count 3 --duration "$(scaled 30)"
    [ "${#lines[@]}" -eq 3 ]
    for line in "${lines[@]}"; do [[ $line == *$'\tDIY-sensor\tBTHome v2: temperature '* ]]; done
    [ "${lines[0]#*BTHome}" != "${lines[1]#*BTHome}" ]
    [ "${lines[1]#*BTHome}" != "${lines[2]#*BTHome}" ]
    run -64 --separate-stderr gatt watch DIY
    [[ $stderr == *"Add --decode"* ]]
    run -64 --separate-stderr gatt watch --decode
    [[ $stderr == *"--decode needs a device"* ]]
}

@test "Keys come from a file that nobody else can read" {
    keys 644 "54:48:E6:8F:80:A5 bindkey 231d39c1d7cc1ab1aee224cd096db932"
    run -78 --separate-stderr gatt scan --decode --keys "$keys"
    [[ $stderr == *"chmod 600 $keys"* ]]
    keys 600 "54:48:E6:8F:80:A5 bindkey 23"
    run -65 --separate-stderr gatt scan --decode --keys "$keys"
    [[ $stderr == *"Line 1 of the keys"* && $stderr != *" 23"* ]]
    run -66 --separate-stderr gatt scan --decode --keys "$BATS_TEST_TMPDIR/none"
    run -64 --separate-stderr gatt scan --keys "$keys"
    [[ $stderr == *"add --decode"* ]]
}

@test "scan --live shows a table until q, and needs a terminal" {
    run -0 python3 "$here/terminal.py" "wait:16.2 °C" type:q -- "$GATT" scan --live --decode
    [[ $output == *"NAME"*"WHAT"*"VALUE"*"AGE"*"SIGNAL"* ]]
    [[ $output != *"Error"* ]]
    run -64 --separate-stderr gatt scan --live
    [[ $stderr == *"--live needs a terminal"* ]]
    run -64 --separate-stderr gatt scan --live --json
    [[ $stderr == *"leave out --json"* ]]
}

# The last: the simulator of the others is gone.
@test "Keys decrypt what a sensor advertises, and recognize a device whose address changes" {
    # The example of BTHome's specification, and that of the Core Specification for resolvable private addresses.
    echo '{"peripherals": [
        {"name": "Attic", "address": "54:48:E6:8F:80:A5", "serviceData": {"FCD2": "41a47266c95f730011223378237214"}},
        {"address": "70:81:94:0D:FB:AA", "addressType": "random", "manufacturerData": {"004C": "1005031c"}}]}' \
        >"$BATS_TEST_TMPDIR/keyed.json"
    stop_simulator
    start_simulator "$BATS_TEST_TMPDIR/keyed.json"
    keys 600 "54:48:E6:8F:80:A5 bindkey 231d39c1d7cc1ab1aee224cd096db932" "watch irk ec0234a357c8ad05341010a60a397d9b"
    run -0 gatt scan Attic --decode --count 1
    [[ $output == *"encrypted, and no key is known"* ]]
    run -0 gatt scan Attic --decode --count 1 --keys "$keys"
    [[ $output == *"temperature 25.06 °C, humidity 50.55 %"* ]]
    run -0 gatt scan watch --decode --count 1 --keys "$keys" --json
    json 'lines[0]["identity"] == "watch" and lines[0]["device"] == "70:81:94:0D:FB:AA"' "$output"
}
