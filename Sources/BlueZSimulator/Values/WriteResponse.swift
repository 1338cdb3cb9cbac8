/// What a peripheral notifies or indicates when a central writes to a characteristic, such as a control point.
public struct WriteResponse: Hashable, Sendable {
    /// A part of the value.
    public enum Part: Hashable, Sendable {
        /// These bytes.
        case bytes([UInt8])
        /// All the bytes that were written.
        case written
        /// One of the bytes that were written, counted from 0; nothing if there are fewer.
        case writtenByte(Int)
    }

    /// The beginning of the writes that it responds to. An empty one begins all.
    public var prefix: [UInt8]
    /// The value that it sends. At most MTU - 3 bytes are sent.
    public var parts: [Part]
    /// The characteristic that sends it; nil for the one that is written. If several have the UUID, it is the first one
    /// of the same service, otherwise of the peripheral.
    public var source: BluetoothUUID?
    /// The time from the confirmation of the write. If the link ends in the meantime, nothing is sent.
    public var delay: Duration

    /// Makes a response of several parts.
    public init(
        to prefix: [UInt8], _ parts: [Part], on source: BluetoothUUID? = nil, after delay: Duration = .zero
    ) {
        self.prefix = prefix
        self.parts = parts
        self.source = source
        self.delay = delay
    }

    /// Makes a response that is always the same.
    public init(
        to prefix: [UInt8], _ value: [UInt8], on source: BluetoothUUID? = nil, after delay: Duration = .zero
    ) {
        self.init(to: prefix, [.bytes(value)], on: source, after: delay)
    }

    /// The value for a write.
    func value(for written: [UInt8]) -> [UInt8] {
        parts.flatMap { part in
            switch part {
            case .bytes(let bytes): bytes
            case .written: written
            case .writtenByte(let index): written.indices.contains(index) ? [written[index]] : []
            }
        }
    }
}
