import CoreBlueZ

/// The two generations of the TI SensorTag.
public enum SensorTagGeneration: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The original of 2012.
    case cc2541 = "CC2541"
    /// The SensorTag 2.0 of 2015.
    case cc2650 = "CC2650"

    /// The name of the chip.
    public var description: String { rawValue }

    private static let cc2541Names: Set = ["SensorTag", "TI BLE Sensor Tag"]
    private static let cc2650Names: Set = [
        "CC2650 SensorTag", "SensorTag 2.0", "SensorTag2", "SensorTag2.0", "CC2650 SensorTag LED",
        // The board with a CC1350 has the sensors and services of the CC2650 without the thermometer.
        "CC1350 SensorTag",
    ]
    private static let texasInstruments: UInt16 = 0x000D
    private static let cc2650DeviceIdentifier: UInt8 = 3
    private static let movement = tagUUID("aa80")
    private static let onlyInCC2541 = [tagUUID("aa10"), tagUUID("aa30"), tagUUID("aa50")]
    private static let advertisedByCC2650: Set = ["aa80", "0000aa80-0000-1000-8000-00805f9b34fb", movement]

    private static func tagUUID(_ short: String) -> String { "f000\(short)-0451-4000-b000-000000000000" }

    /// The generation, from the services discovered after connecting. Names do not matter.
    ///
    /// The movement service F000AA80 means a CC2650; accelerometer, magnetometer or gyroscope mean a CC2541.
    ///
    /// - Parameter services: UUIDs in full form, upper or lower case.
    /// - Returns: nil if the services are not those of a SensorTag.
    public init?(services: some Sequence<String>) {
        let services = Set(services.map { $0.lowercased() })
        if services.contains(Self.movement) {
            self = .cc2650
        } else if !services.isDisjoint(with: Self.onlyInCC2541) {
            self = .cc2541
        } else {
            return nil
        }
    }

    /// The likely generation before connecting. Users rename their tags, and the original advertises only a name.
    ///
    /// - Parameters:
    ///   - name: the advertised name or the device name; anything from a NUL on is ignored.
    ///   - services: advertised service UUIDs, 16-bit or full, upper or lower case.
    ///   - manufacturerData: data by company identifier, without the two bytes of the identifier.
    /// - Returns: nil if nothing points to a SensorTag.
    public init?(name: String?, services: some Sequence<String>, manufacturerData: [UInt16: [UInt8]]) {
        let name = name.map { String($0.prefix { $0 != "\0" }) } ?? ""
        let services = Set(services.map { $0.lowercased() })
        if manufacturerData[Self.texasInstruments]?.first == Self.cc2650DeviceIdentifier
            || !services.isDisjoint(with: Self.advertisedByCC2650) || Self.cc2650Names.contains(name)
        {
            self = .cc2650
        } else if Self.cc2541Names.contains(name) {
            self = .cc2541
        } else {
            return nil
        }
    }
}

extension SensorTagGeneration {
    /// The likely generation of a device from its name and advertisement; nil if nothing points to a SensorTag.
    init?(_ name: String?, _ advertisement: AdvertisementData) {
        let likely = [advertisement.localName, name].lazy.compactMap { name in
            SensorTagGeneration(
                name: name,
                services: advertisement.serviceUUIDs.map(\.fullString),
                manufacturerData: advertisement.manufacturerData.mapValues { [UInt8]($0) }
            )
        }
        guard let generation = likely.first else { return nil }
        self = generation
    }
}
