import BlueZJSONLine

/// A device's properties in the gateway's bluetoothd. A missing property is unchanged in an event, and unknown in a
/// response.
package struct DeviceState: JSONObject, Hashable {
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

    package init() {}

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("name", &name, .text(limit: GatewayLimits.name))
        keys.add("paired", &paired, .flag)
        keys.add("bonded", &bonded, .flag)
        keys.add("trusted", &trusted, .flag)
        keys.add("appearance", &appearance, .number())
        keys.add("modalias", &modalias, .text(limit: GatewayLimits.name))
        keys.add("battery", &battery, .number(from: 0, to: 100))
    }
}
