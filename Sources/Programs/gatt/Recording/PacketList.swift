import BlueZDBus
import BlueZPrintableText
import BlueZRecording
import BlueZScript
import BlueZUnixSockets

/// The packets of the Attribute Protocol in a capture, for programs that compare them.
enum PacketList {
    /// Prints a line for each whole packet: the number of the capture's packet, the connection handle, `<` if it was
    /// received, and the bytes.
    static func write(_ path: String) throws {
        let output = try RecordingOutput(nil)
        do {
            let file = try FileInput(path)
            var importer = try CaptureImporter(ByteSource { try file.read() })
            var failure: CommandFailure?
            importer.packetHandler = { packet in
                let link = String(hexadecimal: packet.link, digits: 4)
                let direction = packet.isReceived ? "<" : ">"
                let line = "\(packet.number) \(link) \(direction) \(String(hexadecimal: packet.bytes))\n"
                do throws(CommandFailure) { try output.write(line.utf8) } catch { failure = error }
            }
            while failure == nil, try importer.next() != nil {}
            if let failure { throw failure }
        } catch {
            // What comes before the error is of use.
            try? output.finish()
            throw RecordingInput.failure(error, path)
        }
        try output.finish()
    }
}
