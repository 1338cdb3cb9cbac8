import BlueZSerial
import CoreBlueZ
import FoundationEssentials

/// The central's side of a transfer with a `TransferPeer`: a stream in each direction at the same time, in sends of 1
/// to 3000 bytes, over as many links as necessary.
@BluetoothActor public final class Transfer {
    /// What must not happen.
    public struct Failure: Error, CustomStringConvertible {
        /// What has happened.
        public let description: String
    }

    /// How many bytes have arrived.
    public private(set) var received = 0
    /// The number of links used so far.
    public private(set) var links = 0
    /// Called with the count of bytes that have arrived, now and then.
    public var progressHandler: (@BluetoothActor (Int) -> Void)?

    private let total: Int
    private let pattern: TransferPattern
    private let peripheral: Peripheral
    private let options: SerialOptions
    private var hash = TransferHash()
    private var peerHash: [UInt8] = []

    // Of the link that there is.
    private var port: SerialService?
    private var header: [UInt8] = []
    private var base = 0
    private var position = 0
    private var end: CheckedContinuation<BluetoothError?, Never>?
    /// The number of bytes that the peer may have after the last link: from the confirmed ones to those handed over.
    private var possible = 0...0
    private var failure: Failure?

    /// Creates a transfer of `total` bytes each way.
    public init(_ peripheral: Peripheral, total: Int, seed: UInt64, options: SerialOptions = SerialOptions()) {
        self.peripheral = peripheral
        self.total = total
        self.options = options
        pattern = TransferPattern(seed: seed)
    }

    /// Transfers all of it.
    ///
    /// - Parameter peerSeed: the seed of the peer's stream.
    /// - Throws: `Failure` if bytes are lost, doubled or changed, and what connecting fails with.
    public func run(peerSeed: UInt64) async throws {
        while received < total || peerHash.count < 8 {
            links += 1
            if !peripheral.isConnected { try await peripheral.connect() }
            let port = try await peripheral.discoverSerialService()
            // A link that breaks while the port is opened has taken nothing.
            let error = await transfer(over: port)
            if let failure { throw failure }
            if let error, error.code != .disconnected, error.code != .notConnected { throw error }
        }
        guard hash == TransferHash(TransferPattern(seed: peerSeed), count: total) else {
            throw Failure(description: "What arrived here is not what was sent")
        }
        guard TransferNumber.number(peerHash) == TransferHash(pattern, count: total).value else {
            throw Failure(description: "What arrived there is not what was sent")
        }
    }

    private func open(_ port: SerialService) async -> BluetoothError? {
        await withCheckedContinuation { opened in
            port.open(options) { opened.resume(returning: $0) }
        }
    }

    private func transfer(over port: SerialService) async -> BluetoothError? {
        if let error = await open(port) { return error }
        self.port = port
        header = []
        let error = await withCheckedContinuation { end in
            self.end = end
            port.endHandler = { [self] error in finish(error) }
            port.spaceHandler = { [self] in sendMore() }
            port.receiveHandler = { [self] in take($0) }
        }
        port.endHandler = nil
        port.close()
        // Eight bytes of each link are the count.
        guard header.count == 8 else { return error }
        possible = base + max(0, port.confirmed - 8)...base + max(0, port.handedOver - 8)
        return error
    }

    private func finish(_ error: BluetoothError?) {
        end?.resume(returning: error)
        end = nil
    }

    private func take(_ bytes: Data) {
        var bytes = bytes
        if header.count < 8 {
            let part = bytes.prefix(8 - header.count)
            header += part
            bytes = bytes.dropFirst(part.count)
            if header.count == 8 { begin() }
        }
        let part = bytes.prefix(total - received)
        hash.add(part)
        received += part.count
        peerHash += bytes.dropFirst(part.count)
        progressHandler?(received)
        if peerHash.count >= 8 { finish(nil) }
    }

    /// Goes on where the peer says that it is.
    private func begin() {
        base = Int(truncatingIfNeeded: TransferNumber.number(header))
        if links > 1, !possible.contains(base) {
            failure = Failure(description: "The peer has \(base) bytes, but between \(possible) can be right")
            return finish(nil)
        }
        position = base
        port?.send(Data(TransferNumber.bytes(UInt64(received + peerHash.count)))) { _ in }
        sendMore()
    }

    private func sendMore() {
        guard let port, header.count == 8 else { return }
        while position < total, port.hasSpace {
            let next = min(total, position + Int.random(in: 1...3000))
            port.send(Data(pattern.bytes(position..<next))) { _ in }
            position = next
        }
    }
}
