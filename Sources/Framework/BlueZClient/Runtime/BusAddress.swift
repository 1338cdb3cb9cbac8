import BlueZDBus

/// The address of a message bus: the system bus, or any other bus.
public enum BusAddress: Hashable, Sendable, CustomStringConvertible {
    /// The system bus. Its address is `DBUS_SYSTEM_BUS_ADDRESS`, or the well-known socket if that is not set.
    case system
    /// Another bus, by its D-Bus address, such as `unix:path=/run/user/1000/bus`, or that of a simulator.
    case address(String)

    /// The address for the D-Bus library.
    package var server: ServerAddress {
        switch self {
        case .system: .system
        case .address(let address): .address(address)
        }
    }

    /// The address in D-Bus's notation.
    public var description: String { server.description }
}
