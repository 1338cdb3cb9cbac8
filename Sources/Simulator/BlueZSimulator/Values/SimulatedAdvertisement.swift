import BlueZServer

/// An advertisement that a simulated adapter sends.
public struct SimulatedAdvertisement: Hashable, Sendable {
    /// The sender's address: the adapter's, or a random one if the advertisement is not connectable.
    public let address: String
    /// Whether the sender's address is public or random.
    public let addressType: BluetoothAddress.Kind
    /// The advertising data, with the kernel's own structures: each is its length, its type and its content.
    public let data: [UInt8]
    /// The scan response, in the same form; empty if there is none.
    public let scanResponse: [UInt8]
    /// Whether connections are accepted.
    public let isConnectable: Bool
    /// The time between two advertising events.
    public let interval: Duration

    init(_ advertisement: OutgoingAdvertisement) {
        address = advertisement.identity.address
        addressType = advertisement.identity.addressType
        data = advertisement.data
        scanResponse = advertisement.scanResponse
        isConnectable = advertisement.isConnectable
        interval = advertisement.interval
    }
}
