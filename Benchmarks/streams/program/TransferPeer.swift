import BlueZSimulatedSerial
import BlueZSimulator

/// A simulated device that receives a stream, sends one of the same length, and continues on each link where the last
/// one was lost.
///
/// On each link, both sides first report in eight bytes how many bytes they have, and continue there. After its stream,
/// the device sends the hash of the received bytes.
@SimulatorActor public final class TransferPeer: SerialScript {
    /// How many bytes it has.
    public private(set) var count = 0
    /// The hash of them.
    public private(set) var hash = TransferHash()
    /// The number of links that it has ended.
    public private(set) var disconnections = 0

    private let total: Int
    private let pattern: TransferPattern
    private var disconnectionsLeft: Int
    private var threshold = Int.max
    private var isEnding = false
    private weak var peripheral: SimulatedPeripheral?
    private var header: [UInt8] = []
    private var isHeaderComplete = false
    private var sent = 0

    /// Creates a device's script.
    ///
    /// - Parameters:
    ///   - total: how many bytes go each way.
    ///   - disconnections: how often it ends the link, at moments of chance.
    public init(total: Int, seed: UInt64, disconnections: Int = 0) {
        self.total = total
        pattern = TransferPattern(seed: seed)
        disconnectionsLeft = disconnections
    }

    /// Tells it which link to end.
    public func use(_ peripheral: SimulatedPeripheral) {
        self.peripheral = peripheral
        chooseThreshold()
    }

    private func chooseThreshold() {
        guard disconnectionsLeft > 0 else { return threshold = .max }
        let left = total - count
        threshold = min(total, count + Int.random(in: 1...max(1, 2 * left / (disconnectionsLeft + 1))))
    }

    /// How many bytes it has.
    public func subscribed() -> [[UInt8]] { [TransferNumber.bytes(UInt64(count))] }

    /// Prepares for the next link.
    public func disconnected() {
        header = []
        isHeaderComplete = false
    }

    /// Receives bytes, and sends as many.
    public func received(_ bytes: [UInt8]) -> [[UInt8]] {
        var bytes = bytes[...]
        if !isHeaderComplete {
            let part = bytes.prefix(8 - header.count)
            header += part
            bytes = bytes.dropFirst(part.count)
            guard header.count == 8 else { return [] }
            isHeaderComplete = true
            sent = Int(truncatingIfNeeded: TransferNumber.number(header))
        }
        hash.add(bytes)
        count += bytes.count
        if count >= threshold { endLink() }
        // With the hash the transfer would be complete, and the link that is to break never missed.
        let limit = count < total || isEnding ? min(count, total) : total + 8
        guard sent < limit else { return [] }
        defer { sent = limit }
        return [sent < total ? pattern.bytes(sent..<min(total, limit)) : [], tail(from: sent, to: limit)]
    }

    private func tail(from start: Int, to end: Int) -> [UInt8] {
        guard end > total else { return [] }
        return Array(TransferNumber.bytes(hash.value)[max(0, start - total)..<end - total])
    }

    /// Some time later: in the middle of something, mostly.
    private func endLink() {
        disconnectionsLeft -= 1
        disconnections += 1
        threshold = .max
        isEnding = true
        SimulatorActor.schedule(after: .microseconds(Int.random(in: 0...3000))) { [self] in
            peripheral?.simulateDisconnection()
            isEnding = false
            chooseThreshold()
        }
    }
}
