import BlueZSimulator

extension SensorTagModel {
    /// The specification of a tag of this model: its advertisement and its whole GATT database.
    ///
    /// Over-the-air download, and the register service of the second generation, are omitted.
    public func specification(address: String? = nil) -> PeripheralSpecification {
        let address = address ?? defaultAddress
        return PeripheralSpecification(
            name: isFirstGeneration ? "TI BLE Sensor Tag\u{0}" : "CC2650 SensorTag",
            address: address,
            advertisement: advertisement,
            maximumMTU: 23,
            services: services(address: address)
        )
    }

    /// Limited discoverable. The name and the power are in the scan response, which is the only way to find the first
    /// generation.
    private var advertisement: AdvertisementData {
        if isFirstGeneration { return AdvertisementData(flags: 0x05, localName: "SensorTag", txPowerLevel: 0) }
        return AdvertisementData(
            flags: 0x05,
            localName: "CC2650 SensorTag",
            serviceUUIDs: [0x180F],
            manufacturerData: [0x000D: [0x03, 0x00, 0x00]],
            txPowerLevel: 0
        )
    }

    private func services(address: String) -> [ServiceSpecification] {
        var services = [deviceInformation(address: address)] + designs.map(\.specification)
        services.append(KeyReporter.specification)
        services +=
            isFirstGeneration ? [Self.selfTest] : [InputOutput.specification, BatteryReporter.specification]
        if !hasOldFirmware { services.append(ConnectionControl.specification) }
        return services
    }

    /// All six sensors passed; test mode is off.
    private static let selfTest = ServiceSpecification(
        .ti(0xAA60),
        characteristics: [
            CharacteristicSpecification(.ti(0xAA61), .read, value: [0x3F, 0]),
            CharacteristicSpecification(.ti(0xAA62), [.read, .write], value: [0]),
        ]
    )

    /// Device Information as in the firmware: unused texts are "N.A.", with a NUL in the first generation.
    private func deviceInformation(address: String) -> ServiceSpecification {
        let missing = isFirstGeneration ? "N.A.\u{0}" : "N.A."
        let texts: [(uuid: UInt16, text: String)] = [
            (0x2A24, isFirstGeneration ? missing : "CC2650 SensorTag"),
            (0x2A25, missing),
            (0x2A26, firmwareRevision),
            (0x2A27, missing),
            (0x2A28, missing),
            (0x2A29, "Texas Instruments"),
        ]
        let certification = [0xFE, 0x00] + Array("experimental".utf8)
        // Bluetooth SIG, Texas Instruments (0x000D), product 0, version 0x0110.
        let identifier: [UInt8] = [0x01, 0x0D, 0x00, 0x00, 0x00, 0x10, 0x01]
        let values: [(uuid: UInt16, value: [UInt8])] =
            [(0x2A23, Self.systemIdentifier(address))] + texts.map { ($0.uuid, Array($0.text.utf8)) }
            + [(0x2A2A, certification), (0x2A50, identifier)]
        return ServiceSpecification(
            0x180A,
            characteristics: values.map { CharacteristicSpecification(BluetoothUUID($0.uuid), .read, value: $0.value) }
        )
    }

    /// The address from its end, with two zeros in the middle.
    private static func systemIdentifier(_ address: String) -> [UInt8] {
        let bytes = address.split(separator: ":").reversed().compactMap { UInt8($0, radix: 16) }
        return Array(bytes.prefix(3)) + [0, 0] + bytes.dropFirst(3)
    }
}
