#!/usr/bin/env bats
# What needs no device: help, wrong arguments, no bus, simulate.

load helper

@test "--help shows the first steps and the statuses, and that of each command has an example" {
    run -0 gatt --help
    [[ $output == *"gatt scan"* ]]
    [[ $output == *"gatt read"* ]]
    [[ $output == *"SUBCOMMANDS"*"Exit status"*"Environment"* ]]
    for command in adapters scan info inspect read write notify pair unpair trust connect disconnect watch \
        serial run simulate serve advertise import show; do
        run -0 gatt "$command" --help
        [[ $output == *"USAGE: gatt $command"* ]]
        [[ $output == *"Example"*":
  "* ]]
    done
}

@test "Help is wrapped once, for a terminal of 80 columns" {
    for command in "" adapters scan info inspect read write notify pair unpair trust connect disconnect watch \
        serial run simulate serve advertise import show; do
        # shellcheck disable=SC2086 # none is none
        run -0 gatt $command --help
        python3 -c '
import sys
lines = [line for line in sys.argv[1].splitlines() if not line.startswith("USAGE:")]
long = [line for line in lines if len(line) > 80]
assert not long, long
# A line that had room for the first word of the next was broken by hand, and then again.
for line, after in zip(lines, lines[1:]):
    if line and after and not after[0].isspace():
        assert not line[0].isspace() and len(line) + 1 + len(after.split()[0]) >= 80, (line, after)
' "$output"
    done
}

@test "A command that does not exist gets the list, and what may have been meant" {
    run -64 --separate-stderr gatt reed Strap 2A19
    [ -z "$output" ]
    [[ $stderr == *'There is no command "reed"; did you mean "read"?'* ]]
    [[ $stderr == *"Commands: adapters, scan, info, inspect, read, write,"* ]]
    run -64 --separate-stderr gatt help notfy
    [[ $stderr == *'did you mean "notify"?'* ]]
    run -64 --separate-stderr gatt fly
    [[ $stderr == *'There is no command "fly"'* ]]
    run -64 --separate-stderr gatt run - <<<"reed Strap 2A19"
    [[ $stderr == *'-:1: There is no command "reed"; did you mean "read"?'* ]]
    run -0 gatt help read
}

@test "A closed standard output is said, and nothing else gets what was for it" {
    start_simulator
    run -74 bash -c '"$0" read Strap 2A19 2>&1 >&-' "$GATT"
    [[ $output == *"The standard output is closed"* ]]
    run -74 bash -c '"$0" scan --count 1 2>&1 >&-' "$GATT"
    [[ $output == *"The standard output is closed"* ]]
    # What prints nothing needs none.
    run -0 bash -c '"$0" write Strap FFE0/FFE1 01 2>&1 >&-' "$GATT"
    [ -z "$output" ]
    run -74 bash -c '"$0" read Strap 2A19 2>&1 >/dev/full' "$GATT"
    [[ $output == *"No space left on device"* ]]
    stop_simulator
}

@test "No file that import, record or simulate opens gets what was for a closed standard output or error" {
    local closed capture="$root/Tests/FuzzerTests/Corpora/captures/android"
    cd "$BATS_TEST_TMPDIR"
    start_simulator
    gatt import "$capture" >expected
    for closed in '>&-' '2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
        rm -f whole.jsonl recorded.jsonl cut.jsonl
        bash -c "\"\$0\" import \"\$1\" -o whole.jsonl $closed" "$GATT" "$capture"
        cmp expected whole.jsonl
        # What it says about the end of the file is not in the file.
        bash -c "head -c 1000 \"\$1\" >cut; \"\$0\" import cut -o cut.jsonl $closed" "$GATT" "$capture"
        [ "$(grep -cv '^{.*}$' cut.jsonl)" = 0 ]
        # The program prints a value, and an error.
        bash -c "\"\$0\" record recorded.jsonl -- \"\$0\" read Strap 2A19 $closed" "$GATT" || true
        bash -c "\"\$0\" record --overwrite recorded.jsonl -- \"\$0\" read Strap FFE2 $closed" "$GATT" || true
        [ "$(grep -cv '^{.*}$' recorded.jsonl)" = 0 ]
        # With an output, it would run.
        [ "$closed" = '2>&-' ] || run -74 bash -c "\"\$0\" simulate --replay expected $closed" "$GATT"
        cmp expected whole.jsonl
    done
    stop_simulator
}

@test "Without /proc, where the arguments are, nothing is done" {
    case $GATT in
    *-asan/* | *-tsan/*) skip "a sanitizer needs /proc" ;;
    esac
    unshare -mr mount -t tmpfs none /proc 2>/dev/null || skip "This user may not hide /proc"
    run -71 --separate-stderr unshare -mr sh -c 'mount -t tmpfs none /proc && exec "$0" read Strap 2A19' "$GATT"
    [ -z "$output" ]
    [[ $stderr == "gatt: "*"mount -t proc proc /proc" ]]
}

@test "--version is that of the changelog" {
    run -0 gatt --version
    grep -q "^## \[$output\]" "$BATS_TEST_DIRNAME/../../../CHANGELOG.md"
}

@test "Wrong arguments have a status and nothing on the standard output" {
    for arguments in "read" "read Strap" "reed x" "read Strap 2A19 --timeout never" "read Strap 2A19 --timeout -1" \
        "notify Strap 2A19 --count 0" "scan --service xyz" "scan --rssi weak" "read Strap 2A19 --retries -1"; do
        # shellcheck disable=SC2086 # a list
        run -64 --separate-stderr gatt $arguments
        [ -z "$output" ]
        [ -n "$stderr" ]
    done
}

@test "Without a bus, everything is unavailable and says what to do" {
    export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$BATS_TEST_TMPDIR/none"
    run -69 --separate-stderr gatt adapters
    [ -z "$output" ]
    [[ $stderr == *"system message bus cannot be reached"* ]]
    run -69 gatt read Strap 2A19
    run -69 gatt scan
}

@test "Without bluetoothd on the bus, everything is unavailable and says what to do" {
    dbus-daemon --session --fork --address="unix:dir=$BATS_TEST_TMPDIR" --print-pid=4 --print-address=5 \
        4>"$BATS_TEST_TMPDIR/pid" 5>"$BATS_TEST_TMPDIR/address" 3>&-
    DBUS_SYSTEM_BUS_ADDRESS=$(cat "$BATS_TEST_TMPDIR/address")
    export DBUS_SYSTEM_BUS_ADDRESS
    run -69 --separate-stderr gatt adapters
    kill "$(cat "$BATS_TEST_TMPDIR/pid")"
    [[ $stderr == *"bluetoothd is not running"* ]]
}

@test "Completion offers the devices that BlueZ knows, and no name that a shell would expand" {
    rm -f "$BATS_FILE_TMPDIR/bus"
    printf '%s' '{"peripherals": [{"name": "Strap"}, {"name": "$(touch /tmp/never)"}]}' >"$BATS_TEST_TMPDIR/names.json"
    start_simulator "$BATS_TEST_TMPDIR/names.json"
    gatt scan --count 2 >/dev/null
    run -0 gatt ---completion read -- positional@0 1 1 ''
    [ "${lines[*]}" = "00:AA:02:00:00:01 00:AA:02:00:00:02 Strap" ]
    # zsh takes what follows a colon for a description.
    SAP_SHELL=zsh run -0 gatt ---completion read -- positional@0 1 1 ''
    [ "${lines[0]}" = '00\:AA\:02\:00\:00\:01' ]
    stop_simulator
    for shell in bash zsh fish; do
        run -0 gatt --generate-completion-script "$shell"
        [[ $output == *notify* ]]
    done
}

@test "simulate refuses what is no description, and says where" {
    run -66 gatt simulate "$BATS_TEST_TMPDIR/missing"
    run -65 --separate-stderr gatt simulate - <<<'{'
    [[ $stderr == "gatt: -:2: Expected a key in quotation marks, found the end of the file" ]]
    run -65 --separate-stderr gatt simulate - <<<'{"peripherals": [{"services": [{"characteristics": []}]}]}'
    [[ $stderr == *'-:1: peripherals.0.services.0: "uuid" is missing'* ]]
    printf '{"name": "A",\n "services": [{"uuid": "xyz"}]}' >"$BATS_TEST_TMPDIR/wrong.json"
    run -65 --separate-stderr gatt simulate "$BATS_TEST_TMPDIR/wrong.json"
    [[ $stderr == *'wrong.json:2: services.0.uuid: Expected a UUID of 4, 8 or 32 hexadecimal digits, found "xyz"'* ]]
    # A name of the file cannot write on the terminal.
    run -65 --separate-stderr gatt simulate - <<<'{"name": "A", "\u001b[31m": 1}'
    [[ $stderr == *'-:1: a peripheral has no key "\u{1b}[31m"; its keys are name, address,'* ]]
}

@test "simulate accepts each file of gatt.md, and what inspect --json writes" {
    cd "$BATS_TEST_TMPDIR"
    awk '/^```json$/ { inside = 1; name = "example" ++count ".json"; next }
        /^```$/ { inside = 0 }
        inside { print >name }' "$root/Documentation/gatt.md"
    [ "$(cat example?.json | grep -c '^{"name"')" = 3 ]
    for file in example?.json; do
        rm -f "$BATS_FILE_TMPDIR/bus"
        start_simulator "$file"
        gatt scan --count 1 >/dev/null
        stop_simulator
    done
    rm -f "$BATS_FILE_TMPDIR/bus"
    start_simulator
    gatt inspect Strap --no-values --json >empty.jsonl
    gatt inspect Weather --json >weather.jsonl
    stop_simulator
    rm -f "$BATS_FILE_TMPDIR/bus"
    start_simulator weather.jsonl
    [ "$(gatt read 00:AB:02:00:00:0B 2A6E)" = c409 ]
    gatt inspect Weather --json >again.jsonl
    json '[{k: v for k, v in line.items() if k != "time"} for line in lines] == [
        {k: v for k, v in json.loads(line).items() if k != "time"} for line in open("weather.jsonl")]' "$(cat again.jsonl)"
    stop_simulator
    rm -f "$BATS_FILE_TMPDIR/bus"
    start_simulator empty.jsonl
    gatt write Strap FFE0/FFE1 07
    stop_simulator
}

@test "A control point of a file responds to what is written" {
    rm -f "$BATS_FILE_TMPDIR/bus"
    printf '%s' '{"name": "Wheel", "services": [{"uuid": "1816", "characteristics": [
        {"uuid": "2A55", "properties": ["write", "indicate"], "responses": [{"to": "", "value": "10{0}02"}]}]}]}' \
        >"$BATS_TEST_TMPDIR/wheel.json"
    start_simulator "$BATS_TEST_TMPDIR/wheel.json"
    background "$BATS_TEST_TMPDIR/responses" notify Wheel 2A55 --count 1
    # What connects first ends the link, and before the subscription nothing is heard.
    wait_for 60 is_connected Wheel
    responds() {
        gatt write Wheel 2A55 0901 && [ -s "$BATS_TEST_TMPDIR/responses" ]
    }
    wait_for 60 responds
    ended 60 "$process"
    [ "$(cat "$BATS_TEST_TMPDIR/responses")" = 100902 ]
    stop_simulator
}

@test "simulate leaves nothing behind" {
    rm -f "$BATS_FILE_TMPDIR/bus"
    start_simulator
    local path
    path=$(sed -E 's/.*path=([^,]*)\/bus.*/\1/' "$BATS_FILE_TMPDIR/bus")
    [ -d "$path" ]
    [ "$(stat -c %a "$path")" = 700 ]
    stop_simulator
    [ ! -e "$path" ]
}

@test "The first call of each of the system's functions may fail" {
    case $GATT in
    *-asan/* | *-tsan/*) skip "a sanitizer has to be loaded first" ;;
    esac
    python3 -B "$root/Tests/Programs/FailingCalls/failing_calls.py" --short
}
