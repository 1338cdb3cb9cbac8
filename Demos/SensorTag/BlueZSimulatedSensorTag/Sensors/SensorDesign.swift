import BlueZSimulator

/// The fixed properties of one of a tag's sensors (TI SensorTag User Guide; firmware for the rest).
struct SensorDesign: Sendable {
    /// The unit of the period characteristic: 10 ms.
    static let periodUnit = Duration.milliseconds(10)

    /// The class that measures.
    let sensor: Sensor.Type
    /// The service's 16-bit number in TI's UUIDs. Data and configuration are the next two.
    let service: UInt16
    /// Its name in the user description.
    let name: String
    /// The length of the data in bytes.
    let length: Int
    /// The period's characteristic; nil if the firmware has none.
    var period: UInt16?
    /// The calibration's characteristic.
    var calibration: UInt16?
    /// The initial configuration, with the sensor off. Others of its length are accepted.
    var initialConfiguration: [UInt8] = [0]
    /// Whether every write of the configuration leaves zeros in the data, not only the one that turns it off.
    var clearsOnConfiguration = false
    /// The shortest period, in units.
    var minimumPeriod: UInt8 = 10
    /// The initial period, in units.
    var defaultPeriod: UInt8 = 100
    /// Whether the first value takes a period and 275 ms, not only the measuring time.
    var isSlowToStart = false
    /// The time that measuring adds to the period.
    var measuring = Duration.zero
    /// Whether the period reads as the default after turning off (firmware 1.3: accelerometer and magnetometer).
    var forgetsPeriod = false

    var data: UInt16 { service + 1 }
    var configuration: UInt16 { service + 2 }
    var initialPeriod: Duration { Self.periodUnit * Int(defaultPeriod) }

    /// The service from the firmware's attribute table.
    var specification: ServiceSpecification {
        var characteristics = [
            CharacteristicSpecification(
                .ti(data), [.read, .notify], value: [UInt8](repeating: 0, count: length),
                descriptors: [
                    DescriptorSpecification(0x2902, isWritable: true), description("Data"),
                ]
            ),
            CharacteristicSpecification(
                .ti(configuration), [.read, .write], value: initialConfiguration,
                descriptors: [description("Conf.")]
            ),
        ]
        if let calibration {
            characteristics.append(
                CharacteristicSpecification(
                    .ti(calibration), .read, value: [UInt8](repeating: 0, count: 16),
                    descriptors: [description("Cal.")]
                )
            )
        }
        if let period {
            characteristics.append(
                CharacteristicSpecification(
                    .ti(period), [.read, .write], value: [defaultPeriod],
                    descriptors: [description("Period")]
                )
            )
        }
        return ServiceSpecification(.ti(service), characteristics: characteristics)
    }

    private func description(_ role: String) -> DescriptorSpecification {
        DescriptorSpecification(0x2901, value: Array("\(name) \(role)".utf8))
    }
}

extension BluetoothUUID {
    /// `F000xxxx-0451-4000-B000-000000000000`
    static func ti(_ number: UInt16) -> BluetoothUUID {
        let digits = String(number, radix: 16)
        return BluetoothUUID(
            stringLiteral: "f000" + String(repeating: "0", count: 4 - digits.count) + digits
                + "-0451-4000-b000-000000000000"
        )
    }
}
