import CoreBlueZ

/// What `gatt connect` was given for devices, with their addresses, in the user's state directory. bluetoothd replaces the
/// name that a device advertises by the one that it reads from the device (profiles/gap/gas.c: read_device_name_cb), so a
/// later command would not find the device by the name that just worked.
enum ConnectedNames {
    private struct Content: Codable {
        struct Device: Codable {
            var name: String
            var address: BluetoothAddress
        }

        /// The latest one last.
        var devices: [Device] = []
    }

    /// More would be forgotten devices: an entry has no meaning without a link.
    private static let limit = 100
    /// In bytes: any name of a device has at most 248.
    private static let lengthLimit = 1024

    private static var file: StateFile<Content> {
        StateFile("\(StateDirectory.path(of: "gatt"))/connected.json", of: "names of connected devices")
    }

    /// The address of the device that was connected by this name.
    static func address(of name: String) throws(BluetoothError) -> BluetoothAddress? {
        try file.read()?.devices.last { $0.name == name }?.address
    }

    static func keep(_ name: String, _ address: BluetoothAddress) throws(BluetoothError) {
        guard name.utf8.count <= lengthLimit else { return }
        _ = try file.update(from: Content()) { content in
            content.devices.removeAll { $0.name == name }
            content.devices.append(Content.Device(name: name, address: address))
            content.devices = content.devices.suffix(limit)
        }
    }
}
