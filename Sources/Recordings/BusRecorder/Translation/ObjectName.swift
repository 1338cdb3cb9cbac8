import BlueZDBus
import BlueZValues

/// What the path of one of bluetoothd's objects names, such as
/// `/org/bluez/hci0/dev_BC_6A_29_00_00_01/service000a/char000b/desc000d` (src/gatt-client.c, src/device.c).
struct ObjectName: Hashable {
    /// An attribute of a device, by the handle of its declaration in the path.
    enum Attribute: Hashable {
        case service(UInt16)
        case characteristic(UInt16)
        case descriptor(UInt16)
    }

    /// A device of an adapter.
    struct Device: Hashable {
        let adapter: String
        let address: BluetoothAddress
    }

    /// The adapter's name, such as "hci0".
    let adapter: String
    /// The device, or that of the attribute; nil for an adapter.
    let device: Device?
    /// The attribute; nil for an adapter or a device.
    let attribute: Attribute?
    /// The handle of the characteristic of a descriptor, or of the service of a characteristic.
    let parent: UInt16?

    private static let prefixes = ["service", "char", "desc"]

    /// Nil for another path.
    init?(_ path: String) {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"))
        guard (3...7).contains(parts.count), parts[0].elementsEqual("org".utf8), parts[1].elementsEqual("bluez".utf8),
            parts[2].starts(with: "hci".utf8)
        else { return nil }
        adapter = String(Substring(parts[2]))
        guard parts.count > 3 else {
            (device, attribute, parent) = (nil, nil, nil)
            return
        }
        guard let address = BluetoothAddress(objectName: Substring(parts[3])) else { return nil }
        device = Device(adapter: adapter, address: address)
        var handles: [UInt16] = []
        for (part, prefix) in zip(parts[4...], Self.prefixes) {
            guard part.starts(with: prefix.utf8),
                let handle = UInt16(Substring(part.dropFirst(prefix.utf8.count)), radix: 16)
            else { return nil }
            handles.append(handle)
        }
        parent = handles.dropLast().last
        switch handles.count {
        case 1: attribute = .service(handles[0])
        case 2: attribute = .characteristic(handles[1])
        case 3: attribute = .descriptor(handles[2])
        default: attribute = nil
        }
    }

    /// The handle on the air of a characteristic's value or of a descriptor; nil for anything else.
    var valueHandle: UInt16? {
        switch attribute {
        case .characteristic(let handle): handle &+ 1
        case .descriptor(let handle): handle
        case .service, nil: nil
        }
    }
}
