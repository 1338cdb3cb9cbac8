#!/usr/bin/env bats
# `gatt serial --pty` and `--tcp`, used by programs that know nothing of Bluetooth.

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

teardown() {
    [ -z "${process:-}" ] || kill -KILL "$process" 2>/dev/null || true
}

# offer ARGUMENT...: starts `gatt serial` in the background and waits for what it offers, which `port` is then.
offer() {
    background offer serial "$@" </dev/null
    wait_for 60 test -s offer || {
        cat offer.error
        return 1
    }
    port=$(cat offer)
}

# withdraw [SIGNAL [STATUS]]: ends what `offer` has started.
withdraw() {
    local status=0
    kill "-${1:-TERM}" "$process"
    ended 60 "$process" || status=$?
    [ "$status" = "${2:-143}" ]
}

# talk ADDRESS TEXT: sends a line by socat and prints the first line that comes.
talk() {
    socat -T60 - "$1" < <(echo "$2" && wait_for 60 test -s answer) | { head -n 1 | tee answer; }
    rm -f answer
}

is_told() {
    grep -qF "$1" offer.error
}

@test "socat talks through a pseudo-terminal, that of this user alone; nothing is left behind" {
    offer Echo --pty=uart
    [ "$port" = uart ]
    local device
    device=$(readlink uart)
    [[ $device == /dev/pts/* ]]
    [ "$(stat -c %a "$device")" = 600 ]
    [ "$(talk ./uart,raw,echo=0 hello)" = hello ]
    [ "$(talk ./uart,raw,echo=0,b9600 again)" = again ]
    withdraw
    [ ! -e uart ] && [ ! -L uart ]
    is_disconnected Echo
}

@test "Without a link, the path is printed" {
    offer Echo --pty
    [[ $port == /dev/pts/* ]]
    [ "$(talk "$port",raw,echo=0 hello)" = hello ]
    withdraw INT 130
    is_disconnected Echo
}

@test "A file at the link's path is never replaced, and a link that was replaced is left alone" {
    echo mine >file
    run -73 --separate-stderr gatt serial Echo --pty=file
    [[ $stderr == *"file exists and is not replaced"* ]]
    [ "$(cat file)" = mine ]
    ln -s nowhere dangling
    run -73 gatt serial Echo --pty=dangling
    [ "$(readlink dangling)" = nowhere ]
    run -73 --separate-stderr gatt serial Echo --pty=none/uart
    [[ $stderr == *"The link none/uart cannot be created: No such file or directory"* ]]
    offer Echo --pty=uart
    run -73 gatt serial Modem --pty=uart
    ln -sf elsewhere uart
    withdraw
    [ "$(readlink uart)" = elsewhere ]
}

@test "Nothing is left behind by a device that is no serial port" {
    run -66 gatt serial Strap --pty=uart
    [ ! -L uart ]
    run -68 gatt serial Deaf --retries 0 --pty=uart
    [ ! -L uart ]
}

@test "The pseudo-terminal stays while the link is lost, and so does the program that uses it" {
    offer Echo --pty=uart
    mkfifo keys
    socat - ./uart,raw,echo=0 <keys >shown 3>&- &
    local user=$!
    exec 4>keys
    echo one >&4
    wait_for 60 grep -q one shown
    gatt disconnect Echo
    wait_for 60 is_told "The link to Echo was lost"
    echo two >&4
    wait_for 60 is_told "Reconnected to Echo"
    echo three >&4
    wait_for 60 grep -q three shown
    [ "$(cat shown)" = $'one\ntwo\nthree' ]
    exec 4>&-
    wait "$user"
    [ "$(talk ./uart,raw,echo=0 four)" = four ]
    withdraw
    is_disconnected Echo
}

@test "Without --reconnect a lost link ends it, and the link to the pseudo-terminal goes" {
    offer Echo --pty=uart --no-reconnect
    gatt disconnect Echo
    local status=0
    ended 60 "$process" || status=$?
    [ "$status" = 68 ]
    [ ! -L uart ]
    [[ $(cat offer.error) == *"gatt: The link to Echo"* ]]
}

@test "What a program has set is undone for the next, and what nobody reads is forgotten" {
    offer Ticker --pty=uart
    stty -F uart 115200 sane
    wait_for 60 stty_has uart -icanon -echo -opost
    # "tick" or "tock" from the beginning, not one of those that came meanwhile.
    run -0 bash -c 'socat -T60 -u ./uart,raw,echo=0 - | head -n 2'
    [[ $output == t?ck*t?ck* ]]
    withdraw
}

# stty_has DEVICE SETTING...
stty_has() {
    local settings device=$1
    settings=$(stty -a -F "$device")
    shift
    for setting in "$@"; do
        [[ $settings == *[[:space:]]"$setting"* ]] || return 1
    done
}

@test "100,000 bytes pass both ways as they are" {
    offer Echo --pty=uart
    head -c 100000 /dev/urandom >sent
    python3 "$BATS_TEST_DIRNAME/exchange.py" uart sent >received
    cmp sent received
    withdraw
}

@test "A program that does not read cannot fill the memory, and is told" {
    offer Echo --pty=uart
    head -c 3000000 /dev/zero | socat -u - ./uart,raw,echo=0
    wait_for 60 is_told "bytes were dropped: they were not read"
    # AddressSanitizer keeps what was freed.
    [[ $GATT == *-asan/* ]] ||
        [ "$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$process/status")" -lt 100000 ]
    [ "$(talk ./uart,raw,echo=0 hello)" = hello ]
    withdraw
}

@test "picocom on the pseudo-terminal, through a disconnection" {
    offer Echo --pty=uart
    python3 "$BATS_TEST_DIRNAME/terminal.py" "wait:Terminal ready" "type:one" "wait:one" "type:\x01\x15" "wait:*** baud: 19200" \
        "type:two" "wait:two" "type:\x01\x18" "wait:Thanks for using picocom" -- picocom -b 9600 uart
    gatt disconnect Echo
    wait_for 60 is_told "Reconnected to Echo"
    python3 "$BATS_TEST_DIRNAME/terminal.py" "wait:Terminal ready" "type:three" "wait:three" "type:\x01\x18" \
        "wait:Thanks for using picocom" -- picocom -b 115200 uart
    withdraw
}

@test "minicom on the pseudo-terminal" {
    offer Echo --pty=uart
    HOME=$BATS_TEST_TMPDIR python3 "$BATS_TEST_DIRNAME/terminal.py" "wait:Welcome to minicom" "type:one" "wait:one" \
        "type:\x01q" "wait:Leave without reset" "type:\r" -- minicom -o -b 9600 -D "$PWD/uart"
    withdraw
}

@test "socat talks through a TCP port, through a disconnection" {
    offer Echo --tcp 127.0.0.1:0
    [[ $port == 127.0.0.1:* ]]
    mkfifo keys
    socat - "TCP:$port" <keys >shown 3>&- &
    local user=$!
    exec 4>keys
    echo one >&4
    wait_for 60 grep -q one shown
    gatt disconnect Echo
    wait_for 60 is_told "Reconnected to Echo"
    echo two >&4
    wait_for 60 grep -q two shown
    exec 4>&-
    wait "$user"
    withdraw
    is_disconnected Echo
    run -1 socat - "TCP:$port" </dev/null
}

@test "One client at a time: a second is refused with a line; the next is let in" {
    offer Echo --tcp "[::1]:0"
    mkfifo keys
    socat - "TCP6:$port" <keys >shown 3>&- &
    local user=$!
    exec 4>keys
    echo one >&4
    wait_for 60 grep -q one shown
    run -0 socat - "TCP6:$port" <<<hello
    [[ $output == "gatt: this serial port is in use by another client"* ]]
    is_told "A second client was refused"
    exec 4>&-
    wait "$user"
    [ "$(talk "TCP6:$port" two)" = two ]
    # A client that ends its side still gets the answer.
    [ "$(socat -t60 - "TCP6:$port" <<<three)" = three ]
    withdraw
}

@test "A client for whom there is no file descriptor waits until there is one" {
    offer Echo --tcp 127.0.0.1:0
    local free=0
    while [ -e "/proc/$process/fd/$free" ]; do free=$((free + 1)); done
    prlimit --pid "$process" --nofile="$free:"
    talk "TCP:$port" one >shown 3>&- &
    local user=$!
    wait_for 60 is_told "No client can be accepted; trying again every second"
    prlimit --pid "$process" --nofile=1024:
    wait "$user"
    [ "$(cat shown)" = one ]
    [ "$(grep -c "No client can be accepted" offer.error)" = 1 ]
    withdraw
}

@test "A port that is taken has a status" {
    offer Echo --tcp 127.0.0.1:0
    run -73 --separate-stderr gatt serial Modem --tcp "$port"
    [[ $stderr == *"Address already in use"* ]]
    withdraw
}

@test "While Bluetooth is gone, the port stays, and who writes waits" {
    gatt_at_prompt simulate "$BATS_TEST_DIRNAME/terminal.json" >bus 2>simulator.log 3>&- &
    local simulator=$!
    wait_for 60 test -s bus
    local -x "$(cat bus)"
    offer Echo --pty=uart
    kill "$simulator"
    wait_for 60 is_told "Still reconnecting"
    head -c 1000000 /dev/zero | run -124 timeout 2 socat -u - ./uart,raw,echo=0
    [ "$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$process/status")" -lt 100000 ]
    withdraw
    [ ! -L uart ]
}
