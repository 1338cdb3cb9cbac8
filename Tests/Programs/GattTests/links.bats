#!/usr/bin/env bats
# Links, notifications, pairing, and ends of all kinds.

load helper

setup_file() {
    start_simulator
}

teardown_file() {
    stop_simulator
}

@test "A link that a command made is ended with it, one that was there stays" {
    gatt read Strap 2A19
    is_disconnected Strap
    gatt connect Strap
    is_connected Strap
    gatt read Strap 2A19
    is_connected Strap
    gatt disconnect Strap
    is_disconnected Strap
    gatt disconnect Strap
}

@test "--trace shows what passes between the command and bluetoothd, and leaves the output as it is" {
    run -0 --separate-stderr gatt read Strap 2A19 --trace
    [ "$output" = "64" ]
    [[ $stderr == *" > "*" org.bluez.Device1.Connect()"* ]]
    [[ $stderr == *" < "*'PropertiesChanged("org.bluez.Device1" {"Connected": true} [])'* ]]
    [[ $stderr == *"ReadValue({})"*"(<64>)"* ]]
    run -0 --separate-stderr gatt read Strap 2A19
    [ -z "$stderr" ]
}

@test "A link that does not come up has a status of its own" {
    run -68 --separate-stderr gatt read Deaf 2A19 --retries 0
    [ -z "$output" ]
    [[ $stderr == *"le-connection-abort-by-local"* ]]
    run -68 gatt connect Deaf --retries 1
}

@test "notify prints each value, and ends after --count" {
    run -0 --separate-stderr gatt notify Strap 2A19 --count 4 --format u8
    [ "${lines[*]}" = "99 98 97 99" ]
    [ -z "$stderr" ]
    is_disconnected Strap
    run -0 gatt notify Strap 2A19 --count 2 --json
    json '[line["decoded"] for line in lines] == [99, 98] and lines[0]["event"] == "notify"' "$output"
}

@test "notify ends after --duration, with a status where --count was not reached" {
    run -0 gatt notify Strap FFE4 --duration 200ms
    [ -z "$output" ]
    run -75 --separate-stderr gatt notify Strap FFE4 --duration 200ms --count 1
    [[ $stderr == *"Received 0 of 1"* ]]
}

@test "What a characteristic does not permit is unavailable, and the message says what it permits" {
    run -69 --separate-stderr gatt read Strap FFE4
    [ -z "$output" ]
    [ "$stderr" = "gatt: FFE4 of Strap does not permit reading, only: notify; see: gatt notify" ]
    run -69 --separate-stderr gatt write Strap 2A29 00
    [ "$stderr" = "gatt: 2A29 of Strap does not permit writing, only: read" ]
    run -69 --separate-stderr gatt write Strap 2A29 00 --without-response
    [ "$stderr" = "gatt: 2A29 of Strap does not permit writing without response, only: read" ]
    run -69 --separate-stderr gatt write Strap FFE6 00 --without-response
    [[ $stderr == *"only: write; omit --without-response" ]]
    run -69 --separate-stderr gatt notify Strap 2A29
    [ "$stderr" = "gatt: 2A29 of Strap does not permit notifications, only: read; see: gatt read" ]
    run -69 gatt notify Strap 2A19 2A29
    # Only the device knows what its descriptors permit.
    run -69 --separate-stderr gatt write Strap FFE1/2901 00
    [[ $stderr == *"Writing descriptor 2901 of FFE1 of Strap: the attribute does not permit it"* ]]
    is_disconnected Strap
}

