import CoreBlueZ
import GatewayProtocol

/// The properties of a gateway.
public struct GatewayConfiguration: Hashable, Sendable {
    /// The gateway's name, which is a level of its topics. Only one gateway with a name can be online.
    public var name: GatewayName
    /// The levels of the topics before the version, which are names of the same form, separated by `/`; `corebluez` by
    /// default.
    public var prefix = "corebluez"
    /// The message bus of bluetoothd; the system bus by default.
    public var bus = BusAddress.system
    /// The adapter's name ("hci0") or address. Nil, the default, uses the first adapter that is on.
    public var adapter: String?
    /// The file for the leases. It must survive the gateway, but not the next start of the machine, so use a directory
    /// below `/run`. The gateway creates the file with mode 0600, and its directory with mode 0700.
    public var stateFile: String
    /// The number of links that the gateway offers: at most 64, by default 10, which many controllers support.
    public var slots = 10
    /// The devices that the gateway reports and connects. Nil, the default, allows all.
    public var allowed: Set<BluetoothAddress>?
    /// The time after which an unchanged advertisement is published again; 10 s by default.
    public var repetition: Duration = .seconds(10)
    /// The shortest time between two different advertisements of a device; 1 s by default.
    public var interval: Duration = .seconds(1)
    /// The change of the signal strength, in dB, that is published; 8 by default.
    public var rssiStep = 8
    /// The maximum number of advertisements that are published per second; 100 by default.
    public var advertisementRate = 100

    /// Creates a configuration with the default limits.
    public init(name: GatewayName, stateFile: String) {
        self.name = name
        self.stateFile = stateFile
    }
}
