import BlueZAccessories
import BlueZAccessoryStreams
import CoreBlueZ
import Foundation
import Glibc
import TestSupport

/// The descriptors of a session, or streams of them: a thread reads until the end, and then they are closed.
@BluetoothActor final class SessionDescriptors {
    private let ends: AccessoryDescriptors
    /// Whether bytes no longer pass, because this end said so.
    private(set) var isClosing = false

    /// - Parameter session: if there is one, Foundation's streams read.
    init(
        _ ends: AccessoryDescriptors, _ session: AccessorySession?, _ part: ByteRecord.Part,
        ended: @escaping @BluetoothActor () -> Void
    ) {
        self.ends = ends
        Thread.detachNewThread { [self] in
            let streams = session.map { AccessoryStreamPair(ends, of: $0) }
            streams?.input.open()
            streams?.output.open()
            var buffer = [UInt8](repeating: 0, count: 1 << 12)
            while true {
                let count =
                    unsafe streams?.input.read(&buffer, maxLength: buffer.count)
                    ?? Glibc.read(ends.input, &buffer, buffer.count)
                guard count > 0 else { break }
                let bytes = Data(buffer[..<count])
                BluetoothActor.perform { part.bytes += bytes }
            }
            // Nobody sends when they are closed.
            let turn = DispatchSemaphore(value: 0)
            BluetoothActor.perform {
                self.isClosing = true
                turn.signal()
            }
            turn.wait()
            if let streams {
                streams.input.close()
                streams.output.close()
            } else {
                Glibc.close(ends.input)
                Glibc.close(ends.output)
            }
            BluetoothActor.perform(ended)
        }
    }

    /// Sends what there is room for.
    ///
    /// - Returns: how many bytes were taken.
    func send(_ bytes: Data) -> Int {
        guard !isClosing else { return 0 }
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        return max(0, unsafe bytes.withUnsafeBytes { unsafe Glibc.send(ends.output, $0.baseAddress, $0.count, flags) })
    }

    /// Ends both directions; the thread sees it.
    func shutDown() {
        guard !isClosing else { return }
        isClosing = true
        shutdown(ends.output, CInt(SHUT_RDWR))
    }
}
