import BlueZClient
import BlueZDBus

extension LocalAttribute {
    /// The methods with which bluetoothd passes on reads and writes.
    var requestMethods: [ExportedInterface.Method] {
        [
            .init("ReadValue", input: "a{sv}", output: "ay") { [weak self] call in
                self?.ifFromDaemon(call) { attribute, call in attribute.receiveRead(call) }
            },
            .init("WriteValue", input: "aya{sv}") { [weak self] call in
                self?.ifFromDaemon(call) { attribute, call in attribute.receiveWrite(call) }
            },
        ]
    }

    /// Handles a call, unless it comes from another program: every program on the bus can call.
    func ifFromDaemon(_ call: IncomingCall, _ body: (LocalAttribute, IncomingCall) -> Void) {
        guard let owner = manager?.client.owner, call.sender == owner else {
            return call.fail(DBusError.Name.accessDenied, "Only bluetoothd may call this object")
        }
        body(self, call)
    }

    /// The property in which bluetoothd stores the handle that it has chosen (src/gatt-database.c: write_handle).
    var handleProperty: ExportedInterface.Property {
        .init(
            "Handle", "q",
            get: { [weak self] in .uint16(self?.requestedHandle ?? 0) },
            set: { [weak self] value, call in
                guard let self, call.sender == self.manager?.client.owner, case .uint16(let handle) = value else {
                    return call.fail(DBusError.Name.accessDenied, "Only bluetoothd may set this property")
                }
                self.handle = handle
                call.reply()
            }
        )
    }
}
