import BlueZPrintableText

/// Why a payload couldn't be decoded, or only in part.
public enum AdvertisementProblem: Error, Hashable, Sendable {
    /// The payload is encrypted, and there is no key for the device, or no way to use one.
    case encrypted
    /// The payload is encrypted with another key than that of the device.
    case wrongKey
    /// The payload is encrypted, and the device's address, which is part of the key's use, wasn't given.
    case addressNeeded
    /// The payload has a value that this library doesn't know, by its number. What follows it may be missing.
    case unknownObject(UInt16)
    /// The payload ends too early.
    case truncated
    /// The payload is in a version of the format that this library doesn't know.
    case unsupportedVersion(Int)
    /// The payload has a value that the format excludes.
    case malformed
    /// Only the name of the format is known: its content is secret, or isn't decoded.
    case nameOnly

    /// A word for the problem. It doesn't change with versions of this library.
    public var code: String {
        switch self {
        case .encrypted: "encrypted"
        case .wrongKey: "wrongKey"
        case .addressNeeded: "addressNeeded"
        case .unknownObject: "unknownObject"
        case .truncated: "truncated"
        case .unsupportedVersion: "unsupportedVersion"
        case .malformed: "malformed"
        case .nameOnly: "nameOnly"
        }
    }
}

extension AdvertisementProblem: CustomStringConvertible {
    /// What is wrong, for people.
    public var description: String {
        switch self {
        case .encrypted: "encrypted, and no key is known"
        case .wrongKey: "encrypted with another key"
        case .addressNeeded: "encrypted, and the address isn't known"
        case .unknownObject(let number):
            "unknown object 0x\(String(hexadecimal: number, digits: number > 0xFF ? 4 : 2))"
        case .truncated: "truncated"
        case .unsupportedVersion(let version): "unsupported version \(version)"
        case .malformed: "malformed"
        case .nameOnly: "not decoded"
        }
    }
}
