import ArgumentParser

/// NAME of `gatt inspect --swift`: the class of the device, and the beginning of the files' names.
struct DriverName: Hashable, Sendable {
    /// More would not fit into the lines of the file.
    private static let longest = 40

    /// Names that a file uses without qualification, and Swift's keywords.
    private static let taken: Set = [
        "Any", "BluetoothActor", "BluetoothError", "Bool", "CentralManager", "Characteristic",
        "CharacteristicWriteType",
        "CoreBlueZ", "Data", "DiscoveredDevice", "EventSequence", "FoundationEssentials", "Peripheral", "Protocol",
        "Self", "Service", "String", "Swift", "Type", "UTF8", "Void",
    ]

    let text: String

    /// Creates a name from an argument.
    ///
    /// - Throws: `ValidationError` with the rule.
    init(_ text: String) throws(ValidationError) {
        let isTypeName = text.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): index > 0
            default: false
            }
        }
        guard isTypeName, (1...Self.longest).contains(text.utf8.count) else {
            throw ValidationError(
                "It names a class: a capital letter, then letters and digits of ASCII, at most \(Self.longest) in total"
            )
        }
        guard !Self.taken.contains(text) else { throw ValidationError("The file needs another \(text)") }
        self.text = text
    }

    /// The file of the driver.
    var swiftFile: String { text + ".swift" }
    /// The file of the simulation.
    var simulationFile: String { text + ".json" }
}
