import FlyingSocks

/// The body of an event stream (server-sent events, WHATWG HTML 9.2): the server asks for more whenever the browser has
/// read the last part. A heartbeat shows the server that a browser has vanished.
struct EventBody: AsyncBufferedSequence, Sendable {
    typealias Element = UInt8

    /// The pause after which a heartbeat is sent.
    static let heartbeat = Duration.seconds(10)
    /// The shortest time between two parts: readings that are closer together are sent together.
    static let pace = Duration.milliseconds(40)

    private let subscription: Subscription

    /// The stream of a mailbox, which is removed with the last copy of the body.
    init(_ mailbox: Mailbox, of hub: EventHub) {
        subscription = Subscription(mailbox, of: hub)
    }

    func makeAsyncIterator() -> Iterator { Iterator(subscription) }

    /// Encodes fetched contents.
    static func text(_ contents: Mailbox.Contents) -> String {
        var text = ""
        if let snapshot = contents.snapshot { text += "event: state\ndata: \(snapshot)\n\n" }
        if !contents.readings.isEmpty || contents.skipped > 0 {
            let readings = contents.readings.joined(separator: ",")
            text += "event: readings\ndata: {\"skipped\":\(contents.skipped),\"readings\":[\(readings)]}\n\n"
        }
        return text.isEmpty ? ": heartbeat\n\n" : text
    }

    final class Subscription: Sendable {
        let mailbox: Mailbox
        let hub: EventHub

        init(_ mailbox: Mailbox, of hub: EventHub) {
            self.mailbox = mailbox
            self.hub = hub
        }

        deinit { hub.unsubscribe(mailbox) }
    }

    struct Iterator: AsyncBufferedIteratorProtocol {
        private let subscription: Subscription
        private var buffer: ArraySlice<UInt8> = []

        init(_ subscription: Subscription) {
            self.subscription = subscription
        }

        mutating func next() async throws -> UInt8? {
            try await nextBuffer(suggested: 1)?.first
        }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            if buffer.isEmpty {
                try await Task.sleep(for: EventBody.pace)
                await subscription.mailbox.wait(atMost: EventBody.heartbeat)
                try Task.checkCancellation()
                guard let contents = subscription.mailbox.fetch() else { return nil }
                buffer = ArraySlice(Array(EventBody.text(contents).utf8))
            }
            defer { buffer = buffer.dropFirst(count) }
            return buffer.prefix(count)
        }
    }
}
