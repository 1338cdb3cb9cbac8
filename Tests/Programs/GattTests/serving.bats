#!/usr/bin/env bats
# gatt serve and gatt advertise: this computer as a device.

load helper

setup_file() {
    cat >"$BATS_FILE_TMPDIR/adapters.json" <<'END'
{"adapters": [{}, {"name": "other"}, {"powered": false}], "instant": true, "peripherals": [
 {"name": "Strap", "services": [
  {"uuid": "180D", "characteristics": [
   {"uuid": "2A37", "properties": ["notify"], "notifications": {"values": ["0048"], "interval": 0.1}},
   {"uuid": "2A38", "properties": ["read", "write"], "value": "01",
    "descriptors": [{"uuid": "2901", "text": "Where"}]},
   {"uuid": "2A39", "properties": ["write", "indicate"]}]},
  {"uuid": "F000AA00-0451-4000-B000-000000000000", "characteristics": [
   {"uuid": "F000AA01-0451-4000-B000-000000000000", "properties": ["read", "write-without-response"], "value": ""}]},
  {"uuid": "180F", "characteristics": [{"uuid": "2A19", "properties": ["read", "notify"], "value": "64"}]}]}]}
END
    start_simulator "$BATS_FILE_TMPDIR/adapters.json"
}

teardown_file() {
    stop_simulator
}

teardown() {
    [ -z "${process:-}" ] || kill -KILL "$process" 2>/dev/null || true
}

# The background command has ended with this status.
stops_with() {
    local status=0
    ended 60 "$process" || status=$?
    [ "$status" = "$1" ]
}

# What gatt inspect --json says, without addresses, handles, times and the services of BlueZ.
comparable() {
    python3 -c '
import json, sys
keys = ("event", "service", "characteristic", "descriptor", "properties", "isPrimary", "value", "error")
for line in open(sys.argv[1]):
    record = json.loads(line)
    if record["event"] != "device" and record.get("service") not in ("1800", "1801", "180A"):
        print([record.get(key) for key in keys])
' "$1"
}

@test "A device that was inspected is served, and another adapter reads the same" {
    gatt inspect Strap --adapter hci0 --json >"$BATS_TEST_TMPDIR/first.jsonl"
    background "$BATS_TEST_TMPDIR/serve" serve "$BATS_TEST_TMPDIR/first.jsonl" --adapter hci0 --name Copy
    wait_for 60 grep -q "^Offering 3 services on hci0, advertised as \"Copy\"" "$BATS_TEST_TMPDIR/serve.error"
    gatt inspect Copy --adapter hci1 --json >"$BATS_TEST_TMPDIR/second.jsonl"
    kill -INT "$process"
    stops_with 130
    diff <(comparable "$BATS_TEST_TMPDIR/first.jsonl") <(comparable "$BATS_TEST_TMPDIR/second.jsonl")
    [ "$(comparable "$BATS_TEST_TMPDIR/second.jsonl" | wc -l)" -gt 8 ]
}

@test "Events are lines, or objects with --json, and notifications arrive while somebody is subscribed" {
    background "$BATS_TEST_TMPDIR/serve" serve "$BATS_FILE_TMPDIR/adapters.json" --adapter hci0 --name Copy --json
    wait_for 60 grep -q "Ctrl-C ends it" "$BATS_TEST_TMPDIR/serve.error"
    run -0 gatt notify Copy 2A37 --adapter hci1 --count 2 --duration 60
    [ "${lines[*]}" = "0048 0048" ]
    gatt write Copy 2A38 02 --adapter hci1
    run -0 gatt read Copy 2A38 --adapter hci1
    [ "$output" = 02 ]
    wait_for 60 grep -q '"event":"read"' "$BATS_TEST_TMPDIR/serve"
    kill -TERM "$process"
    stops_with 143
    json '{"connected", "disconnected", "subscribed", "write", "read"} <= {line["event"] for line in lines}' \
        "$(cat "$BATS_TEST_TMPDIR/serve")"
    # The other bluetoothd reads the battery level, too.
    json '([(line["event"], line["value"]) for line in lines if line.get("characteristic") == "2A38"] ==
        [("write", "02"), ("read", "02")])' \
        "$(cat "$BATS_TEST_TMPDIR/serve")"
}

@test "Files that cannot be served are refused with their place" {
    run -66 --separate-stderr gatt serve "$BATS_TEST_TMPDIR/none.json"
    [ -z "$output" ]
    run -65 --separate-stderr gatt serve - <<<'{"peripherals": [{"name": "A"}, {"name": "B"}]}'
    [[ $stderr == *"-:1: The file has 2 peripherals"* ]]
    run -65 --separate-stderr gatt serve - <<<'{"name": "A"}'
    [[ $stderr == *"has no services to serve"* ]]
    run -65 --separate-stderr gatt serve - --no-advertising <<<'{"name": "A", "services": [{"uuid": "180F",
      "characteristics": [{"uuid": "2A19", "properties": []}]}]}'
    [[ $stderr == *"-: The service 180F has a characteristic 2A19 without properties"* ]]
}

@test "An advertisement that is too large says what to leave out" {
    run -65 --separate-stderr gatt serve - <<<'{"name": "A", "appearance": 833, "services": [{"uuid": "180F"}],
      "manufacturerData": {"004C": "000000000000000000000000000000000000000000000000"}}'
    [[ $stderr == *"The advertisement is too large by "*"Leave one of these out: "*"--no-advertising"* ]]
    run -65 --separate-stderr gatt advertise --name "123456789012345678901234567890"
    [[ $stderr == *"The name is too long by 1 byte"* ]]
}

@test "An adapter that is off or missing is said" {
    for command in "serve $BATS_FILE_TMPDIR/adapters.json" "advertise --name A" "advertise --capabilities"; do
        # shellcheck disable=SC2086 # words
        run -69 --separate-stderr gatt $command --adapter hci2
        [[ $stderr == *"hci2 is off"* ]]
        # shellcheck disable=SC2086 # words
        run -69 --separate-stderr gatt $command --adapter hci7
        [[ $stderr == *hci7* ]]
    done
}

@test "gatt advertise is heard, ends by itself, and says what bluetoothd ignores" {
    background "$BATS_TEST_TMPDIR/advertise" advertise --name Lamp --service 1815 --manufacturer 0x004C:0215 \
        --interval 100ms --adapter hci0
    wait_for 60 grep -q "Advertising on hci0; Ctrl-C ends it" "$BATS_TEST_TMPDIR/advertise.error"
    grep -q "ignores --interval" "$BATS_TEST_TMPDIR/advertise.error"
    run -0 gatt scan Lamp --adapter hci1 --json --count 1 --duration 60
    [[ $output == *'"0x004c":"0215"'* ]]
    kill -INT "$process"
    stops_with 130
    run -0 gatt advertise --name Lamp --timeout 1 --adapter hci0
    run -0 gatt advertise --capabilities --json --adapter hci0
    json 'lines[0]["event"] == "capabilities" and lines[0]["activeInstances"] == 0' "$output"
}

@test "Wrong options of gatt advertise have a status and say what is wrong" {
    for arguments in "--service 18" "--manufacturer 4C" "--interval 2-1" "--secondary-channel 3M" "--timeout 0" \
        "--capabilities --name A" "--name A --json"; do
        # shellcheck disable=SC2086 # words
        run -64 --separate-stderr gatt advertise $arguments
        [ -z "$output" ]
        [ -n "$stderr" ]
    done
}
