import CoreBlueZ
import GatewayProtocol

/// The properties of a gateway.
public struct GatewayConfiguration: Hashable, Sendable {
    /// The gateway's name, a level of its topics. Only one gateway of a name may be online.
    public var name: GatewayName
    /// The levels of the topics before the version: names of the same form, separated by `/`.
    public var prefix = "corebluez"
    /// The message bus of bluetoothd.
    public var bus = BusAddress.system
    /// The adapter's name ("hci0") or address; nil for the first one that is on.
    public var adapter: String?
    /// The file for the leases. It must survive the gateway, but not the machine's next start: use a directory below
    /// `/run`. The gateway makes the file with mode 0600, and its directory with mode 0700.
    public var stateFile: String
    /// How many links the gateway offers, at most 64. Many controllers can hold ten.
    public var slots = 10
    /// The devices that the gateway reports and connects to; nil allows all.
    public var allowed: Set<BluetoothAddress>?
    /// How often an advertisement that does not change is published.
    public var repetition: Duration = .seconds(10)
    /// The shortest time between two advertisements of a device with different data or signal strength.
    public var interval: Duration = .seconds(1)
    /// By how many decibels the signal strength must change to be published.
    public var rssiStep = 8
    /// How many advertisements are published per second.
    public var advertisementRate = 100

    /// Makes a configuration with the usual limits.
    public init(name: GatewayName, stateFile: String) {
        self.name = name
        self.stateFile = stateFile
    }
}
