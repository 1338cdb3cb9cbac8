import DBus

/// What bluetoothd keeps of a remote value: it is told with every read and notification.
struct CachedValue {
    private(set) var bytes: [UInt8] = []

    /// A part of the value was read, as gatt_db_attribute_write() stores it.
    mutating func store(_ part: [UInt8], at offset: UInt16) {
        if offset == 0 { bytes = [] }
        guard !part.isEmpty else { return }
        let start = Int(offset)
        if bytes.count < start { bytes += [UInt8](repeating: 0, count: start - bytes.count) }
        bytes.replaceSubrange(start..<min(bytes.count, start + part.count), with: part)
    }

    func from(_ offset: UInt16) -> [UInt8] {
        Array(bytes.dropFirst(Int(offset)))
    }
}

extension Link {
    /// Reads a value from an offset on, in as many requests as the MTU needs.
    func read(
        from offset: UInt16,
        _ work: @escaping Work,
        completion: @escaping Completion
    ) -> Request {
        request(work) { result in
            completion(
                result.flatMap { value in
                    Int(offset) > value.count ? .failure(.invalidOffset) : .success(Array(value.dropFirst(Int(offset))))
                }
            )
        }
    }
}
