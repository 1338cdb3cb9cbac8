import BlueZSerial
import CoreBlueZ
import FoundationEssentials

/// The output end of a session.
@BluetoothActor public final class AccessoryOutput {
    /// Whether this end is open or, if not, how it has ended.
    public private(set) var status = AccessoryStreamStatus.open
    /// Called with the events of this end, starting with `openCompleted`.
    public var eventHandler: (@BluetoothActor (AccessoryStreamEvent) -> Void)? { didSet { greet() } }
    /// Whether there is space for more bytes. You can write without space; the bytes then wait in memory.
    public var hasSpaceAvailable: Bool { status == .open && stream.hasSpace }

    private let stream: any BufferedByteStream
    private var isAnnounced = false
    private var isGreeted = false

    init(_ stream: any BufferedByteStream) {
        self.stream = stream
        stream.spaceHandler = { [weak self] in self?.announceSoon() }
    }

    /// Writes bytes after those of earlier calls. It fails with the codes of
    /// `ByteStream.send(_:handedOver:completion:)`.
    ///
    /// - Parameters:
    ///   - bytes: one byte or more.
    ///   - completion: gets nil when the accessory has confirmed the last of the bytes or, if nothing is confirmed, as
    ///     over RFCOMM, when the kernel has taken them. It gets an error if some may not have arrived.
    public func write(_ bytes: Data, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        isAnnounced = false
        stream.send(bytes, completion: completion)
        announceSoon()
    }

    /// Writes bytes; the async form of `write(_:completion:)`. Cancelling the task withdraws bytes that have not been
    /// sent.
    public func write(_ bytes: Data) async throws(BluetoothError) {
        isAnnounced = false
        // Even if nothing was sent. Otherwise a writer that waits for space would wait forever.
        defer { announceSoon() }
        try await stream.send(bytes)
    }

    /// Writes all elements of a sequence, each when the one before has been sent.
    ///
    /// - Parameter sequence: a sequence of bytes. Empty elements are skipped.
    /// - Throws: the error of the sequence, or a `BluetoothError` of `write(_:completion:)`.
    public func write<Bytes: AsyncSequence>(contentsOf sequence: Bytes) async throws where Bytes.Element == Data {
        var iterator = sequence.makeAsyncIterator()
        while let bytes = try await iterator.next(isolation: #isolation) {
            if !bytes.isEmpty { try await write(bytes) }
        }
    }

    func end(_ error: BluetoothError?) {
        guard status == .open else { return }
        status = AccessoryStreamStatus(error)
        if isGreeted { eventHandler?(status.event) }
    }

    // MARK: Events

    private func greet() {
        guard eventHandler != nil else { return }
        BluetoothActor.perform { [self] in
            guard let eventHandler, !isGreeted else { return }
            isGreeted = true
            eventHandler(.openCompleted)
            if status == .open { announceSoon() } else { self.eventHandler?(status.event) }
        }
    }

    private func announceSoon() {
        BluetoothActor.perform { [weak self] in
            guard let self, self.isGreeted, !self.isAnnounced, self.hasSpaceAvailable else { return }
            self.isAnnounced = true
            self.eventHandler?(.hasSpaceAvailable)
        }
    }
}