@test "notify of several characteristics says with each line whose it is" {
    run -0 --separate-stderr gatt notify Weather temperature 2A6F 2A6E --count 8
    [ "${#lines[@]}" = 8 ]
    [ "$(sort -u <<<"$output")" = $'Humidity\t2a12\nTemperature\t3cf6\nTemperature\tc409' ]
    [ -z "$stderr" ]
    is_disconnected Weather
    run -0 gatt notify Weather temperature humidity --count 6 -f auto
    [ "$(sort -u <<<"$output")" = $'Humidity\t46.50 %\nTemperature\t-25.00 °C\nTemperature\t25.00 °C' ]
    run -0 gatt notify Weather temperature humidity --count 6 --json
    json '{line["characteristicName"] for line in lines} == {"Temperature", "Humidity"}' "$output"
    run -0 gatt notify Weather temperature 2A6E --count 1
    [ "$output" = c409 ]
    run -75 --separate-stderr gatt notify Strap FFE4 2A19 --count 1000 --duration 300ms
    [[ $stderr == *"of 1000 values"* ]]
    run -64 --separate-stderr gatt notify Weather temperature humidity --format raw
    [[ $stderr == *"raw"* ]]
}

@test "A link that is lost ends notify of several characteristics, too" {
    run -68 --separate-stderr gatt notify Brief FFE4 FFE5
    [[ $stderr == *"link"* ]]
}

@test "A link that is lost ends notify with a status" {
    run -68 --separate-stderr gatt notify Brief FFE4
    [[ $stderr == *"link"* ]]
}

@test "Ctrl-C switches notifications off, disconnects, and is told in the status" {
    background "$BATS_TEST_TMPDIR/values" notify Strap 2A19
    wait_for 60 test -s "$BATS_TEST_TMPDIR/values"
    kill -INT "$process"
    local status=0
    ended 60 "$process" || status=$?
    [ "$status" = 130 ]
    is_disconnected Strap
    [ ! -s "$BATS_TEST_TMPDIR/values.error" ]
}

@test "SIGTERM does the same" {
    background "$BATS_TEST_TMPDIR/values" notify Strap 2A19
    wait_for 60 test -s "$BATS_TEST_TMPDIR/values"
    kill -TERM "$process"
    local status=0
    ended 60 "$process" || status=$?
    [ "$status" = 143 ]
    is_disconnected Strap
}

@test "Signals that come together, as timeout sends them, are one: cleaning up goes on" {
    background "$BATS_TEST_TMPDIR/values" notify Strap 2A19
    wait_for 60 test -s "$BATS_TEST_TMPDIR/values"
    kill -STOP "$process"
    wait_for 60 grep -q '^State:.T' "/proc/$process/status"
    for signal in INT TERM CONT; do kill "-$signal" "$process"; done
    local status=0
    ended 60 "$process" || status=$?
    [ "$status" = 130 ] || [ "$status" = 143 ]
    is_disconnected Strap
}

@test "Signals that were ignored when a command was started stay ignored" {
    env --ignore-signal=INT,HUP,TERM "$GATT" notify Strap 2A19 --count 4 >"$BATS_TEST_TMPDIR/values" 3>&- &
    process=$!
    wait_for 60 test -s "$BATS_TEST_TMPDIR/values"
    for signal in INT HUP TERM; do kill "-$signal" "$process" || true; done
    ended 60 "$process"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/values")" = 4 ]
}

@test "A terminal that goes hangs up more than once, and cleaning up goes on" {
    background "$BATS_TEST_TMPDIR/values" notify Strap 2A19
    wait_for 60 test -s "$BATS_TEST_TMPDIR/values"
    for _ in {1..50}; do kill -HUP "$process" || true; done
    local status=0
    ended 60 "$process" || status=$?
    [ "$status" = 129 ]
    is_disconnected Strap
}

@test "A closed pipe ends notify quietly, also where no value comes" {
    run -0 bash -c '"$0" notify Strap 2A19 | head -n 1; exit "${PIPESTATUS[0]}"' "$GATT"
    [ "$output" = 63 ]
    is_disconnected Strap
    run -0 bash -c '"$0" notify Strap FFE4 | true; exit "${PIPESTATUS[0]}"' "$GATT"
    [ -z "$output" ]
    is_disconnected Strap
}

