import BlueZPrintableText

/// Ruuvi's formats 3, 5, 6 and E1 (docs.ruuvi.com, "Bluetooth advertisements"), in the manufacturer data of the company
/// 0x0499. The first byte is the format, and all numbers have the high byte first.
///
/// | Format | Fields, with their sizes in bytes |
/// | --- | --- |
/// | 3 | humidity 1, temperature 1 and 1, pressure 2, acceleration 2 × 3, voltage 2 |
/// | 5 | temperature 2, humidity 2, pressure 2, acceleration 2 × 3, voltage and power 2, movements 1, counter 2, address 6 |
/// | 6 | temperature 2, humidity 2, pressure 2, PM 2.5 2, CO2 2, VOC 1, NOx 1, light 1, reserved 1, counter 1, flags 1, address 3 |
/// | E1 | temperature 2, humidity 2, pressure 2, PM 2 × 4, CO2 2, VOC 1, NOx 1, light 3, reserved 3, counter 3, flags 1, reserved 5, address 6 |
///
/// A value that isn't available is the largest number, or the smallest one if it has a sign, and is left out. E1 comes in
/// extended advertising only.
struct RuuviFormat: AdvertisementFormat {
    let sources: [AdvertisementSource] = [.manufacturer(0x0499)]

    func decode(_ payload: AdvertisementPayload) -> [AdvertisementPart] {
        let format = payload.bytes.first
        var part = AdvertisementPart(format.flatMap { Self.names[$0] } ?? "Ruuvi", of: payload)
        part.read(payload.bytes.dropFirst()) { part, reader throws(AdvertisementProblem) in
            switch format {
            case 3: try Self.readRAWv1(&part, &reader)
            case 5: try Self.readRAWv2(&part, &reader)
            case 6: try Self.readAir(&part, &reader, isExtended: false)
            case 0xE1: try Self.readAir(&part, &reader, isExtended: true)
            case let format?: throw .unsupportedVersion(Int(format))
            case nil: throw .truncated
            }
        }
        return [part]
    }

    private static let names: [UInt8: String] = [3: "RuuviTag 3", 5: "RuuviTag 5", 6: "Ruuvi 6", 0xE1: "Ruuvi E1"]
    private static let axes: [AdvertisementReading.Kind] = [.accelerationX, .accelerationY, .accelerationZ]

    private static func readRAWv1(
        _ part: inout AdvertisementPart, _ reader: inout ByteReader
    ) throws(AdvertisementProblem) {
        part.add(.humidity, Double(try reader.bigUnsigned(1)) / 2, .percent)
        let (sign, fraction) = (try reader.bigUnsigned(1), try reader.bigUnsigned(1))
        let hundredths = Double((sign & 0x7F) * 100 + fraction)
        part.add(.temperature, (sign & 0x80 == 0 ? hundredths : -hundredths) / 100, .celsius)
        part.add(.pressure, Double(try reader.bigUnsigned(2) + 50000), .pascal)
        for axis in axes { part.add(axis, Double(try reader.bigSigned(2)) / 1000, .standardGravity) }
        part.add(.voltage, Double(try reader.bigUnsigned(2)) / 1000, .volt)
    }

    private static func readRAWv2(
        _ part: inout AdvertisementPart, _ reader: inout ByteReader
    ) throws(AdvertisementProblem) {
        try readClimate(&part, &reader)
        for axis in axes {
            let acceleration = try reader.bigSigned(2)
            if acceleration != -0x8000 { part.add(axis, Double(acceleration) / 1000, .standardGravity) }
        }
        let power = try reader.bigUnsigned(2)
        if power >> 5 != 0x7FF { part.add(.voltage, Double(power >> 5 + 1600) / 1000, .volt) }
        if power & 0x1F != 0x1F { part.add(.txPower, Double(power & 0x1F) * 2 - 40, .decibelMilliwatt) }
        let movements = try reader.bigUnsigned(1)
        if movements != 0xFF { part.add(.movementCount, Double(movements)) }
        let counter = try reader.bigUnsigned(2)
        if counter != 0xFFFF { part.counter = UInt32(counter) }
        try readAddress(&part, &reader)
    }

    private static func readAir(
        _ part: inout AdvertisementPart, _ reader: inout ByteReader, isExtended: Bool
    ) throws(AdvertisementProblem) {
        try readClimate(&part, &reader)
        for kind: AdvertisementReading.Kind in isExtended ? [.pm1, .pm2_5, .pm4, .pm10] : [.pm2_5] {
            let concentration = try reader.bigUnsigned(2)
            if concentration != 0xFFFF { part.add(kind, Double(concentration) / 10, .microgramPerCubicMeter) }
        }
        let co2 = try reader.bigUnsigned(2)
        if co2 != 0xFFFF { part.add(.co2, Double(co2), .partPerMillion) }
        let (voc, nox) = (try reader.bigUnsigned(1), try reader.bigUnsigned(1))
        let light = try reader.bigUnsigned(isExtended ? 3 : 1)
        _ = try reader.bytes(isExtended ? 3 : 1)
        let counter = try reader.bigUnsigned(isExtended ? 3 : 1)
        let flags = try reader.bigUnsigned(1)
        // The lowest bits are in the flags.
        for (kind, index) in [
            (AdvertisementReading.Kind.voc, voc << 1 | flags >> 6 & 1), (.nox, nox << 1 | flags >> 7),
        ]
        where index != 0x1FF {
            part.add(kind, Double(index))
        }
        if isExtended {
            if light != 0xFFFFFF { part.add(.luminosity, Double(light) / 100, .lux) }
            if counter != 0xFFFFFF { part.counter = UInt32(counter) }
            _ = try reader.bytes(5)
        } else {
            if light != 0xFF { part.add(.luminosity, luminosity(light), .lux) }
            part.counter = UInt32(counter)
        }
        part.add(.calibrating, flags & 1 != 0)
        if isExtended {
            try readAddress(&part, &reader)
        } else {
            let end = try reader.bytes(3)
            if end != [0xFF, 0xFF, 0xFF] { part.add(.addressEnd, String(hexadecimal: end)) }
        }
    }

    /// The fields that begin formats 5, 6 and E1.
    private static func readClimate(
        _ part: inout AdvertisementPart, _ reader: inout ByteReader
    ) throws(AdvertisementProblem) {
        let temperature = try reader.bigSigned(2)
        if temperature != -0x8000 { part.add(.temperature, Double(temperature) / 200, .celsius) }
        let humidity = try reader.bigUnsigned(2)
        if humidity != 0xFFFF { part.add(.humidity, Double(humidity) / 400, .percent) }
        let pressure = try reader.bigUnsigned(2)
        if pressure != 0xFFFF { part.add(.pressure, Double(pressure + 50000), .pascal) }
    }

    private static func readAddress(
        _ part: inout AdvertisementPart, _ reader: inout ByteReader
    ) throws(AdvertisementProblem) {
        let bytes = Array(try reader.bytes(6))
        guard let address = BluetoothAddress(bytes: bytes), bytes.contains(where: { $0 != 0xFF }) else { return }
        part.add(.address, address.description)
    }

    /// The illuminance for a code of format 6, which is logarithmic, to two digits: 65536 to the power of code/254, less 1.
    private static func luminosity(_ code: Int) -> Double {
        // 65536 to the power of 1/254.
        let step = 1.0446300614125956
        let power = (0..<code).reduce(1.0) { power, _ in power * step }
        return ((power - 1) * 100).rounded() / 100
    }
}
