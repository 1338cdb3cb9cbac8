import BluetoothValues
import FoundationEssentials
import GatewayProtocol
import JSONLine

/// The gateways at a broker, and the devices that they hear, as an observer learned them.
public struct FleetReport: Hashable, Sendable {
    /// A gateway.
    public struct Gateway: Hashable, Sendable, Encodable {
        /// Whether the gateway can be used.
        public enum State: String, Hashable, Sendable, Encodable {
            /// It is connected to the broker.
            case online
            /// It is not connected to the broker.
            case offline
            /// It speaks another version of the protocol, so fleets ignore it.
            case otherVersion = "other version"
        }

        /// Its name.
        public var gateway: String
        /// Whether it can be used.
        public var state: State
        /// Whether its Bluetooth is on; nil if it is not online.
        public var powered: Bool?
        /// The address of its adapter; nil without one.
        public var adapter: BluetoothAddress?
        /// Its program, such as "CoreBlueZ 0.1.0". It comes from the gateway: escape it to print it.
        public var software: String?
        /// How many links it offers.
        public var slots: Int?
        /// How many of them are free.
        public var free: Int?
        /// The devices that it is connected to, or connects to now.
        public var links: [BluetoothAddress]
    }

    /// A device that a gateway hears or is connected to.
    public struct Device: Hashable, Sendable, Encodable {
        /// Its address.
        public var device: BluetoothAddress
        /// Its name, if it sends one. It comes over the air: escape it to print it.
        public var name: String?
        /// The gateways that hear it, the best first.
        public var heard: [Hearing] = []
        /// The names of the gateways that are connected to it, or connect to it now.
        public var links: [String] = []
    }

    /// A gateway that hears a device.
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

    /// A line of JSON for each gateway, then for each device.
    ///
    /// - Throws: nothing that occurs: all values exist in JSON.
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
            adapter: isOnline ? status?.adapter : nil, software: isOnline ? status?.software : nil,
            slots: isOnline ? status?.slots : nil, free: isOnline ? status?.free : nil,
            links: isOnline ? status?.links ?? [] : [])
    }
}
