import BlueZDBus
import GatewayProtocol

/// The properties of a fleet.
public struct FleetConfiguration: Hashable, Sendable {
    /// The way in which gateways appear as adapters on the bus.
    public enum Adapters: String, Hashable, Sendable, CaseIterable {
        /// One adapter per gateway, with the gateway's name. The first gateway that appears is hci0. An adapter is
        /// unplugged while its gateway is offline.
        case each
        /// One adapter for all gateways. Each device belongs to the gateway that receives it best. It changes only if
        /// another gateway is 6 dB better for 5 s. A connection uses the best gateway with a free link.
        case one
    }

    /// The fleet's name among the clients of the broker, of at most 55 characters. Eight random digits are added at each
    /// start.
    public var name: GatewayName
    /// The levels of the topics before the version, which are names of the same form, separated by `/`; `corebluez` by
    /// default.
    public var prefix = "corebluez"
    /// The adapters on the bus; by default, one for all gateways.
    public var adapters = Adapters.one
    /// How long a gateway reserves a device for this fleet without a message from it: 1 s to 600 s, by default 15 s.
    /// The fleet renews its leases three times as often.
    public var lease: Duration = .seconds(15)
    /// Whether the bus has the properties that bluetoothd offers only with `--experimental`; false by default.
    public var isExperimental = false

    package var timeouts = FleetTimeouts()
    /// The maximum number of gateways.
    package var gatewayLimit = GatewayLimits.gateways

    /// Creates a configuration with one adapter for all gateways.
    public init(name: GatewayName) {
        self.name = name
    }
}

/// The timeouts of requests.
package struct FleetTimeouts: Hashable, Sendable {
    /// The timeout for connecting, which is the time that bluetoothd waits for an advertisement.
    package var connect: Duration = .seconds(40)
    package var discover: Duration = .seconds(40)
    /// The timeout for values. It is longer than bluetoothd's limit of 30 s for an ATT transaction and for a device
    /// that requires pairing, so that bluetoothd's reason arrives first. It is shorter than the 35 s that CoreBlueZ
    /// waits for bluetoothd on the fleet's bus.
    package var value: Duration = .seconds(33)
    package var pair: Duration = .seconds(60)
    package var disconnect: Duration = .seconds(8)
    package var hello: Duration = .seconds(5)
    /// The maximum age of the latest reading of a gateway's clock.
    package var clock: Duration = .seconds(20)
    /// How long a gateway may be offline before its links are lost. While it reconnects, it is offline for a moment.
    package var absence: Duration = .seconds(2)
    /// How long a new link may wait for its first renewal.
    package var confirmation: Duration = .seconds(5)
}
