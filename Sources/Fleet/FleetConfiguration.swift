import DBus
import GatewayProtocol

/// The properties of a fleet.
public struct FleetConfiguration: Hashable, Sendable {
    /// The adapters on the bus.
    public enum Adapters: String, Hashable, Sendable, CaseIterable {
        /// An adapter for each gateway, with the gateway's name: hci0 for the first that appears. It is unplugged while
        /// its gateway is offline.
        case each
        /// One adapter for all gateways. Each device belongs to the gateway that hears it best: a change needs 6 dB
        /// more for 5 s. A connection uses the best gateway with a free link.
        case one
    }

    /// The fleet's name among the clients of the broker, of at most 55 characters. Eight random digits are added at each
    /// start.
    public var name: GatewayName
    /// The levels of the topics before the version: names of the same form, separated by `/`.
    public var prefix = "corebluez"
    /// The adapters on the bus.
    public var adapters = Adapters.one
    /// How long a gateway keeps a device for this fleet without a message from it: 1 s to 600 s. The fleet renews its
    /// leases three times as often.
    public var lease: Duration = .seconds(15)
    /// Whether the bus has the properties that bluetoothd offers only with `--experimental`.
    public var isExperimental = false

    package var timeouts = FleetTimeouts()
    /// How many gateways it has at most.
    package var gatewayLimit = GatewayLimits.gateways

    /// Makes a configuration with one adapter for all gateways.
    public init(name: GatewayName) {
        self.name = name
    }
}

/// The timeouts of requests.
package struct FleetTimeouts: Hashable, Sendable {
    /// The same as bluetoothd's wait for an advertisement.
    package var connect: Duration = .seconds(40)
    package var discover: Duration = .seconds(40)
    /// Longer than bluetoothd's limit for an ATT transaction and for a device that wants to be paired, 30 s: its reason
    /// arrives before this timeout. Shorter than the 35 s that CoreBlueZ gives bluetoothd on the fleet's bus.
    package var value: Duration = .seconds(33)
    package var pair: Duration = .seconds(60)
    package var disconnect: Duration = .seconds(8)
    package var hello: Duration = .seconds(5)
    /// How old the latest reading of a gateway's clock may be.
    package var clock: Duration = .seconds(20)
    /// How long a gateway may be offline before its links are lost: while it reconnects, it is offline for a moment.
    package var absence: Duration = .seconds(2)
    /// How long a new link may wait for its first renewal.
    package var confirmation: Duration = .seconds(5)
}
