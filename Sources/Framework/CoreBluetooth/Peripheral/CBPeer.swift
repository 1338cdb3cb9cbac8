/// The base class of devices at the other end of a link.
open class CBPeer: NSObject, NSCopying {
    private let number: UUID

    init(_ identifier: UUID) {
        number = identifier
    }

    /// The identifier of the device: a UUID of version 5 from the addresses of the adapter and of the device. It stays
    /// the same between runs. A device with private addresses has a new one whenever its address changes, until it is
    /// paired.
    open var identifier: UUID { number }

    /// Returns the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
