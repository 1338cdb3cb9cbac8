import BlueZDBus

/// Writes values in the layout of the D-Bus specification, in either byte order and without libdbus.
struct WireEncoder {
    enum Order: UInt8, CaseIterable {
        case little = 0x6C
        case big = 0x42

        static let native: Order = 1.littleEndian == 1 ? .little : .big
        static let foreign: Order = 1.littleEndian == 1 ? .big : .little
    }

    let order: Order
    private(set) var bytes: [UInt8] = []
    private var descriptorCount: UInt32 = 0

    init(_ order: Order) { self.order = order }

    /// The bytes of a message's arguments.
    static func body(_ values: [Value], _ order: Order) -> [UInt8] {
        var encoder = WireEncoder(order)
        for value in values { encoder.append(value) }
        return encoder.bytes
    }

    /// The bytes of a signal `org.example.A.B` of `/org/example/object`, sent by `:1.5`.
    ///
    /// - Parameter descriptorCount: how many descriptors the header says come with it.
    static func signal(_ values: [Value], _ order: Order, descriptorCount: UInt32 = 0) -> [UInt8] {
        let body = body(values, order)
        var fields: [(UInt8, Value)] = [
            (1, .objectPath((try? ObjectPath("/org/example/object")) ?? .root)), (2, .string("org.example.A")),
            (3, .string("B")), (7, .string(":1.5")),
        ]
        if !values.isEmpty { fields.append((8, .signature(values.map(\.signature).joined()))) }
        if descriptorCount > 0 { fields.append((9, .uint32(descriptorCount))) }
        return message([4, 0, 1], serial: 7, fields, body, order)
    }

    /// The bytes of any message.
    ///
    /// - Parameter kind: the bytes after the one for the order: the kind, the flags, the protocol's version.
    static func message(
        _ kind: [UInt8], serial: UInt32, _ fields: [(UInt8, Value)], _ body: [UInt8], _ order: Order
    ) -> [UInt8] {
        var encoder = WireEncoder(order)
        for byte in [order.rawValue] + kind { encoder.append(number: byte) }
        encoder.append(number: UInt32(body.count))
        encoder.append(number: serial)
        encoder.append(
            .array(elements: "(yv)", fields.map { .structure([.byte($0.0), .variant($0.1)]) }))
        encoder.align(to: 8)
        return encoder.bytes + body
    }

    private mutating func append(_ value: Value) {
        switch value {
        case .byte(let value): append(number: value)
        case .boolean(let value): append(number: UInt32(value ? 1 : 0))
        case .int16(let value): append(number: value)
        case .uint16(let value): append(number: value)
        case .int32(let value): append(number: value)
        case .uint32(let value): append(number: value)
        case .int64(let value): append(number: value)
        case .uint64(let value): append(number: value)
        case .double(let value): append(number: value.bitPattern)
        case .string(let value): append(text: value)
        case .objectPath(let value): append(text: value.string)
        case .signature(let value): append(signature: value)
        case .fileDescriptor:
            append(number: descriptorCount)
            descriptorCount += 1
        case .bytes(let value): appendArray(of: "y") { $0.bytes += value }
        case .array(let elements, let values):
            appendArray(of: elements) { encoder in for value in values { encoder.append(value) } }
        case .dictionary(_, _, let entries):
            appendArray(of: "{") { encoder in
                for (key, value) in entries {
                    encoder.align(to: 8)
                    encoder.append(key)
                    encoder.append(value)
                }
            }
        case .structure(let fields):
            align(to: 8)
            for field in fields { append(field) }
        case .variant(let value):
            append(signature: value.signature)
            append(value)
        }
    }

    private mutating func align(to alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }

    private mutating func append<T: FixedWidthInteger>(number: T) {
        align(to: T.bitWidth / 8)
        bytes += digits(number)
    }

    private func digits<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
        let digits = stride(from: 0, to: T.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
        return order == .little ? digits : digits.reversed()
    }

    private mutating func append(text: String) {
        append(number: UInt32(text.utf8.count))
        bytes += text.utf8
        bytes.append(0)
    }

    private mutating func append(signature: String) {
        bytes.append(UInt8(signature.utf8.count))
        bytes += signature.utf8
        bytes.append(0)
    }

    private mutating func appendArray(of elements: String, _ body: (inout WireEncoder) -> Void) {
        append(number: UInt32(0))
        let length = bytes.count - 4
        if let first = elements.first, "xtd({".contains(first) { align(to: 8) }
        let start = bytes.count
        body(&self)
        bytes.replaceSubrange(length..<(length + 4), with: digits(UInt32(bytes.count - start)))
    }
}
