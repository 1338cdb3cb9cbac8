import CoreBlueZ

/// The devices to choose from, numbered in the order in which they were found.
struct DeviceList {
    private var devices: [(address: BluetoothAddress, text: String)] = []

    /// Adds what is known of a device.
    ///
    /// - Returns: the line to show; nil if it was shown already.
    mutating func add(_ address: BluetoothAddress, name: String?, note: String) -> String? {
        let text = [address.description, name ?? "", note].joined(separator: "  ")
        let index = devices.firstIndex { $0.address == address } ?? devices.count
        if index == devices.count {
            devices.append((address, text))
        } else if devices[index].text == text || name == nil {
            return nil
        } else {
            devices[index].text = text
        }
        let number = "\(index + 1)"
        return String(repeating: " ", count: max(0, 3 - number.count)) + number + "  " + text
    }

    /// The device with the typed number.
    func device(_ line: String) -> BluetoothAddress? {
        guard let number = Int(line.filter { $0 != " " }), devices.indices.contains(number - 1) else { return nil }
        return devices[number - 1].address
    }
}
