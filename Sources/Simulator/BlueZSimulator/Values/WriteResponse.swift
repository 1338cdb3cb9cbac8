/// A value that a peripheral notifies or indicates when a central writes to a characteristic, such as a control point.
public struct WriteResponse: Hashable, Sendable {
    /// A part of the value.
    public enum Part: Hashable, Sendable {
        /// Fixed bytes.
        case bytes([UInt8])
        /// All the bytes that were written.
        case written
        /// One of the bytes that were written, by its index. Nothing if there are fewer.
        case writtenByte(Int)
    }

    /// The prefix of the writes to which this is a response. An empty prefix matches all.
    public var prefix: [UInt8]
    /// The parts of the value to send. At most MTU - 3 bytes are sent.
    public var parts: [Part]
    /// The UUID of the characteristic that sends the value; nil for the one that is written. If several characteristics
    /// have the UUID, the first one of the same service sends it, otherwise the first one of the peripheral.
    public var source: BluetoothUUID?
    /// The delay after the confirmation of the write. If the link ends in the meantime, nothing is sent.
    public var delay: Duration

    /// Creates a response of several parts.
    public init(
        to prefix: [UInt8], parts: [Part], on source: BluetoothUUID? = nil, after delay: Duration = .zero
    ) {
        self.prefix = prefix
        self.parts = parts
        self.source = source
        self.delay = delay
    }

    /// Creates a response that is always the same.
    public init(
        to prefix: [UInt8], _ value: [UInt8], on source: BluetoothUUID? = nil, after delay: Duration = .zero
    ) {
        self.init(to: prefix, parts: [.bytes(value)], on: source, after: delay)
    }

    /// Returns the value for a write.
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
