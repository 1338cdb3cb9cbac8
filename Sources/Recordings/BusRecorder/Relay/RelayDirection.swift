import BlueZClient
import BlueZDBus

/// One direction of a client's connection: receives bytes from one socket, and sends them to the other. It keeps at most
/// one portion more than the limit, and reads nothing while the other socket accepts nothing.
@BluetoothActor final class RelayDirection {
    /// Whether there is space for what the source sends.
    var wantsToRead: Bool { !hasEnded && !isBroken && waitingCount < Self.limit }

    /// Whether there is something that the destination has not accepted yet.
    var wantsToWrite: Bool { waitingCount > 0 }

    /// Whether nothing more passes: the source has ended and everything is sent, or the destination is gone.
    var isFinished: Bool { isBroken || hasEnded && waitingCount == 0 }

    /// Whether the destination is gone. What waited for it is dropped.
    private(set) var isBroken = false

    private let source: StreamSocket
    private let destination: StreamSocket
    /// The messages that have been sent, or wait for the destination.
    private let passed: PassedMessages
    /// Called with each message, some time after that.
    private let messageHandler: (Message) -> Void
    /// Called with each message that has descriptors before it is sent. Returns the descriptors to send instead.
    private let descriptorHandler: (Message) -> [UnixFileDescriptor]

    private var splitter: MessageSplitter
    private var hasEnded = false
    private var waiting: [StreamSocket.Portion] = []
    /// How many bytes of the first waiting portion are sent. Its descriptors went with the first one.
    private var sentCount = 0
    private var waitingCount = 0
    /// Descriptors that belong to a message that is not complete yet.
    private var descriptors: [UnixFileDescriptor] = []
    /// How many bytes of the incomplete message are sent or waiting.
    private var passedCount = 0

    private static let portionSize = 65536
    private static let limit = 65536
    /// The greatest incomplete message with descriptors that is held back: a reply to AcquireNotify is far shorter.
    private static let heldLimit = 65536

    init(
        _ side: MessageSplitter.Side, from source: StreamSocket, to destination: StreamSocket,
        _ passed: PassedMessages, message messageHandler: @escaping (Message) -> Void,
        descriptors descriptorHandler: @escaping (Message) -> [UnixFileDescriptor]
    ) {
        splitter = MessageSplitter(from: side)
        self.source = source
        self.destination = destination
        self.passed = passed
        self.messageHandler = messageHandler
        self.descriptorHandler = descriptorHandler
    }

    /// Receives what the source has sent, and passes it on. It never waits.
    func receive() {
        guard wantsToRead else { return }
        switch source.receivePortion(limit: Self.portionSize) {
        case .portion(let portion): pass(portion)
        case .nothing: break
        case .end: hasEnded = true
        }
    }

    /// Sends what waits, as far as there is space.
    func flush() {
        var index = 0
        while index < waiting.count {
            let portion = waiting[index]
            let descriptors = sentCount == 0 ? portion.descriptors : []
            guard let count = destination.send(portion.bytes[sentCount...], descriptors) else {
                isBroken = true
                (waiting, waitingCount) = ([], 0)
                return
            }
            waitingCount -= count
            sentCount += count
            guard sentCount == portion.bytes.count else { break }
            sentCount = 0
            index += 1
        }
        waiting.removeFirst(index)
    }

    private func pass(_ portion: StreamSocket.Portion) {
        // No descriptors pass before the bus has agreed to that, at the end of the authentication.
        if splitter.isAuthenticating, !portion.descriptors.isEmpty { splitter.lose() }
        guard !splitter.isLost else { return enqueue(portion.bytes[...], portion.descriptors) }
        descriptors += portion.descriptors
        // Without descriptors, bytes are passed on before they are read as messages, which costs time.
        let isPlain = descriptors.isEmpty && passedCount == splitter.remainder.count
        if isPlain { enqueue(portion.bytes[...], []) }
        splitter.append(portion.bytes)
        while let bytes = splitter.next() {
            handle(bytes, isPassed: isPlain)
        }
        let rest = splitter.remainder
        if isPlain {
            passedCount = rest.count
        } else if descriptors.isEmpty || splitter.isLost || rest.count > Self.heldLimit {
            enqueue(rest.dropFirst(passedCount), descriptors)
            (descriptors, passedCount) = ([], rest.count)
        }
    }

    /// Handles a complete message. An invalid one passes too: the bus ends the connection of a client that sends it.
    private func handle(_ bytes: ArraySlice<UInt8>, isPassed: Bool) {
        if !isPassed {
            // Which descriptors are exchanged depends on what has passed before.
            passed.readAll()
            let message = try? Message.decode(bytes)
            let count = min(message?.descriptorCount ?? descriptors.count, descriptors.count)
            var own = Array(descriptors.prefix(count))
            descriptors.removeFirst(count)
            if count > 0, let complete = try? Message.decode(bytes, own) { own = descriptorHandler(complete) }
            enqueue(bytes.dropFirst(passedCount), own)
            passedCount = 0
        }
        passed.add(bytes, messageHandler)
    }

    private func enqueue(_ bytes: ArraySlice<UInt8>, _ descriptors: [UnixFileDescriptor]) {
        guard !bytes.isEmpty, !isBroken else { return }
        waiting.append(StreamSocket.Portion(Array(bytes), descriptors))
        waitingCount += bytes.count
        flush()
    }
}
