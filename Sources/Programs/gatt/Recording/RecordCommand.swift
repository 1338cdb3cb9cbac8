import ArgumentParser
import BlueZRecording
import BlueZScript
import CoreBlueZ
import FoundationEssentials

/// `gatt record`: not a `SessionCommand`, because it ends with the program that it runs, and as that does.
struct RecordCommand: ParsableCommand, Sendable {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Runs a program, and records what it and bluetoothd say to each other.",
        discussion: """
            The program can be any that uses BlueZ, in any language. It uses the same bus, through a socket of this \
            command, which DBUS_SYSTEM_BUS_ADDRESS names; it needs no root. The file is one line of JSON per event: \
            requests, responses, values, advertisements, links, services and the steps of pairing, but no passkey or \
            PIN. gatt ends with the program, and with its status. Signals reach the program.

            Examples:
              gatt record thermometer.jsonl -- python3 thermometer.py
              gatt record scan.jsonl -- gatt scan --duration 10
              gatt record session.jsonl -- bluetoothctl

            Exit status: that of the program, or
              126  the program cannot be started
              127  there is no such program
            """)

    @Argument(
        help: ArgumentHelp("The recording, a new file, which only this user can read.", valueName: "file"),
        completion: .file(extensions: ["jsonl"]))
    var file: String

    @Flag(help: "Replaces the file if it exists.")
    var overwrite = false

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("The program and its arguments, after --.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("Give the program after --: gatt record \(file) -- COMMAND") }
    }

    func run() throws {
        SignalWatch.shared.passOn {
            let run = Task { @BluetoothActor in RecordingRun.start(self) }
            return { number in Task { @BluetoothActor in await run.value.send(signal: number) } }
        }
    }
}
