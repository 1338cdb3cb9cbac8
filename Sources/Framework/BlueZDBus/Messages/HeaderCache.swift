import Glibc

/// A cache of recent headers. Signals of one object, and of the few busiest objects, have the same fields again and
/// again, so that only the serial of a header needs to be validated.
@safe final class HeaderCache {
    private struct Entry {
        /// The number of bytes of the fields, with the preceding length and the padding after them; 0 if there are
        /// none.
        var count = 0
        var header: MessageContents.Header?
    }

    private static let entryCount = 16
    private static let entrySize = 512
    /// An odd number without a pattern: 2 to the 64th, divided by the golden ratio.
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The position of the fields' length.
    private static let start = 12

    private var entries = [Entry](repeating: Entry(), count: HeaderCache.entryCount)
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: entryCount * entrySize, alignment: 8)

    deinit {
        unsafe bytes.deallocate()
    }

    /// Returns the header with the same fields and kind, or nil if it isn't known.
    ///
    /// - Parameter end: the end of the header, with its padding.
    func header(of message: WireBytes, endingAt end: Int) -> MessageContents.Header? {
        guard let index = index(of: message, endingAt: end) else { return nil }
        let entry = entries[index]
        guard entry.count == end - Self.start, let header = entry.header,
            header.kind == Message.Kind(message.byte(at: 1)),
            unsafe message.isEqual(
                WireBytes.Text(start: Self.start, count: end - Self.start),
                UnsafePointer((bytes + index * Self.entrySize).assumingMemoryBound(to: UInt8.self)),
                count: end - Self.start)
        else { return nil }
        return header
    }

    /// Stores a header that was validated.
    func keep(_ header: MessageContents.Header, of message: WireBytes) {
        guard let index = index(of: message, endingAt: header.end) else { return }
        let fields = WireBytes.Text(start: Self.start, count: header.end - Self.start)
        unsafe message.withBytes(fields) { fields in
            unsafe (bytes + index * Self.entrySize).copyMemory(
                from: fields.baseAddress ?? UnsafeRawPointer(bytes), byteCount: fields.count)
        }
        entries[index] = Entry(count: fields.count, header: header)
    }

    /// Returns the header's only possible slot, or nil if it is too long for one.
    private func index(of message: WireBytes, endingAt end: Int) -> Int? {
        guard end - Self.start <= Self.entrySize, end <= message.count else { return nil }
        var hash: UInt64 = 0
        unsafe message.withBytes(WireBytes.Text(start: Self.start, count: end - Self.start)) { fields in
            var offset = 4
            while offset < fields.count {
                hash = unsafe (hash &+ fields.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* Self.factor
                offset += 8
            }
        }
        // The upper bits depend on all words.
        return Int(hash >> 60)
    }
}
