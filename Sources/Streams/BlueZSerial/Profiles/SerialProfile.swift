import CoreBlueZ

/// A kind of serial port over GATT: the service and the characteristics that carry the bytes, and how they do.
///
/// Makers name the two characteristics "Rx" and "Tx" from the device's point of view: it receives on Rx what a central
/// writes, and transmits notifications on Tx. Here they are named after the central's actions.
public struct SerialProfile: Hashable, Sendable {
    /// The name of the profile in messages.
    public var name: String
    /// The UUID of the service.
    public var service: BluetoothUUID
    /// The UUID of the characteristic that a central writes.
    public var write: BluetoothUUID
    /// The UUID of the characteristic that a central subscribes to. It may be the same as `write`.
    public var notify: BluetoothUUID
    /// The UUID of the service of `notify`, if it is another one than `service`; otherwise nil.
    public var notifyService: BluetoothUUID?
    /// The handle of `write`, if the device has several such characteristics. Nil means the first that can be written.
    public var writeHandle: UInt16?
    /// The handle of `notify`, if the device has several such characteristics. Nil means the first that notifies.
    public var notifyHandle: UInt16?
    /// The UUID of the characteristic that switches between the stream and commands, or nil.
    public var mode: BluetoothUUID?
    /// The UUID of the characteristic that notifies events in addition to the stream, or nil.
    public var events: BluetoothUUID?
    /// The UUIDs of further services and characteristics that a device must have to be recognized. For profiles without
    /// unique UUIDs.
    public var companions: Set<BluetoothUUID>
    /// The terminator of commands to such devices, such as "\r\n"; empty if there is none.
    public var terminator: String
    /// The greatest length of a packet in bytes that the device accepts. Nil means the link's limit, which is the MTU
    /// minus 3 and applies in any case.
    public var packetSize: Int?

    /// Creates a profile.
    public init(
        name: String,
        service: BluetoothUUID,
        write: BluetoothUUID,
        notify: BluetoothUUID,
        notifyService: BluetoothUUID? = nil,
        writeHandle: UInt16? = nil,
        notifyHandle: UInt16? = nil,
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
        self.notifyService = notifyService
        self.writeHandle = writeHandle
        self.notifyHandle = notifyHandle
        self.mode = mode
        self.events = events
        self.companions = companions
        self.terminator = terminator
        self.packetSize = packetSize
    }
}
