import BlueZPrintableText

/// The keys of devices: bind keys, which decrypt what a sensor advertises, and Identity Resolving Keys (IRKs), which
/// recognize a device whose address changes.
public struct AdvertisementKeys: Sendable {
    /// The cipher that the keys are used with: AES, unless you set another implementation of it.
    public var cipher: any BlockCipher.Type = AES128.self
    /// By address, in its usual form, or by name.
    private var bindKeys: [String: [UInt8]] = [:]
    private var resolvingKeys: [(device: String, key: SIMD16<UInt8>)] = []

    /// Creates an empty collection.
    public init() {}

    /// Reads the text of a file with a key in each line: a device, the key's kind and its hexadecimal digits, separated
    /// by spaces or tabs. Empty lines and lines that begin with # are comments.
    ///
    /// ```text
    /// # The thermometer in the kitchen
    /// A4:C1:38:8D:18:B2  bindkey  231d39c1d7cc1ab1aee224cd096db932
    /// watch              irk      ec0234a357c8ad05341010a60a397d9b
    /// ```
    ///
    /// A device is an address or a name. A bind key is of the device with the address, or that advertises the name, or
    /// that the IRK of this name recognizes. It has 16 bytes, or 12 for old versions of MiBeacon. The name of an IRK is
    /// yours to choose. Its 16 bytes begin with the most significant, as in the Core Specification; the files of
    /// bluetoothd have them in reverse order.
    ///
    /// - Throws: `AdvertisementKeysError` for the first line that is wrong.
    public init(text: String) throws(AdvertisementKeysError) {
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let fields = line.split { $0 == " " || $0 == "\t" }
            guard let first = fields.first, !first.hasPrefix("#") else { continue }
            guard fields.count > 2 else { throw AdvertisementKeysError(line: index + 1, .fields) }
            let device = fields.dropLast(2).joined(separator: " ")
            let key = [UInt8](hexadecimal: fields[fields.count - 1])
            switch (fields[fields.count - 2], key) {
            case ("bindkey", let key?) where key.count == 16 || key.count == 12: set(bindKey: key, of: device)
            case ("irk", let key?) where key.count == 16: add(resolvingKey: SIMD16(key), of: device)
            case ("bindkey", _), ("irk", _): throw AdvertisementKeysError(line: index + 1, .key)
            default: throw AdvertisementKeysError(line: index + 1, .kind)
            }
        }
    }

    /// Sets the bind key of a device.
    ///
    /// - Parameters:
    ///   - key: 16 bytes, or 12 for versions 2 and 3 of MiBeacon.
    ///   - device: an address, a name that the device advertises, or one given to an IRK.
    public mutating func set(bindKey key: [UInt8], of device: String) {
        bindKeys[Self.canonical(device)] = key
    }

    /// Adds the IRK of a device.
    ///
    /// - Parameters:
    ///   - key: the key, whose first byte is the most significant.
    ///   - device: the name or address that `identity(of:)` returns.
    public mutating func add(resolvingKey key: SIMD16<UInt8>, of device: String) {
        resolvingKeys.append((Self.canonical(device), key))
    }

    /// Returns whose private address it is: what stands before the IRK. Nil if no key recognizes it.
    public func identity(of address: BluetoothAddress) -> String? {
        guard address.isResolvable else { return nil }
        return resolvingKeys.first { address.isResolved(by: cipher.init(key: $0.key)) }?.device
    }

    /// Returns the bind key of a device with this address or name.
    public func bindKey(of address: BluetoothAddress?, name: String? = nil) -> [UInt8]? {
        guard !bindKeys.isEmpty else { return nil }
        if let address {
            if let key = bindKeys[address.description] { return key }
            if let key = identity(of: address).flatMap({ bindKeys[$0] }) { return key }
        }
        return name.flatMap { bindKeys[$0] }
    }

    /// Addresses in one form; names as they are.
    private static func canonical(_ device: String) -> String { BluetoothAddress(device)?.description ?? device }
}

/// A line of a file of keys that is wrong.
public struct AdvertisementKeysError: Error, Hashable, CustomStringConvertible {
    /// The number of the line, from 1.
    public let line: Int
    private let reason: Reason

    enum Reason { case fields, kind, key }

    init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }

    /// What is wrong with the line, without the key.
    public var description: String {
        switch reason {
        case .fields: "Line \(line) of the keys needs a device, \"bindkey\" or \"irk\", and hexadecimal digits"
        case .kind: "Line \(line) of the keys has another kind than \"bindkey\" or \"irk\" before the key"
        case .key: "Line \(line) of the keys needs 32 hexadecimal digits, or 24 for an old bind key of MiBeacon"
        }
    }
}
