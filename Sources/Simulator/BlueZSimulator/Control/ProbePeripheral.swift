import BlueZPrintableText

/// The peripheral of the contract suite, with one characteristic for each behaviour that a test of a central needs.
///
/// All UUIDs are `C0B1xxxx-7A6B-4D5E-8F90-1A2B3C4D5E6F`. The service 0000 has 0001 echo (read, both writes, descriptors
/// 2901 and 0008), 0002 long (400 bytes, byte i is i modulo 251), 0003 updates (notify), 0004 confirmations (indicate),
/// 0005 sink (write), 0006 commands (write without response), 0007 (read, "ready"). The service 0010 exists twice, with
/// 0011 of 1 and 2. The service 0020 has 0021 ("paired", for paired centrals) and 0022 ("compared", for centrals that
/// compared or typed a number). The service 0030 includes 0000, and has 0031 (reliable writes).
public enum ProbePeripheral {
    /// Returns the probe's UUID with the 16-bit number.
    public static func uuid(_ number: UInt16) -> BluetoothUUID {
        BluetoothUUID(stringLiteral: "c0b1\(String(hexadecimal: number, digits: 4))-7a6b-4d5e-8f90-1a2b3c4d5e6f")
    }

    /// The probe's specification. Its MTU of 247 makes a central read the long value in several requests.
    public static let specification = PeripheralSpecification(
        name: "CoreBlueZ Probe",
        address: "BC:6A:29:AB:AB:51",
        advertisement: AdvertisementData(
            localName: "CoreBlueZ Probe", serviceUUIDs: [uuid(0)], manufacturerData: [0xFFFF: [1, 2, 3]]),
        maximumMTU: 247,
        services: [main, twin(1), twin(2), secure, extended]
    )

    private static let main = ServiceSpecification(
        uuid(0),
        characteristics: [
            CharacteristicSpecification(
                uuid(1), [.read, .write, .writeWithoutResponse], value: [1, 2, 3],
                descriptors: [
                    DescriptorSpecification(0x2901, value: Array("Echo".utf8)),
                    DescriptorSpecification(uuid(8), value: [0xAA, 0x55], isWritable: true),
                ]
            ),
            CharacteristicSpecification(uuid(2), .read, value: (0..<400).map { UInt8($0 % 251) }),
            CharacteristicSpecification(uuid(3), [.read, .notify], value: [0]),
            CharacteristicSpecification(uuid(4), [.read, .indicate], value: [0]),
            CharacteristicSpecification(uuid(5), .write),
            CharacteristicSpecification(uuid(6), .writeWithoutResponse),
            CharacteristicSpecification(uuid(7), .read, value: Array("ready".utf8)),
        ]
    )

    private static let secure = ServiceSpecification(
        uuid(0x20),
        characteristics: [
            CharacteristicSpecification(
                uuid(0x21), [.read, .write], value: Array("paired".utf8), needsEncryption: true),
            CharacteristicSpecification(
                uuid(0x22), [.read, .write], value: Array("compared".utf8), needsAuthentication: true),
        ]
    )

    private static let extended = ServiceSpecification(
        uuid(0x30), includes: [uuid(0)],
        characteristics: [
            CharacteristicSpecification(
                uuid(0x31), [.read, .write, .extendedProperties, .reliableWrite], value: [0],
                descriptors: [DescriptorSpecification(0x2900, value: [1, 0])])
        ]
    )

    private static func twin(_ value: UInt8) -> ServiceSpecification {
        ServiceSpecification(
            uuid(0x10), characteristics: [CharacteristicSpecification(uuid(0x11), .read, value: [value])])
    }
}