@test "Ctrl-C while looking for a device ends at once" {
    background "$BATS_TEST_TMPDIR/values" read Nobody 2A19
    wait_for 60 is_discovering
    kill -INT "$process"
    local status=0
    ended 60 "$process" || status=$?
    [ "$status" = 130 ]
}

@test "An ATT error has a status and its code" {
    run -76 --separate-stderr gatt read Strap FFE2
    [ -z "$output" ]
    [[ $stderr == *"ATT error 0x80"* ]]
    run -76 --separate-stderr gatt write Strap FFE2 00
    [[ $stderr == *"ATT error 0x81"* ]]
}

@test "--timeout ends an operation that takes too long" {
    local limit
    # Long enough for the link.
    limit=$(scaled 0.5)
    run -75 --separate-stderr gatt read Strap FFE7 --timeout "$limit"
    [[ $stderr == *"no response within $limit second"* ]]
    is_disconnected Strap
}

@test "A device that wants pairing gets a hint, and --pair pairs" {
    run -75 --separate-stderr gatt read Strap FFE3 --timeout "$(scaled 1)"
    [[ $stderr == *"--pair"* ]]
    run -0 gatt read Strap FFE3 --pair
    [ "$output" = beef ]
    run -0 gatt info Strap --json
    json 'lines[0]["isPaired"] and lines[0]["isBonded"]' "$output"
    is_disconnected Strap
    gatt unpair Strap
    run -0 gatt info Strap --json
    json 'not lines[0]["isPaired"]' "$output"
}

@test "pair leaves the link as it was" {
    gatt pair Strap
    is_disconnected Strap
    gatt pair Strap
    gatt unpair Strap
}

@test "trust can be given and taken back" {
    gatt trust Strange
    run -0 gatt info Strange
    [[ $output == *"$(printf 'trusted\tyes')"* ]]
    gatt trust --off Strange
    run -0 gatt info Strange
    [[ $output == *"$(printf 'trusted\tno')"* ]]
}

@test "watch tells of links and services" {
    background "$BATS_TEST_TMPDIR/events" watch --json --count 5
    wait_for 60 grep -q adapter-added "$BATS_TEST_TMPDIR/events"
    gatt read Strap 2A19
    ended 60 "$process"
    run -0 cat "$BATS_TEST_TMPDIR/events"
    json '[line["event"] for line in lines] == ["adapter-added"] * 2 + ["connected", "services-resolved", "disconnected"]' \
        "$output"
    json 'lines[2]["device"] == "00:AA:02:00:00:01"' "$output"
    run -75 gatt watch --count 3 --duration 200ms
}

@test "run uses one link for all lines" {
    background "$BATS_TEST_TMPDIR/events" watch --count 5
    wait_for 60 grep -q adapter-added "$BATS_TEST_TMPDIR/events"
    cat >"$BATS_TEST_TMPDIR/batch" <<'BATCH'
# configuration, then values
write Strap FFE0/FFE1 "01 02"
read Strap FFE0/FFE1

notify Strap 'battery level' --count 2 -f u8   # two
BATCH
    run -0 gatt run "$BATS_TEST_TMPDIR/batch"
    [ "${lines[*]}" = "0102 99 98" ]
    ended 60 "$process"
    [ "$(grep -c connected "$BATS_TEST_TMPDIR/events")" = 2 ]
}

@test "run checks all lines first, and stops at the first that fails" {
    run -64 --separate-stderr gatt run - <<<$'read Strap 2A19\nreed Strap 2A19'
    [ -z "$output" ]
    [[ $stderr == *"-:2:"* ]]
    run -64 gatt run - <<<"read 'Strap 2A19"
    run -64 gatt run - <<<"run -"
    run -66 --separate-stderr gatt run - <<<$'read Strap 2A19\nread Strap 1234\nread Strap 2A19'
    [ "$output" = 64 ]
    [[ $stderr == *"-:2: Strap has no characteristic 1234"* ]]
    run -66 gatt run "$BATS_TEST_TMPDIR/missing"
    is_disconnected Strap
}
