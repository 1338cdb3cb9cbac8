import Glibc

/// The address of a message bus.
public enum ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The system bus. Its address is `DBUS_SYSTEM_BUS_ADDRESS`, or the well-known socket if that is not set.
    case system
    /// Another bus, by its D-Bus address, such as `unix:path=/run/user/1000/bus`.
    case address(String)

    /// The address in libdbus's format.
    public var description: String {
        switch self {
        case .address(let address): address
        case .system: Self.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
        }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
