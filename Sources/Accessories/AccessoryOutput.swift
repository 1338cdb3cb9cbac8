import BLESerial
import CoreBlueZ
import FoundationEssentials

/// The end of a session that bytes go into.
@BluetoothActor public final class AccessoryOutput {
    /// Where it stands.
    public private(set) var status = AccessoryStreamStatus.open
    /// Gets what happens, from `openCompleted` on.
    public var eventHandler: (@BluetoothActor (AccessoryStreamEvent) -> Void)? { didSet { greet() } }
    /// Whether more bytes are welcome. Writing without space is allowed: the bytes wait in memory.
    public var hasSpaceAvailable: Bool { status == .open && stream.hasSpace }

    private let stream: any BufferedByteStream
    private var isAnnounced = false
    private var isGreeted = false

    init(_ stream: any BufferedByteStream) {
        self.stream = stream
        stream.spaceHandler = { [weak self] in self?.announceSoon() }
    }

    /// Writes bytes after those of earlier calls.
    ///
    /// - Parameters:
    ///   - bytes: one or more.
    ///   - completion: gets nil when the accessory has confirmed the last of them, or where nothing is confirmed, as over
    ///     RFCOMM, when the kernel has taken them; an error if some may not have arrived.
    public func write(_ bytes: Data, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        isAnnounced = false
        stream.send(bytes, completion: completion)
        announceSoon()
    }

    /// Writes bytes; the async form of `write(_:completion:)`. The task's cancellation takes back what was not sent yet.
    public func write(_ bytes: Data) async throws(BluetoothError) {
        isAnnounced = false
        // Also if nothing was sent, or whoever waits for space would wait forever.
        defer { announceSoon() }
        try await stream.send(bytes)
    }

    /// Writes all that a sequence has, one element after the other has gone.
    ///
    /// - Parameter sequence: elements of one or more bytes; empty ones are passed over.
    /// - Throws: what the sequence throws, or a `BluetoothError`.
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
        BluetoothActor.later { [self] in
            guard let eventHandler, !isGreeted else { return }
            isGreeted = true
            eventHandler(.openCompleted)
            if status == .open { announceSoon() } else { self.eventHandler?(status.event) }
        }
    }

    private func announceSoon() {
        BluetoothActor.later { [weak self] in
            guard let self, self.isGreeted, !self.isAnnounced, self.hasSpaceAvailable else { return }
            self.isAnnounced = true
            self.eventHandler?(.hasSpaceAvailable)
        }
    }
}
