import BlueZJSONLine
import BlueZScript
import CoreBlueZ
import FoundationEssentials
import Glibc

/// The standard output: only data.
@BluetoothActor struct Output {
    /// Whether it is a terminal.
    let isTerminal = isatty(STDOUT_FILENO) == 1

    func line(_ text: String) throws(CommandFailure) {
        try bytes(Data((text + "\n").utf8))
    }

    /// Writes immediately, so that the reader of a pipe gets each value as it arrives.
    func bytes(_ data: Data) throws(CommandFailure) {
        if isTerminal { Progress.hide() }
        defer { if isTerminal { Progress.show() } }
        try StandardOutput.write(data)
    }

    func record(_ record: Record) throws(CommandFailure) {
        guard var data = try? JSONLine.data(record) else {
            throw CommandFailure(.software, "A value cannot be written as JSON")
        }
        data.append(UInt8(ascii: "\n"))
        try bytes(data)
    }
}
