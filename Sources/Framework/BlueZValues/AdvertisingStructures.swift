/// The structures of advertising data: each is a length of one byte, a type of one byte, and content (Core Specification,
/// volume 3, part C, 11). A length of 0 ends them, and so does a structure that extends beyond the end.
package struct AdvertisingStructures: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    /// Whether they ended with a structure that extends beyond the end.
    package private(set) var isTruncated = false

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    package mutating func next() -> (type: UInt8, content: ArraySlice<UInt8>)? {
        guard let length = rest.popFirst().map(Int.init), length > 0 else { return nil }
        guard rest.count >= length, let type = rest.popFirst() else {
            isTruncated = true
            rest = []
            return nil
        }
        defer { rest = rest.dropFirst(length - 1) }
        return (type, rest.prefix(length - 1))
    }

    /// The most bytes of content that a structure can have.
    package static let longestContent = 254

    /// The bytes of a structure.
    ///
    /// - Parameter content: at most `longestContent` bytes.
    package static func bytes(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: content.count + 1), type] + content
    }
}

/// The types of structures that `AdvertisementData` has properties for (Bluetooth SIG Assigned Numbers, 2.3).
package enum AdvertisingType: UInt8 {
    case flags = 0x01
    case someUUIDs16 = 0x02
    case allUUIDs16 = 0x03
    case someUUIDs32 = 0x04
    case allUUIDs32 = 0x05
    case someUUIDs128 = 0x06
    case allUUIDs128 = 0x07
    case shortenedName = 0x08
    case completeName = 0x09
    case txPower = 0x0A
    case serviceData16 = 0x16
    case appearance = 0x19
    case serviceData32 = 0x20
    case serviceData128 = 0x21
    case manufacturerData = 0xFF

    /// The type of a complete list of UUIDs of 2, 4 or 16 bytes.
    package static func allUUIDs(size: Int) -> Self { size == 2 ? .allUUIDs16 : size == 4 ? .allUUIDs32 : .allUUIDs128 }

    /// The type of data of a service whose UUID has 2, 4 or 16 bytes.
    package static func serviceData(size: Int) -> Self {
        size == 2 ? .serviceData16 : size == 4 ? .serviceData32 : .serviceData128
    }
}
