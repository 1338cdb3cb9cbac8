import CoreBlueZ
import FoundationEssentials

/// What was asked for in one round, how it ended, and which bytes went out and came in.
@BluetoothActor public final class ByteRecord: FaultRecord {
    /// Something with one completion.
    public struct Entry {
        /// For whoever reads the failure.
        public let title: String
        /// Whether it lasts as long as a stream, such as the consumer of a sequence.
        let isLasting: Bool
        /// Whether its object was released, so that its end need not be reported.
        fileprivate var isLeft = false
        /// How often it has ended.
        public fileprivate(set) var ends = 0
        /// What it ended with.
        public fileprivate(set) var error: (any Error)?
    }

    /// Bytes that were sent, which no other bytes of the round are like: see `makeBytes`.
    @BluetoothActor final class Sent {
        let bytes: Data
        let entry: Int
        let opening: Opening?
        /// Whether success means that the peer has them.
        let isConfirmed: Bool

        init(_ bytes: Data, _ entry: Int, _ opening: Opening?, isConfirmed: Bool) {
            self.bytes = bytes
            self.entry = entry
            self.opening = opening
            self.isConfirmed = isConfirmed
        }
    }

    /// What one consumer got.
    @BluetoothActor public final class Part {
        /// In order.
        public var bytes = Data()

        /// Nothing yet.
        public init() {}
    }

    /// One opening of a stream.
    @BluetoothActor public final class Opening {
        let title: String
        /// What its consumers got, one after the other.
        public fileprivate(set) var parts = [Part()]
        /// How many bytes the peer had sent when the stream was certainly open.
        public var sentBefore: Int?
        /// Whether the link below has stayed.
        public var isIntact = false

        init(_ title: String) { self.title = title }

        /// All that came.
        public var bytes: Data { parts.reduce(Data()) { $0 + $1.bytes } }

        /// Another consumer takes over.
        public func addPart() -> Part {
            let part = Part()
            parts.append(part)
            return part
        }
    }

    /// What was asked for, in order.
    public private(set) var entries: [Entry] = []
    /// The openings, in order.
    public private(set) var openings: [Opening] = []
    /// Whether the peer refuses some of what nothing confirms, so that it is missing although it succeeded.
    public var losesUnconfirmed = false
    /// Whatever else was wrong.
    public var noted: [FaultFinding] = []
    private var sent: [Sent] = []

    /// A record of nothing so far.
    public init() {}

    /// Notes the beginning of an operation.
    public func begin(_ title: String, isLasting: Bool = false) -> Int {
        entries.append(Entry(title: title, isLasting: isLasting))
        return entries.count - 1
    }

    /// Notes the end of an operation.
    public func end(_ index: Int, _ error: (any Error)?) {
        entries[index].ends += 1
        entries[index].error = error
    }

    /// The end of an operation need not be reported.
    public func leave(_ index: Int) { entries[index].isLeft = true }

    /// What has not ended.
    public func pending(lasting: Bool = false) -> [String] {
        entries.filter { $0.ends == 0 && $0.isLasting == lasting && !$0.isLeft }.map(\.title)
    }

    /// What has ended more than once, and whatever was noted.
    public var doubled: [FaultFinding] {
        entries.filter { $0.ends > 1 }.map { FaultFinding(.doubled, "\($0.title) has ended \($0.ends) times") } + noted
    }

    // MARK: Bytes to the peer

    /// Bytes to send: the first says which they are, and is unlike all others.
    ///
    /// - Returns: nil if there are no more.
    public func makeBytes(_ count: Int) -> Data? {
        guard let number = UInt8(exactly: sent.count), number < 0x80 else { return nil }
        return Data([number]) + pattern(max(0, count - 1), from: 1000 * sent.count).map { $0 | 0x80 }
    }

    /// Notes that bytes of `makeBytes` are sent.
    public func send(_ bytes: Data, _ entry: Int, _ opening: Opening?, isConfirmed: Bool) {
        sent.append(Sent(bytes, entry, opening, isConfirmed: isConfirmed))
    }

    /// Whether the peer has the last bytes that were sent.
    public func hasArrived(_ received: [UInt8]) -> Bool {
        sent.last.map { received.suffix($0.bytes.count).elementsEqual($0.bytes) } ?? true
    }

    /// What must not be, by what the peer has received: the beginnings of all that was sent, in order, and the whole of
    /// what succeeded. What nothing confirms may be missing where its stream ended.
    public func findings(received: [UInt8]) -> [FaultFinding] {
        var findings: [FaultFinding] = []
        var rest = received[...]
        var cut: [(sent: Sent, arrived: Int)] = []
        for each in sent {
            let arrived = zip(each.bytes, rest).prefix { $0 == $1 }.count
            rest = rest.dropFirst(arrived)
            if arrived > 0, let before = cut.last, before.sent.opening === each.opening {
                findings.append(lost(before.sent, before.arrived, "and \(entries[each.entry].title) was received"))
            }
            guard entries[each.entry].ends > 0, entries[each.entry].error == nil, arrived < each.bytes.count else {
                continue
            }
            if each.isConfirmed || each.opening?.isIntact == true && !losesUnconfirmed {
                findings.append(lost(each, arrived, "though it succeeded"))
            } else if !losesUnconfirmed {
                cut.append((each, arrived))
            }
        }
        if !rest.isEmpty {
            let text = "\(rest.count) of \(received.count) bytes were received that nobody sent, or not then"
            findings.append(FaultFinding(.received, "\(text): \([UInt8](rest.prefix(8)))"))
        }
        return findings
    }

    private func lost(_ sent: Sent, _ arrived: Int, _ reason: String) -> FaultFinding {
        let title = entries[sent.entry].title
        return FaultFinding(.lost, "\(arrived) of \(sent.bytes.count) bytes of \(title) were received, \(reason)")
    }

    // MARK: Bytes from the peer

    /// Notes that a stream is being opened.
    public func open(_ title: String) -> Opening {
        let opening = Opening(title)
        openings.append(opening)
        return opening
    }

    /// An opening was refused, because the one before lasts: what came is that one's.
    public func refuse(_ opening: Opening) {
        guard let index = openings.firstIndex(where: { $0 === opening }) else { return }
        if index > 0 { openings[index - 1].parts += opening.parts }
        openings.remove(at: index)
    }

    /// What must not be, by what the peer has sent: what came in one opening is a part of that without a gap, from the
    /// bytes on that were sent when it was open.
    public func findings(sent: [UInt8]) -> [FaultFinding] {
        var from = 0
        var findings: [FaultFinding] = []
        for opening in openings {
            let bytes = [UInt8](opening.bytes)
            let latest = min(sent.count - bytes.count, opening.sentBefore ?? sent.count)
            let start = from <= latest ? (from...latest).first { sent[$0...].starts(with: bytes) } : nil
            if let start {
                // Where nothing came it is unknown how far the peer was.
                from = bytes.isEmpty ? from : start + bytes.count
            } else {
                let before = opening.sentBefore.map { ", from \($0) on" } ?? ""
                findings.append(
                    FaultFinding(
                        .lost, "\(bytes.count) bytes in \(opening.title) are no part of what was sent\(before)"))
            }
        }
        return findings
    }
}
