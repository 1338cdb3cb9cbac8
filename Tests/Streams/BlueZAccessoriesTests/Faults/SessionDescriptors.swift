import BlueZAccessories
import BlueZAccessoryStreams
import BlueZClient
import BlueZDBus
import CoreBlueZ
import Foundation
import Glibc
import TestSupport

/// The descriptors of a session, or streams of them: they are read until the end, and then closed.
@BluetoothActor final class SessionDescriptors {
    private let ends: AccessoryDescriptors
    /// They retain the session.
    private var streams: AccessoryStreamPair?
    private let part: ByteRecord.Part
    private let ended: @BluetoothActor () -> Void
    private var token: EventLoop.Token?
    /// Whether bytes no longer pass, because this end said so.
    private(set) var isClosing = false

    /// - Parameter session: if there is one, Foundation's streams read.
    init(
        _ ends: AccessoryDescriptors, _ session: AccessorySession?, _ part: ByteRecord.Part,
        ended: @escaping @BluetoothActor () -> Void
    ) {
        self.ends = ends
        self.part = part
        self.ended = ended
        streams = session.map { AccessoryStreamPair(ends, of: $0) }
        streams?.input.open()
        streams?.output.open()
        token = BluetoothActor.loop.addSource(
            descriptor: ends.input, events: .readable, handler: BluetoothActor.handler { _ in self.take() })
    }

    private func take() {
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        let count =
            unsafe streams?.input.read(&buffer, maxLength: buffer.count)
            ?? Glibc.read(ends.input, &buffer, buffer.count)
        if count > 0 { part.bytes += buffer[..<count] } else { close() }
    }

    private func close() {
        guard let token else { return }
        BluetoothActor.loop.removeSource(token)
        self.token = nil
        isClosing = true
        if let streams {
            streams.input.close()
            streams.output.close()
            self.streams = nil
        } else {
            Glibc.close(ends.input)
            Glibc.close(ends.output)
        }
        ended()
    }

    /// Sends what there is room for.
    ///
    /// - Returns: how many bytes were taken.
    func send(_ bytes: Data) -> Int {
        guard !isClosing else { return 0 }
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        return max(0, unsafe bytes.withUnsafeBytes { unsafe Glibc.send(ends.output, $0.baseAddress, $0.count, flags) })
    }

    /// Ends both directions, which is read as the end.
    func shutDown() {
        guard !isClosing else { return }
        isClosing = true
        shutdown(ends.output, CInt(SHUT_RDWR))
    }
}
