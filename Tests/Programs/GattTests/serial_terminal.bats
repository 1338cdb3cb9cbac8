#!/usr/bin/env bats
# `gatt serial` with the standard input and output, which are pipes or a terminal of Python's.

load helper

setup_file() {
    start_simulator "$BATS_TEST_DIRNAME/terminal.json"
}

teardown_file() {
    stop_simulator
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# on_terminal STEP... -- ARGUMENT...: see terminal.py.
on_terminal() {
    local steps=()
    while [ "$1" != -- ]; do
        steps+=("$1")
        shift
    done
    python3 "$BATS_TEST_DIRNAME/terminal.py" "${steps[@]}" -- "$GATT" "${@:2}"
}

@test "What a pipe brings goes to the device, and what comes goes out, until nothing more comes" {
    run -0 --separate-stderr bash -c 'printf "hello\nworld" | "$0" serial Echo' "$GATT"
    [ "$output" = $'hello\nworld' ]
    [ "$stderr" = "Connected to Echo (Nordic UART)" ]
    is_disconnected Echo
}

@test "The profile ends a line, unless another end is given" {
    run -0 --separate-stderr bash -c 'echo AT | "$0" serial Modem' "$GATT"
    [ "$output" = $'OK\r' ]
    run -0 --separate-stderr bash -c 'echo AT | "$0" serial Modem --line-end none --linger 200ms' "$GATT"
    [ -z "$output" ]
    for end in lf:0a cr:0d crlf:0d0a none:; do
        run -0 bash -c 'echo x | "$0" serial Echo --line-end "$1" | od -An -tx1 | tr -d " \n"' "$GATT" "${end%:*}"
        [[ $output == *"78${end#*:}" ]]
    done
}

@test "--raw passes bytes as they are" {
    head -c 100000 /dev/urandom >sent
    "$GATT" serial Echo --raw <sent >received
    cmp sent received
}

@test "--hex shows a dump" {
    run -0 --separate-stderr bash -c 'printf "0123456789abcdef\033" | "$0" serial Echo --raw --hex' "$GATT"
    [ "${lines[0]}" = "00000000  30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  |0123456789abcdef|" ]
    [ "${lines[1]}" = "00000010  1b                                               |.|" ]
}

@test "--exchange waits for each reply, and says with its status if one did not come" {
    run -0 --separate-stderr bash -c 'printf "AT\nATI\n" | "$0" serial Modem --exchange' "$GATT"
    [ "${lines[0]}" = $'OK\r' ]
    [ "${lines[1]}" = $'Modem \033[31m1' ]
    local limit
    # Long enough for a reply.
    limit=$(scaled 0.3)
    run -75 --separate-stderr bash -c 'printf "XX\nAT\n" | "$0" serial Modem --exchange --reply-timeout "$1"' "$GATT" "$limit"
    [ "$output" = $'OK\r' ]
    [[ $stderr == *"XX: No reply of Modem came within $limit second"* ]]
    [[ $stderr != *--line-end* ]]
    run -75 --separate-stderr bash -c 'echo hi | "$0" serial Ticker --exchange --until "^done" --reply-timeout "$1"' "$GATT" "$limit"
    [ -z "$output" ]
    [[ $stderr == *"hi: The reply of Ticker did not end within $limit second"*"bytes of it had come; if"*--line-end* ]]
    [[ $stderr == *"Not a reply: tick"* ]]
    run -0 --separate-stderr bash -c 'echo AT | "$0" serial Modem --exchange --hex --gap 100ms' "$GATT"
    [ "$output" = 4f4b0d0a ]
}

@test "--exchange takes for a reply what ends as --until or --lines says" {
    run -0 --separate-stderr bash -c 'printf "AT+GMI\nAT+BAD\nAT\n" | "$0" serial Phone --exchange --until "^(OK|ERROR)$"' "$GATT"
    [ "$output" = $'ACME\r\nOK\r\nERROR\r\nOK\r' ]
    run -0 --separate-stderr bash -c 'printf "AT+GMI\nAT\n" | "$0" serial Phone --exchange --lines 1' "$GATT"
    [ "$output" = $'ACME\r\nOK\r' ]
    # What comes between two commands is no reply.
    [[ $stderr == *"Not a reply: OK"* ]]
    # A prompt is a line that a pause ends.
    run -0 --separate-stderr bash -c 'echo AT+SEND | "$0" serial Phone --exchange --until "^> "' "$GATT"
    [ "$output" = "> " ]
}

@test "--log keeps what went and came, and messages; a log that is there is added to" {
    echo before >log
    for _ in 1 2; do echo hi | "$GATT" serial Echo --log log >/dev/null; done
    [ "$(head -n 1 log)" = before ]
    [ "$(sed -E 's/^[0-9T:.-]{23}Z //' log | grep -cxF '> 68690a  hi.')" = 2 ]
    [ "$(sed -E 's/^[0-9T:.-]{23}Z //' log | grep -cxF '< 68690a  hi.')" = 2 ]
    [ "$(grep -cF '* Connected to Echo (Nordic UART)' log)" = 2 ]
    "$GATT" serial Echo --log new --linger 0 </dev/null
    [ "$(stat -c %a new)" = 600 ]
    run -73 --separate-stderr gatt serial Echo --log none/log </dev/null
    [[ $stderr == *"none/log cannot be opened"* ]]
    run -74 --separate-stderr bash -c 'echo hi | "$0" serial Echo --log /dev/full' "$GATT"
    [[ $stderr == *"/dev/full cannot be written"* ]]
    is_disconnected Echo
}

@test "A device without a serial profile has a status and says what to do" {
    run -66 --separate-stderr gatt serial Strap </dev/null
    [[ $stderr == *"Strap has none of these serial profiles: Nordic UART,"* ]]
    is_disconnected Strap
    run -66 --separate-stderr gatt serial Clone </dev/null
    [[ $stderr == *"--profile"* ]]
    run -0 --separate-stderr bash -c 'echo hi | "$0" serial Clone --profile hm10' "$GATT"
    [ "$output" = hi ]
    run -0 --separate-stderr bash -c 'echo hi | "$0" serial Clone --profile FFE0/FFE1/FFE1' "$GATT"
    [ "$output" = hi ]
    run -66 gatt serial Echo --profile hm10 </dev/null
    run -66 --separate-stderr gatt serial Clone --profile FFE5/FFE9,FFE0/FFE1 </dev/null
    [[ $stderr == *"Clone has none of these serial profiles: FFE5/FFE9,FFE0/FFE1; it has no service FFE5"* ]]
}

@test "--profile takes two services, and handles" {
    run -0 --separate-stderr bash -c 'echo hi | "$0" serial Clone --profile FFE0/FFE1,FFE0/FFE1' "$GATT"
    [ "$output" = hi ]
    handle=$("$GATT" inspect Clone --json | sed -n 's/.*"characteristic":"FFE1".*"handle":\([0-9]*\),.*/\1/p' | head -n 1)
    run -0 --separate-stderr bash -c 'echo hi | "$0" serial Clone --profile "$1"' "$GATT" "@$handle,@$handle"
    [ "$output" = hi ]
    run -66 --separate-stderr gatt serial Clone --profile @0x7777,@0x7777 </dev/null
    [[ $stderr == *"Clone has no characteristic @0x7777"* ]]
}

@test "Wrong arguments" {
    for arguments in "Echo --profile none" "Echo --profile FFE0/FFE1" "Echo --profile @x,@5" "Echo --raw --exchange" "Echo --pty --tcp 127.0.0.1:0" \
        "Echo --exchange --pty" "Echo --gap 1" "Echo --until OK" "Echo --exchange --until (" "Echo --exchange --lines 0" \
        "Echo --exchange --lines 1 --until OK" "Echo --raw --line-end lf" "Echo --line-end x" "Echo --pty --hex" \
        "Echo --tcp 192.168.0.1:4000" "Echo --tcp 127.0.0.1" "Echo --tcp 127.0.0.1:65536" "Echo --tcp [::]:1" \
        "Echo --pty uart" "Echo --linger never"; do
        # shellcheck disable=SC2086 # a list
        run -64 --separate-stderr gatt serial $arguments </dev/null
        [ -z "$output" ]
        [ -n "$stderr" ]
    done
    run -64 --separate-stderr gatt serial </dev/null
    [[ $stderr == *"give DEVICE"* ]]
    run -64 gatt serial "" </dev/null
    run -64 --separate-stderr gatt run - <<<"serial Echo"
    [[ $stderr == *"cannot be used in a file"* ]]
}

@test "A link that does not come up, and one that is lost, have a status" {
    run -68 gatt serial Deaf --retries 0 </dev/null
    run -68 --separate-stderr gatt serial Brief --linger 60 </dev/null
    [[ $stderr == *"The link to Brief was lost"* ]]
}

@test "--reconnect goes on after a lost link" {
    run -0 --separate-stderr on_terminal "wait:Connected to Brief" "type:one\n" "wait:one" "wait:one" "wait:was lost" \
        "wait:Reconnected" "type:two\n" "wait:two" "wait:two" "type:\x04" -- serial Brief
    [[ $output == *"reconnecting"* ]]
    background "$BATS_TEST_TMPDIR/values" serial Brief --reconnect --linger 60 </dev/null
    wait_for 60 grep -q "Reconnected to Brief" values.error
    kill -INT "$process"
    local status=0
    ended 60 "$process" || status=$?
    [ "$status" = 130 ]
    is_disconnected Brief
}

@test "On a terminal, what a device sends cannot control it" {
    run -0 on_terminal "wait:Connected" "type:ATI\n" "wait:Modem" "wait:1" "type:\x04" -- serial Modem
    [[ $output == *'Modem \u{1b}[31m1'* ]]
}

@test "Raw mode gives each key to the device, names the key that ends it, and gives the terminal back" {
    run -0 on_terminal "wait:Ctrl-] ends" "type:a" "wait:a" "type:\x03" "wait:\x03" "type:\x04" "wait:\x04" "type:b\x1dc" \
        -- serial Echo --raw
    [[ $output != *c ]]
    is_disconnected Echo
    run -143 on_terminal "wait:Ctrl-] ends" "type:a" "wait:a" "signal:TERM" -- serial Echo --raw
    is_disconnected Echo
}

@test "Keys that are typed while others are on their way come back without a further key" {
    run -0 on_terminal "wait:Ctrl-] ends" "hurry:400" "type:\x1d" -- serial Echo --raw
    is_disconnected Echo
}

@test "Ctrl-C ends line mode, and a closed pipe does quietly" {
    run -130 on_terminal "wait:Connected" "type:\x03" -- serial Echo
    is_disconnected Echo
    run -0 bash -c '"$0" serial Ticker --linger 60 </dev/null 2>error | head -n 1; exit "${PIPESTATUS[0]}"' "$GATT"
    [ "$output" = $'tick\r' ]
    is_disconnected Ticker
}

@test "Without DEVICE, a list to choose from" {
    # Those that are connected come first.
    gatt connect Echo
    run -0 on_terminal "wait:type the number" "wait:1  00:AA:02:00:00:01  Echo" "type:77\n" "wait:no device with this number" \
        "type:1\n" "wait:Connected to Echo" "type:hello\n" "wait:hello" "wait:hello" "type:\x04" -- serial
    gatt disconnect Echo
    run -66 on_terminal "wait:type the number" "type:\x04" -- serial
    [[ $output == *"No device was chosen"* ]]
}

@test "A reader that does not read cannot fill the memory" {
    mkfifo pipe
    # Nobody reads from it.
    exec 5<>pipe
    head -c 3000000 /dev/zero >many
    run -74 --separate-stderr bash -c '"$0" serial Echo --raw <many >pipe' "$GATT"
    exec 5>&-
    [[ $stderr == *"The output is not read: more than 1 MiB waits"* ]]
    is_disconnected Echo
}
