# shellcheck shell=bash
# What the tests of `gatt` share. GATT is the program; by default that of the debug build.

bats_require_minimum_version 1.5.0

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
GATT=${GATT:-$root/.build/debug/gatt}

gatt() {
    "$GATT" "$@"
}

# wait_for SECONDS COMMAND...: until the command succeeds.
wait_for() {
    local attempts=$(($1 * 20))
    shift
    until "$@" >/dev/null 2>&1; do
        attempts=$((attempts - 1))
        [ "$attempts" -gt 0 ] || return 1
        sleep 0.05
    done
}

# Starts the simulator with a description and lets all commands of the file use it.
start_simulator() {
    # Without the descriptor that bats waits for.
    "$GATT" simulate "${1:-$here/peripherals.json}" >"$BATS_FILE_TMPDIR/bus" 2>"$BATS_FILE_TMPDIR/simulator.log" 3>&- &
    echo $! >"$BATS_FILE_TMPDIR/simulator.pid"
    wait_for 10 test -s "$BATS_FILE_TMPDIR/bus"
    export "$(cat "$BATS_FILE_TMPDIR/bus")"
}

stop_simulator() {
    local process
    process=$(cat "$BATS_FILE_TMPDIR/simulator.pid")
    kill -TERM "$process" 2>/dev/null || true
    wait_for 5 process_is_gone "$process"
}

process_is_gone() {
    ! kill -0 "$1" 2>/dev/null
}

is_connected() {
    gatt info "$1" | grep -q "^connected[[:space:]]yes$"
}

is_disconnected() {
    gatt info "$1" | grep -q "^connected[[:space:]]no$"
}

has_value() {
    [ "$(gatt read "$1" "$2")" = "$3" ]
}

# json EXPRESSION TEXT: whether a Python expression holds of `lines`, the objects of the text.
json() {
    python3 -c '
import json, sys
lines = [json.loads(line) for line in sys.argv[2].splitlines()]
assert eval(sys.argv[1]), lines
' "$1" "$2"
}
