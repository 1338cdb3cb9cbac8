import FoundationEssentials

extension Service {
    /// Declares a characteristic whose UUID is the base UUID plus `offset`, added as 128-bit numbers.
    @discardableResult
    public func addCharacteristic(_ name: String, adding offset: UInt64) -> Characteristic {
        addCharacteristic(name, uuid: base.declaring(adding: offset))
    }

    /// Whether discovery has found the service and all of its declared characteristics on the current link. False when
    /// the link has ended, until services are discovered again, even if bluetoothd still knows them.
    public var isEnabled: Bool {
        peripheral?.hasDiscoveredServices == true && isDiscovered
            && characteristics.allSatisfy { !$0.isDeclared || $0.isDiscovered }
    }

    /// The UUIDs of the characteristics, declared or discovered.
    public var characteristicUUIDs: [BluetoothUUID] { characteristics.map(\.uuid) }

    /// Returns the UUIDs of the characteristics with these names, in the same order, for `discoverCharacteristics`.
    /// Unknown names are left out.
    public func characteristicUUIDs(named names: [String]) -> [BluetoothUUID] {
        names.compactMap { name in characteristics.first { $0.name == name }?.uuid }
    }
}
