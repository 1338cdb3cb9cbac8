import CoreBlueZ

/// A serial port over GATT: which characteristics of which service carry the bytes, and how.
///
/// Makers name the two "Rx" and "Tx" from the device's point of view: it receives on Rx what a central writes, and
/// transmits notifications on Tx. Here they are named after the central's actions.
public struct SerialProfile: Hashable, Sendable {
    /// The name of the profile in messages.
    public var name: String
    /// The service.
    public var service: BluetoothUUID
    /// The characteristic that a central writes.
    public var write: BluetoothUUID
    /// The characteristic that a central subscribes to; it may be the one that is written.
    public var notify: BluetoothUUID
    /// The characteristic that switches between the stream and commands, if the profile has one.
    public var mode: BluetoothUUID?
    /// The characteristic that notifies of events in addition to the stream, if the profile has one.
    public var events: BluetoothUUID?
    /// More services and characteristics that a device must have to be recognized: for profiles without unique UUIDs.
    public var companions: Set<BluetoothUUID>
    /// The terminator of commands to such devices.
    public var terminator: String
    /// How many bytes the device takes in one packet; nil means as many as the link takes, which is the MTU minus 3.
    /// The link's limit applies in any case.
    public var packetSize: Int?

    /// Makes a profile.
    public init(
        name: String,
        service: BluetoothUUID,
        write: BluetoothUUID,
        notify: BluetoothUUID,
        mode: BluetoothUUID? = nil,
        events: BluetoothUUID? = nil,
        companions: Set<BluetoothUUID> = [],
        terminator: String = "",
        packetSize: Int? = nil
    ) {
        self.name = name
        self.service = service
        self.write = write
        self.notify = notify
        self.mode = mode
        self.events = events
        self.companions = companions
        self.terminator = terminator
        self.packetSize = packetSize
    }
}
