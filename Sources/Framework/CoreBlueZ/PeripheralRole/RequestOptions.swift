import BlueZDBus

/// The options with which bluetoothd calls ReadValue, WriteValue, AcquireNotify and AcquireWrite (src/gatt-database.c:
/// append_options). The kind of a write is not among them.
struct RequestOptions {
    private(set) var device: ObjectPath?
    private(set) var offset = 0
    private(set) var mtu: Int?
    private(set) var transport: BluetoothTransport?
    private(set) var isAuthorization = false

    /// No options, for a write of which only the value is known.
    init() {}

    /// Reads the options. Unknown ones are skipped.
    init(_ reader: MessageReader) {
        var reader = reader
        do throws(DBusError) {
            try reader.readVariants { (name, value) throws(DBusError) in
                switch name {
                case "device": device = try value.readObjectPath()
                case "offset": offset = Int(try value.readUInt16())
                case "mtu": mtu = Int(try value.readUInt16())
                case "link": transport = try value.readText() == "LE" ? .le : .bredr
                case "prepare-authorize": isAuthorization = try value.readBoolean()
                default: break
                }
            }
        } catch {
            malformed.warn("A request of bluetoothd has malformed options", details: ["error": "\(error)"])
        }
    }

    /// How many bytes of a value a response to a read can have. A central asks for another part if it got as many.
    var lengthOfPart: Int { max(23, mtu ?? 23) - 1 }
}
