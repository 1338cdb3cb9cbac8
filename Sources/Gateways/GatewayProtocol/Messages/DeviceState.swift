/// A device's properties in the gateway's bluetoothd. A missing property is unchanged in an event, and unknown in a
/// response.
package struct DeviceState: Codable, Hashable, Sendable {
    package var name: String?
    package var paired: Bool?
    package var bonded: Bool?
    package var trusted: Bool?
    package var appearance: UInt16?
    /// The modalias, such as "bluetooth:v000Dp0000d0110".
    package var modalias: String?
    /// The charge in percent.
    package var battery: Int?

    package init(
        name: String? = nil, paired: Bool? = nil, bonded: Bool? = nil, trusted: Bool? = nil, appearance: UInt16? = nil,
        modalias: String? = nil, battery: Int? = nil
    ) {
        self.name = name
        self.paired = paired
        self.bonded = bonded
        self.trusted = trusted
        self.appearance = appearance
        self.modalias = modalias
        self.battery = battery
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(ShortText.self, forKey: .name)?.string
        paired = try container.decodeIfPresent(Bool.self, forKey: .paired)
        bonded = try container.decodeIfPresent(Bool.self, forKey: .bonded)
        trusted = try container.decodeIfPresent(Bool.self, forKey: .trusted)
        appearance = try container.decodeIfPresent(UInt16.self, forKey: .appearance)
        modalias = try container.decodeIfPresent(ShortText.self, forKey: .modalias)?.string
        battery = try container.decodeIfPresent(Int.self, forKey: .battery)
        guard battery.map({ (0...100).contains($0) }) ?? true else {
            throw container.corrupted(.battery, "the charge is a percentage")
        }
    }
}
