// Talks to an accessory that is connected, by Foundation streams with a delegate in a run loop.
import BlueZAccessories
import BlueZAccessoryStreams
import BlueZSerial
import CoreBlueZ
import Foundation

/// Opens a session with the first connected accessory that speaks a protocol; nil if none does.
@BluetoothActor func openSession(for name: String, _ manager: AccessoryManager) async throws -> AccessorySession? {
    try await manager.ready()
    let accessory = manager.connectedAccessories.first { $0.protocolStrings.contains(name) }
    return try await accessory?.openSession(for: name)
}

/// Sends commands, one whenever there is space, and prints what the accessory sends.
final class Conversation: NSObject, StreamDelegate {
    private let streams: AccessoryStreamPair
    private var commands: [String]
    private var isOver = false

    init(_ streams: AccessoryStreamPair, commands: [String]) {
        self.streams = streams
        self.commands = commands
    }

    /// Serves the streams on this thread until the accessory is gone.
    func run() {
        let both: [Stream] = [streams.input, streams.output]
        for stream in both {
            stream.delegate = self
            stream.schedule(in: .current, forMode: .default)
            stream.open()
        }
        while !isOver { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.1)) }
        for stream in both {
            stream.close()
            stream.remove(from: .current, forMode: .default)
        }
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasBytesAvailable: printBytes()
        case .hasSpaceAvailable: sendCommand()
        case .endEncountered, .errorOccurred:
            if let error = stream.streamError { print(error) }
            isOver = true
        default: break
        }
    }

    private func printBytes() {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = streams.input.read(&buffer, maxLength: buffer.count)
        if count > 0 { print(String(decoding: buffer.prefix(count), as: UTF8.self), terminator: "") }
    }

    private func sendCommand() {
        guard !commands.isEmpty else { return }
        let bytes = Array("\(commands.removeFirst())\r\n".utf8)
        var sent = 0
        while sent < bytes.count {
            let count = streams.output.write(Array(bytes[sent...]), maxLength: bytes.count - sent)
            guard count > 0 else { return }
            sent += count
        }
    }
}

do {
    let manager = await AccessoryManager(
        CentralManager(), protocols: [AccessoryProtocol("com.example.meter", over: .serial(.nordic))])
    if let session = try await openSession(for: "com.example.meter", manager) {
        let streams = AccessoryStreamPair(try await session.makeDescriptors(), of: session)
        Conversation(streams, commands: ["hello", "read"]).run()
    } else {
        print("No meter is connected.")
    }
} catch {
    print(error)
}
