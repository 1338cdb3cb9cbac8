import BlueZSimulator

extension ServiceSpecification {
    /// Returns the Device Information service (0x180A), with a characteristic for each text that is not nil.
    public static func deviceInformation(
        manufacturer: String? = nil,
        modelNumber: String? = nil,
        serialNumber: String? = nil,
        firmwareRevision: String? = nil,
        hardwareRevision: String? = nil
    ) -> ServiceSpecification {
        let texts: KeyValuePairs<BluetoothUUID, String?> = [
            0x2A29: manufacturer, 0x2A24: modelNumber, 0x2A25: serialNumber, 0x2A26: firmwareRevision,
            0x2A27: hardwareRevision,
        ]
        let characteristics = texts.compactMap { uuid, text in
            text.map { CharacteristicSpecification(uuid, .read, value: Array($0.utf8)) }
        }
        return ServiceSpecification(0x180A, characteristics: characteristics)
    }
}
