#!/usr/bin/env bats
# Names from the air that a terminal would obey: no output has them raw.

load helper

setup_file() {
    # U+007F, U+009B, right-to-left override, line separator, and language tags above the BMP.
    printf '%s' '{"name": "A\u007f\u009b31m\u202e\u2028\udb40\udc01\u001bB", "services": [
        {"uuid": "FFE0", "characteristics": [
            {"uuid": "FFE1", "properties": ["read"], "text": "C\u007f\u009b\u202e\u2029D"}]}]}' \
        >"$BATS_FILE_TMPDIR/names.json"
    start_simulator "$BATS_FILE_TMPDIR/names.json"
}

teardown_file() {
    stop_simulator
}

address=00:AA:02:00:00:01

# The output has no such character but the ends of its lines, and the tabs between fields.
assert_printable() {
    python3 -c '
import sys, unicodedata
text = sys.argv[1].replace("\n", "").replace("\t", "")
assert text and not [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")], ascii(text)
' "$1"
}

@test "JSON has escapes, and the name comes back" {
    for command in "scan --count 1" "info $address" "inspect $address" "read $address FFE1 --format utf8"; do
        # shellcheck disable=SC2086 # a list
        run -0 gatt $command --json
        assert_printable "$output"
    done
    run -0 gatt scan --count 1 --json
    json 'lines[0]["deviceName"] == "A\u007f\u009b31m\u202e\u2028\U000E0001\u001bB"' "$output"
    [[ $output == *'"A\u007f\u009b31m\u202e\u2028\udb40\udc01\u001bB"'* ]]
    run -0 gatt read "$address" FFE1 --format utf8 --json
    json 'lines[0]["decoded"] == "C\u007f\u009b\u202e\u2029D"' "$output"
}

@test "Lines for people have escapes" {
    for command in "scan --count 1" "info $address" "inspect $address"; do
        # shellcheck disable=SC2086 # a list
        run -0 --separate-stderr gatt $command
        assert_printable "$output"
        [[ $output == *'A\u{7f}\u{9b}31m\u{202e}\u{2028}\u{e0001}\u{1b}B'* ]]
    done
}
