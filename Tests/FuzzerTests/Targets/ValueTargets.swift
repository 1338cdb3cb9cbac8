import BlueZAdvertisements
import BlueZSerial
import BlueZValues
import Foundation

@testable import BlueZSensorTag

extension FuzzTarget {
    /// The first two bytes are the number of the characteristic.
    static func testValues(_ bytes: [UInt8]) throws {
        guard bytes.count >= 2 else { return }
        let characteristic = BluetoothUUID(UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
        guard let value = try? GATTValue(bytes.dropFirst(2), of: characteristic) else { return }
        try check(Set(value.fields.map(\.name)).count == value.fields.count, "\(value) has two fields of one name")
        for field in value.fields {
            try check(value[field.name] == field, "\(field.name) is another field")
            let numbers: [GATTNumber] =
                switch field.content {
                case .number(let number): [number]
                case .numbers(let numbers): numbers
                default: []
                }
            for number in numbers {
                try check(GATTNumber("\(number)")?.double == number.double, "\(number) is read as another number")
            }
        }
    }

    static func testSensors(_ bytes: [UInt8]) throws {
        guard let calibration = try? BarometerCalibration(from: Array(bytes.prefix(16))) else { return }
        let payload = Array(bytes.dropFirst(16))
        for decoder in Decoder.all {
            guard let values = try? decoder.decode(payload, calibration) else { continue }
            let isFinite = values.allSatisfy { $0?.isFinite ?? true }
            try check(isFinite, "\(decoder.name): \(payload) with \(calibration) is \(values)")
        }
        let problem = Decoder.textProblem(payload)
        try check(problem == nil, problem ?? "")
    }

    /// The lower five bits of the first byte choose the source of the payload, and the upper three the device with its key.
    static func testPayloads(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let payload = Data(bytes.dropFirst())
        let (text, digits) = devices[Int(first >> 5) % devices.count]
        var keys = AdvertisementKeys()
        keys.set(bindKey: [UInt8](hexadecimal: digits) ?? [], of: text)
        var data = AdvertisementData()
        if let service = services[first & 0x1F] {
            data.serviceData[service] = payload
        } else {
            data.manufacturerData[companies[Int(first & 0x1F) % companies.count]] = payload
        }
        let advertisement = Advertisement(decoding: data, from: BluetoothAddress(text), keys: keys)
        try check(advertisement.parts.count <= bytes.count, "\(bytes) has \(advertisement.parts.count) parts")
        for part in advertisement.parts {
            let names = part.namedReadings.map(\.name)
            try check(Set(names).count == names.count, "\(bytes) has two readings of one name: \(names)")
            let isFinite = part.readings.allSatisfy { $0.number?.isFinite ?? true }
            try check(isFinite, "\(bytes) is \(part.readings)")
            try check(part.data == payload && part.repeats(part), "\(bytes) isn't kept")
        }
    }

    private static let companies: [UInt16] = [0x004C, 0x0499, 0x0006, 0xFFFF]
    private static let services: [UInt8: BluetoothUUID] = [
        4: 0xFCD2, 5: 0xFE95, 6: 0x181A, 7: 0xFEAA, 8: 0xFE2C, 9: 0xFD6F,
    ]
    /// Devices with the keys of public tests, of which one has a key of 12 bytes; and one without.
    private static let devices = [
        ("", ""), ("54:48:E6:8F:80:A5", "231d39c1d7cc1ab1aee224cd096db932"),
        ("F8:24:41:C5:98:8B", "b853075158487ca39a5b5ea9"), ("A4:C1:38:8D:18:B2", "b9ea895fac7eea6d30532432a516f3a3"),
        ("5A:58:2D:34:12:5F", "814aac74c4f17b6c1581e1ab87816b99"),
    ]

    /// The first byte says where the others are cut: after so many bytes each time.
    static func testFramings(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let size = Int(first) + 1
        let data = Data(bytes.dropFirst())
        try same(CardReaderFraming(), data, size)
        try same(CardReaderFraming(checksum: .kermit, checksumByteOrder: .littleEndian), data, size)
        try same(CardReaderFraming(detectsChecksum: true), data, size)
        try same(TerminatorFraming(maximumLength: 300), data, size)
        try same(TerminatorFraming(Data([0]), maximumLength: 8), data, size)
        try same(LengthPrefixedFraming(width: .one, counted: .lengthAndMessage, maximumLength: 100), data, size)
        try same(LengthPrefixedFraming(byteOrder: .littleEndian, maximumLength: 300), data, size)
    }

    private static func same<F: Framing>(_ framing: F, _ data: Data, _ size: Int) throws where F.Message: Equatable {
        var whole = framing
        let expected = whole.receive(data) + whole.finish()
        var cut = framing
        var messages: [Result<F.Message, FramingError>] = []
        for start in stride(from: 0, to: data.count, by: size) {
            messages += cut.receive(data[start..<min(start + size, data.count)])
        }
        messages += cut.finish()
        let isSame = messages.compactMap { try? $0.get() } == expected.compactMap { try? $0.get() }
        try check(isSame, "\(F.self) depends on how bytes are cut")
    }
}
