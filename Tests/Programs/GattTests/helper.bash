# shellcheck shell=bash
# What the tests of `gatt` share. GATT is the program; by default that of the debug build.

bats_require_minimum_version 1.5.0

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
GATT=${GATT:-$root/.build/debug/gatt}

# Nothing waits for ever: seconds that a test may take.
BATS_TEST_TIMEOUT=${BATS_TEST_TIMEOUT:-180}

# What `gatt connect` keeps, no run of the tests shares with another.
export XDG_STATE_HOME=${BATS_RUN_TMPDIR:-/tmp}/state

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

# scaled SECONDS: so many of an idle machine, and more of one that has more to do than it has processors for, up to
# twentyfold.
scaled() {
    awk -v seconds="$1" -v processors="$(nproc)" '{
        slowness = $1 / processors
        if (slowness < 1) slowness = 1
        if (slowness > 20) slowness = 20
        text = sprintf("%.1f", seconds * slowness)
        sub(/\.0$/, "", text)
        print text
    }' /proc/loadavg
}

# gatt_at_prompt COMMAND...: as a prompt runs it. What started the tests may ignore signals, and so does a shell for what
# it runs in the background: such a command ignores them as well.
gatt_at_prompt() {
    exec env --default-signal=INT,HUP,TERM,QUIT "$GATT" "$@"
}

# background OUTPUT COMMAND...: starts `gatt COMMAND`, which `process` is then, in the background.
background() {
    local file=$1
    shift
    # At once, not when the process gets its turn: whoever waits for its lines must not see those of an earlier one.
    : >"$file" 2>"$file.error"
    gatt_at_prompt "$@" >"$file" 2>"$file.error" 3>&- &
    process=$!
}

# ended SECONDS PROCESS: waits for the end of a child and returns its status, which is 137 where it did not come in time.
ended() {
    wait_for "$1" process_is_gone "$2" || kill -KILL "$2"
    wait "$2"
}

# Starts the simulator with a description and lets all commands of the file use it.
start_simulator() {
    # The address of an earlier simulator must not be read before the shell empties the file.
    rm -f "$BATS_FILE_TMPDIR/bus"
    # Without the descriptor that bats waits for.
    gatt_at_prompt simulate "${1:-$here/peripherals.json}" >"$BATS_FILE_TMPDIR/bus" 2>"$BATS_FILE_TMPDIR/simulator.log" 3>&- &
    echo $! >"$BATS_FILE_TMPDIR/simulator.pid"
    wait_for 60 test -s "$BATS_FILE_TMPDIR/bus"
    export "$(cat "$BATS_FILE_TMPDIR/bus")"
}

stop_simulator() {
    local process
    process=$(cat "$BATS_FILE_TMPDIR/simulator.pid")
    kill -TERM "$process" 2>/dev/null || true
    wait_for 60 process_is_gone "$process"
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

is_discovering() {
    gatt adapters --json | grep -q '"isDiscovering":true'
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
