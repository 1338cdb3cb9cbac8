import CommandLineSupport
import CoreBlueZ
import DBus
import FoundationEssentials
import Glibc
import UnixSockets

/// The standard input, in pieces; it is read only while more is wanted.
@BluetoothActor final class SerialInputSource {
    /// Receives the pieces.
    var receiveHandler: (@BluetoothActor ([UInt8]) -> Void)?
    /// Called once, at its end.
    var endHandler: (@BluetoothActor () -> Void)?
    /// Whether more is wanted now.
    var isWanted: @BluetoothActor () -> Bool = { true }

    /// Whether a user types it.
    nonisolated static let isTerminal = isatty(STDIN_FILENO) == 1

    private let channel: PlainDescriptor
    private var watch: DescriptorWatch?

    init() throws {
        do throws(DBusError) {
            channel = try PlainDescriptor(duplicating: STDIN_FILENO)
        } catch {
            throw CommandFailure(.inputOutput, "The standard input is closed")
        }
        watch = DescriptorWatch(channel.descriptor) { [weak self] in self?.ready() }
    }

    /// Continues reading, if more is wanted.
    func resume() {
        watch?.wait(for: isWanted() ? .readable : [])
    }

    /// Stops reading.
    func close() {
        watch?.cancel()
        watch = nil
    }

    private func ready() {
        guard isWanted() else { return }
        switch channel.receive(limit: 4096) {
        case .bytes(let bytes): receiveHandler?(bytes)
        case .nothing: break
        case .end:
            close()
            endHandler?()
        }
        resume()
    }
}
