import CoreBlueZ

/// The search for the CRC of a card reader's frames, with a framing that has `detectsChecksum`.
///
/// The framing finds the CRC of the first frame that arrives. A reader that ignores commands with another CRC than its
/// own sends none, so a command without a response is sent again with the next known CRC.
@BluetoothActor final class ChecksumSearch {
    /// A command that waits for its response.
    @BluetoothActor final class Attempt {
        private let search: ChecksumSearch
        private let frame: CardReaderFrame
        private let interval: Duration
        private var remaining: ArraySlice<CardReaderChecksum>
        private var sent: CardReaderChecksum?
        private var arrivals = 0
        private var timer: ScheduledCall?

        fileprivate init(_ search: ChecksumSearch, _ frame: CardReaderFrame, _ interval: Duration) {
            self.search = search
            self.frame = frame
            self.interval = interval
            remaining = search.framing?.possible[...] ?? []
            sent = remaining.popFirst()
        }

        /// Begins to wait, after the device has received the command. The response may already have arrived.
        func begin() {
            guard search.framing?.detection == .waiting else { return }
            arrivals = search.framed.arrivals
            wait()
        }

        /// Ends with the exchange of the command.
        func end() {
            timer?.cancel()
            timer = nil
            if search.attempt === self { search.attempt = nil }
        }

        /// Sends the command again with the CRC that a frame has shown, unless that was the last one.
        fileprivate func send(with found: CardReaderChecksum) {
            let last = sent
            end()
            if found != last { send(found) }
        }

        private func wait() {
            timer = BluetoothActor.after(interval) { [weak self] in self?.sendNext() }
        }

        private func sendNext() {
            guard search.framed.arrivals == arrivals, let next = remaining.popFirst() else { return }
            send(next)
            wait()
        }

        private func send(_ checksum: CardReaderChecksum) {
            sent = checksum
            guard let bytes = try? search.framing?.encode(frame, checksum) else { return }
            search.framed.stream.send(bytes) { _ in }
        }
    }

    /// Called when the CRC is known, or with nil if it is none of the known ones.
    var foundHandler: (@BluetoothActor (CardReaderChecksum?) -> Void)?

    private let framed: FramedStream<CardReaderFrame>
    private var reported = CardReaderFraming.Detection.waiting
    /// The command that waits while the CRC is not known.
    private weak var attempt: Attempt?

    init(_ framed: FramedStream<CardReaderFrame>) {
        self.framed = framed
    }

    private var framing: CardReaderFraming? { framed.framing as? CardReaderFraming }

    /// Returns the attempt for a command. Its interval leaves time for all CRCs.
    func attempt(_ frame: CardReaderFrame, _ timeout: Duration) -> Attempt {
        let new = Attempt(self, frame, min(.seconds(2), timeout / 8))
        if attempt == nil { attempt = new }
        return new
    }

    /// Notes that a frame has arrived, and was classified.
    ///
    /// - Parameter isRequested: whether a command waits for its response.
    func frameDidArrive(_ kind: ExchangeMessageKind, isRequested: Bool) {
        guard let detection = framing?.detection, detection != reported else { return }
        reported = detection
        guard case .found(let checksum) = detection else { return foundHandler?(nil) ?? () }
        if kind == .unsolicited, isRequested { attempt?.send(with: checksum) }
        foundHandler?(checksum)
    }
}
