import DBus

/// Where a message bus listens: the system bus, or any other by its D-Bus address.
public enum BusAddress: Hashable, Sendable, CustomStringConvertible {
    /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, otherwise the well-known socket.
    case system
    /// Any bus by its D-Bus address, such as `unix:path=/run/user/1000/bus`; for instance that of a simulator.
    case address(String)

    /// The address for the D-Bus library.
    package var server: ServerAddress {
        switch self {
        case .system: .system
        case .address(let address): .address(address)
        }
    }

    /// The address as D-Bus writes it.
    public var description: String { server.description }
}
