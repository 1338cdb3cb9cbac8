/// The events for one browser (server-sent events, WHATWG HTML 9.2). The next text is requested when the last one has
/// been sent. Heartbeats reveal browsers that have disappeared.
final class EventStream: Sendable {
    /// The pause after which a heartbeat is sent.
    static let heartbeat = Duration.seconds(10)
    /// The shortest time between two texts: readings that are closer together are sent together.
    static let pace = Duration.milliseconds(40)

    private let mailbox: Mailbox
    private let hub: EventHub

    /// The stream of a mailbox, which is removed with the stream or at its end.
    init(_ mailbox: Mailbox, of hub: EventHub) {
        self.mailbox = mailbox
        self.hub = hub
    }

    deinit { end() }

    /// Ends the stream: `next()` returns nil from now on.
    func end() { hub.unsubscribe(mailbox) }

    /// Waits for the next text; nil at the end.
    func next() async throws -> String? {
        try await Task.sleep(for: Self.pace)
        await mailbox.wait(atMost: Self.heartbeat)
        return mailbox.fetch().map(Self.text)
    }

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
}
