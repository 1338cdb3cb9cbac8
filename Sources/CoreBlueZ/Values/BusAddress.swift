import DBus

/// Where a message bus listens: the system bus, or any other by its D-Bus address.
public typealias BusAddress = DBus.BusAddress
