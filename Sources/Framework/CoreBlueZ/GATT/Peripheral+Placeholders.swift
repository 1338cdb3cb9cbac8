extension Peripheral {
    /// Returns the first service with a UUID, or a placeholder. Every request to a placeholder fails with
    /// `BluetoothError.Code.notDiscovered`, and the message says what is missing. So a chain of names always reaches
    /// its completion, or throws:
    ///
    /// ```swift
    /// tag.service(0x180A).characteristic(0x2A29).readValue { value, error in … }
    /// ```
    ///
    /// The subscripts return nil instead.
    public func service(_ uuid: BluetoothUUID) -> Service {
        self[uuid] ?? missing(uuid.description, uuid)
    }

    /// Returns the declared service with a name, or a placeholder; see `service(_:)` with a UUID.
    public func service(_ name: String) -> Service {
        self[name] ?? missing(name, BluetoothUUID(name) ?? .none)
    }

    private func missing(_ name: String, _ uuid: BluetoothUUID) -> Service {
        let service = Service(name: name, uuid: uuid)
        service.peripheral = self
        let known = services.map(\.name).joined(separator: ", ")
        let text = known.isEmpty ? "none is known yet" : "it has \(known)"
        service.absence = "the peripheral has no service \(name); \(text)"
        return service
    }
}

extension Service {
    /// Returns the first characteristic with a UUID, or a placeholder. Every request to a placeholder fails with
    /// `BluetoothError.Code.notDiscovered`, and the message says what is missing. The subscript returns nil instead.
    public func characteristic(_ uuid: BluetoothUUID) -> Characteristic {
        self[uuid] ?? missing(uuid.description, uuid)
    }

    /// Returns the characteristic with a name, or a placeholder; see `characteristic(_:)` with a UUID.
    public func characteristic(_ name: String) -> Characteristic {
        self[name] ?? missing(name, BluetoothUUID(name) ?? .none)
    }

    private func missing(_ name: String, _ uuid: BluetoothUUID) -> Characteristic {
        let characteristic = Characteristic(name: name, uuid: uuid, service: self)
        let known = characteristics.map(\.name).joined(separator: ", ")
        let text = known.isEmpty ? "none is known yet" : "it has \(known)"
        characteristic.placeholder = .init(
            service: self, absence: absence ?? "the service \(self.name) has no characteristic \(name); \(text)")
        return characteristic
    }
}

extension BluetoothUUID {
    /// The UUID of the placeholder for a missing attribute that was looked up by a name.
    fileprivate static var none: BluetoothUUID { BluetoothUUID(high: 0, low: 0) }
}
