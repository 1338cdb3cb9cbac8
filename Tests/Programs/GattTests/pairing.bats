#!/usr/bin/env bats
# Pairing with questions: a terminal is a pseudo-terminal of Python's.

load helper

setup_file() {
    start_simulator
}

teardown_file() {
    stop_simulator
}

# on_terminal QUESTION ANSWER COMMAND...: runs the command on a terminal of its own, types the answer when the question
# has come, and prints what the terminal shows.
on_terminal() {
    python3 - "$@" <<'PYTHON'
import os, pty, select, signal, sys, time

question, answer, command = sys.argv[1], sys.argv[2], sys.argv[3:]
process, terminal = pty.fork()
if process == 0:
    os.execvp(command[0], command)
shown, answered, end = b"", False, time.monotonic() + 60
while time.monotonic() < end:
    if not select.select([terminal], [], [], 0.1)[0]:
        continue
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    shown += part
    if not answered and question.encode() in shown:
        os.write(terminal, answer.encode() + b"\n")
        answered = True
else:
    os.kill(process, signal.SIGKILL)
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
PYTHON
}

is_paired() {
    gatt info "$1" | grep -q "^paired[[:space:]]yes$"
}

@test "pair asks for the passkey that the device shows" {
    run -0 on_terminal "shows: " "007 042" "$GATT" pair Screen
    [[ $output == *"The passkey that Screen (00:AA:02:00:00:08) shows: "* ]]
    is_paired Screen
    run -0 gatt read Screen FFE3
    [ "$output" = cafe ]
    gatt unpair Screen
}

@test "A wrong passkey fails, and no passkey refuses" {
    run -77 on_terminal "shows: " 1 "$GATT" pair Screen
    run ! is_paired Screen
    # An empty answer refuses.
    run -77 on_terminal "shows: " "" "$GATT" pair Screen
    run ! is_paired Screen
}

@test "pair asks whether the numbers are the same" {
    run -0 on_terminal "[y/N]" y "$GATT" pair Buttons
    [[ $output == *"Does Buttons (00:AA:02:00:00:09) show 000042? [y/N]"* ]]
    is_paired Buttons
    gatt unpair Buttons
    for answer in n "" maybe; do
        run on_terminal "[y/N]" "$answer" "$GATT" pair Buttons
        [ "$status" -eq 77 ] || { echo "$answer: $output"; false; }
        run ! is_paired Buttons
    done
}

@test "pair shows the passkey that is to be typed on the device" {
    run -0 on_terminal "nothing is asked" "" "$GATT" pair Keys
    [[ $output == *"Type 000123 on Keys (00:AA:02:00:00:0A)"* ]]
    is_paired Keys
    gatt unpair Keys
}

@test "Without a terminal nobody is asked: a device with a display is paired without a comparison" {
    run -0 gatt pair Buttons </dev/null
    [ -z "$output" ]
    is_paired Buttons
    gatt unpair Buttons
}
