import BlueZSimulator

extension FakeTag {
    nonisolated static let address = "BC:6A:29:AB:CD:EF"

    nonisolated static func specification(_ model: Model) -> PeripheralSpecification {
        let name =
            switch model {
            case .cc2541, .stranger: "SensorTag"
            case .cc2650: "CC2650 SensorTag"
            }
        return PeripheralSpecification(
            name: name, address: address, services: services(model))
    }

    private nonisolated static func services(_ model: Model) -> [ServiceSpecification] {
        switch model {
        case .stranger: [ServiceSpecification(0x180F, characteristics: [CharacteristicSpecification(0x2A19, .read)])]
        case .cc2541(let firmware):
            ["aa0", "aa1", "aa2", "aa3", "aa5"].map { service in
                let hasPeriod = firmware.hasPrefix("1.5") || ["aa1", "aa3"].contains(service)
                return sensor(service, ["1", "2"] + (hasPeriod ? ["3"] : []))
            } + [sensor("aa4", ["1", "2", "3"] + (firmware.hasPrefix("1.5") ? ["4"] : []))] + common(firmware)
        case .cc2650(let firmware):
            ["aa0", "aa2", "aa7", "aa8"].map { sensor($0, ["1", "2", "3"]) }
                + [sensor("aa4", ["1", "2", "4"]), io] + common(firmware)
        }
    }

    private nonisolated static func sensor(_ prefix: String, _ numbers: [String]) -> ServiceSpecification {
        ServiceSpecification(
            uuid(prefix + "0"),
            characteristics: numbers.map { number in
                switch (prefix, number) {
                case (_, "1"): CharacteristicSpecification(uuid(prefix + number), [.read, .notify])
                case ("aa4", "3"):
                    CharacteristicSpecification(
                        uuid(prefix + number), .read, value: [UInt8](repeating: 0, count: 16))
                default: CharacteristicSpecification(uuid(prefix + number), [.read, .write], value: [0])
                }
            }
        )
    }

    private nonisolated static let io = ServiceSpecification(
        uuid("aa64"),
        characteristics: ["aa65", "aa66"].map {
            CharacteristicSpecification(uuid($0), [.read, .write], value: [0x7F])
        }
    )

    private nonisolated static func common(_ firmware: String) -> [ServiceSpecification] {
        [
            ServiceSpecification(0xFFE0, characteristics: [CharacteristicSpecification(0xFFE1, .notify)]),
            ServiceSpecification(
                0x180A,
                characteristics: [
                    CharacteristicSpecification(0x2A24, .read, value: Array("N.A.\0".utf8)),
                    CharacteristicSpecification(0x2A26, .read, value: Array(firmware.utf8)),
                    CharacteristicSpecification(0x2A29, .read, value: Array("Texas Instruments".utf8)),
                    CharacteristicSpecification(0x2A23, .read, value: [0xA0, 0xA1, 0xA2, 0, 0, 0xA3, 0xA4, 0xA5]),
                    CharacteristicSpecification(0x2A50, .read, value: [1, 0x0D, 0, 0, 0, 0x10, 1]),
                ]
            ),
        ]
    }

    private nonisolated static func uuid(_ short: String) -> BluetoothUUID {
        BluetoothUUID("f000\(short)-0451-4000-b000-000000000000") ?? 0
    }
}
