import BlueZSimulator

extension SensorTagModel {
    /// What a tag of this model is made of: what it advertises and its whole GATT database.
    ///
    /// Over-the-air download, and the register service of the second generation, are left out.
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

    /// Limited discoverable. The name and the power are in the scan response; the first generation has nothing else to
    /// be found by.
    private var advertisement: AdvertisingData {
        if isFirstGeneration { return AdvertisingData(flags: 0x05, localName: "SensorTag", txPower: 0) }
        return AdvertisingData(
            flags: 0x05,
            localName: "CC2650 SensorTag",
            serviceUUIDs: [0x180F],
            manufacturerData: [0x000D: [0x03, 0x00, 0x00]],
            txPower: 0
        )
    }

    private func services(address: String) -> [ServiceSpecification] {
        var services = [deviceInformation(address: address)] + designs.map(\.specification)
        services.append(
            ServiceSpecification(
                0xFFE0,
                characteristics: [
                    CharacteristicSpecification(
                        0xFFE1, .notify, value: [0],
                        descriptors: [
                            DescriptorSpecification(0x2902, isWritable: true),
                            DescriptorSpecification(0x2901, value: Array("Key Press State".utf8)),
                        ]
                    )
                ]
            )
        )
        if isFirstGeneration { services.append(Self.selfTest) } else { services += [Self.inputOutput, Self.battery] }
        if self != .cc2541Firmware1_3 { services.append(ConnectionControl.specification) }
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

    private static let inputOutput = ServiceSpecification(
        .ti(InputOutput.service),
        characteristics: [
            CharacteristicSpecification(
                .ti(InputOutput.data), [.read, .write], value: [InputOutput.selfTest],
                descriptors: [DescriptorSpecification(0x2901, value: Array("IO Data".utf8))]
            ),
            CharacteristicSpecification(
                .ti(InputOutput.configuration), [.read, .write], value: [0],
                descriptors: [DescriptorSpecification(0x2901, value: Array("IO Config".utf8))]
            ),
        ]
    )

    private static let battery = ServiceSpecification(
        0x180F, characteristics: [CharacteristicSpecification(0x2A19, [.read, .notify], value: [91])])
}
