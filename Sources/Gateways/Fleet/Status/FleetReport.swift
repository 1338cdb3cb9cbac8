import BlueZJSONLine
import BlueZValues
import FoundationEssentials
import GatewayProtocol

/// A report of the gateways that are connected to a broker, and of the devices that they receive.
public struct FleetReport: Hashable, Sendable {
    /// A gateway, with its status.
    public struct Gateway: Hashable, Sendable, Encodable {
        /// Whether the gateway can be used.
        public enum State: String, Hashable, Sendable, Encodable {
            /// The gateway is connected to the broker.
            case online
            /// The gateway is not connected to the broker.
            case offline
            /// The gateway uses another version of the protocol, so fleets ignore it.
            case otherVersion = "other version"
        }

        /// The gateway's name.
        public var gateway: String
        /// Whether the gateway can be used.
        public var state: State
        /// Whether the gateway's Bluetooth is on; nil if the gateway is not online.
        public var powered: Bool?
        /// The address of the gateway's adapter, or nil if it has none.
        public var adapter: BluetoothAddress?
        /// The gateway's program, such as "CoreBlueZ 0.1.0". Escape it before you print it, because the gateway sends
        /// it.
        public var software: String?
        /// The number of links that the gateway offers.
        public var slots: Int?
        /// The number of free links.
        public var free: Int?
        /// The devices to which the gateway is connected or is connecting.
        public var links: [BluetoothAddress]
    }

    /// A device that a gateway receives or is connected to.
    public struct Device: Hashable, Sendable, Encodable {
        /// The device's address.
        public var device: BluetoothAddress
        /// The device's name, if it sends one. Escape it before you print it, because it comes over the air.
        public var name: String?
        /// The gateways that receive the device, the best first.
        public var heard: [Hearing] = []
        /// The names of the gateways that are connected or connecting to the device.
        public var links: [String] = []
    }

    /// A gateway that receives a device.
    public struct Hearing: Hashable, Sendable, Encodable {
        /// The gateway's name.
        public var gateway: String
        /// The signal strength in dBm; nil if it is not known.
        public var rssi: Int?
    }

    /// The gateways, by name.
    public var gateways: [Gateway]
    /// The devices, by address.
    public var devices: [Device]

    /// Returns a line of JSON for each gateway, and then for each device.
    ///
    /// - Throws: nothing in practice, because JSON can represent all values.
    public func jsonLines() throws -> [String] {
        try gateways.map { try JSONLine.text($0) } + devices.map { try JSONLine.text($0) }
    }
}

extension FleetReport.Gateway {
    init(_ name: GatewayName, _ status: GatewayStatus?, otherVersion: String?) {
        let isOnline = otherVersion == nil && status?.state == .online
        self.init(
            gateway: name.description,
            state: otherVersion != nil ? .otherVersion : isOnline ? .online : .offline,
            powered: isOnline ? status?.powered ?? true : nil,
            adapter: isOnline ? status?.adapter : nil, software: isOnline ? status?.software?.string : nil,
            slots: isOnline ? status?.slots : nil, free: isOnline ? status?.free : nil,
            links: isOnline ? status?.links ?? [] : [])
    }
}
