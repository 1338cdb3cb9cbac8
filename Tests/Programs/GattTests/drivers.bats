#!/usr/bin/env bats
# gatt inspect --swift: a driver, and a simulation of the device. check-drivers compiles drivers.

load helper

odd=00:AA:02:00:00:21

setup_file() {
    start_simulator "$here/odd.json"
}

teardown_file() {
    stop_simulator
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# What gatt inspect --json says of a device, without the times and the services that BlueZ has itself.
inspected() {
    gatt inspect "$1" --json | python3 -c '
import json, sys
for line in sys.stdin:
    record = json.loads(line)
    del record["time"]
    if record.get("service") != "1801":
        print(json.dumps(record, sort_keys=True))
'
}

@test "inspect --swift writes a driver, and a file that simulates the device with its values" {
    run -0 --separate-stderr gatt inspect "$odd" --swift Odd
    [ "$output" = $'Odd.swift\nOdd.json' ]
    [ -z "$stderr" ]
    grep -q '^final class Odd: Peripheral {$' Odd.swift
    grep -qF 'super.init(name: "service0001", base: Odd.base, offset: 0x0001)' Odd.swift
    grep -qF '{"uuid": "FFE2", "properties": ["read"], "handle": 52, "readError": 128}' Odd.json
    inspected "$odd" >device
    gatt_at_prompt simulate Odd.json >bus 2>log 3>&- &
    process=$!
    wait_for 60 test -s bus
    (
        export "$(cat bus)"
        inspected "$odd" >simulated
        gatt scan --count 1 --json >advertised
    )
    kill -TERM "$process"
    wait "$process" || true
    diff device simulated
    json 'lines[0]["addressType"] == "random" and lines[0]["appearance"] == 833 and lines[0]["txPower"] == -4' \
        "$(cat advertised)"
    json 'lines[0]["manufacturerData"] == {"0x000d": "0102"}' "$(cat advertised)"
}

@test "A driver is safe to show, has the format of this repository, and parses, whatever the device is called" {
    gatt inspect "$odd" --swift Odd --no-values
    gatt inspect Empty --swift Empty
    gatt inspect 00:AA:02:00:00:22 --swift Nameless
    python3 -c '
import pathlib, sys, unicodedata
for name in sys.argv[1:]:
    text = pathlib.Path(name).read_text(encoding="utf-8").replace("\n", "")
    assert not [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")], name
' Odd.swift Odd.json Empty.swift Nameless.swift
    swift format lint --strict --configuration "$root/.swift-format" Odd.swift Empty.swift Nameless.swift
    swiftc -parse -warnings-as-errors Odd.swift Empty.swift Nameless.swift
    python3 -c 'import json; assert "name" not in json.load(open("Nameless.json"))'
}

@test "A characteristic that could not be read is declared, and encrypted in the simulation" {
    run -0 --separate-stderr gatt inspect Locked --swift Locked
    [[ $stderr == *"A read got no response"* ]]
    grep -qF '// MARK: FFE3, which perhaps requires pairing' Locked.swift
    grep -qF 'func readValueFFE3() async throws(BluetoothError) -> Data {' Locked.swift
    grep -qF '"properties": ["read", "write"], "handle": 11, "encrypted": true}' Locked.json
}

@test "Files that exist are replaced with --overwrite only, and before anything is sent" {
    echo mine >Empty.json
    run -73 --separate-stderr gatt inspect Empty --swift Empty
    [ "$stderr" = "gatt: The file Empty.json exists; replace it with --overwrite" ]
    [ "$(cat Empty.json)" = mine ]
    [ ! -e Empty.swift ]
    ln -s missing Odd.swift
    run -73 gatt inspect nobody --swift Odd --timeout 100ms
    [ -L Odd.swift ]
    run -0 gatt inspect Empty --swift Empty --overwrite
    grep -q '"name": "Empty"' Empty.json
    grep -q '^final class Empty: Peripheral {$' Empty.swift
}

@test "A driver that cannot be written leaves no file" {
    # A folder is never replaced.
    mkdir Empty.json
    run -73 --separate-stderr gatt inspect Empty --swift Empty --overwrite
    [[ $stderr == *"The file Empty.json exists"* ]]
    [ ! -e Empty.swift ]
}

@test "NAME must be the name of a class, and --swift excludes --json" {
    for name in strap 1Strap Heart-Rate ../Strap Self Peripheral ""; do
        run -64 --separate-stderr gatt inspect Empty --swift "$name"
        [[ $stderr == *"a capital letter, then letters and digits"* || $stderr == *"The file needs another $name"* ]]
    done
    run -64 --separate-stderr gatt inspect Empty --swift Empty --json
    [[ $stderr == *"Use --swift without --json"* ]]
    run -64 --separate-stderr gatt inspect Empty --overwrite
    [[ $stderr == *"Use --overwrite with --swift"* ]]
    run -1 compgen -G '*.swift'
}
