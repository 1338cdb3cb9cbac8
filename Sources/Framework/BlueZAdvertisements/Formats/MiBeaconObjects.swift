/// The objects of MiBeacon that are numbers, states or both. Numbers up to 0x3FFF are common to all products; those above
/// were found in single ones, and mean the same in each.
struct MiBeaconObjects {
    let product: Int

    /// Reads objects until the payload ends. One that isn't known is skipped, and named as the problem.
    func read(_ part: inout AdvertisementPart, _ reader: inout ByteReader) throws(AdvertisementProblem) {
        var problem: AdvertisementProblem?
        while !reader.rest.isEmpty {
            let object = UInt16(try reader.unsigned(2))
            var content = ByteReader(try reader.bytes(try reader.unsigned(1)))
            do throws(AdvertisementProblem) {
                try read(object, &part, &content)
            } catch {
                // What an object lacks isn't missing from the payload.
                problem = error == .truncated ? .malformed : error
            }
        }
        if let problem { throw problem }
    }

    private func read(
        _ object: UInt16, _ part: inout AdvertisementPart, _ content: inout ByteReader
    ) throws(AdvertisementProblem) {
        if let size = Self.size(of: object), content.rest.count != size { throw .malformed }
        if let number = Self.numbers[object] {
            let value = number.isSigned ? try content.signed(number.size) : try content.unsigned(number.size)
            part.add(number.kind, Double(value) / number.divisor, number.unit)
            return
        }
        if let number = Self.floats[object] {
            let bits = UInt32(try content.unsigned(4))
            let value = Float(bitPattern: bits)
            guard value.isFinite else { throw .malformed }
            // The shortest decimal number that the device can have meant.
            part.add(number.kind, Double("\(value)") ?? Double(value), number.unit)
            if object == 0x4A08 { part.events.append(AdvertisementEvent(.motion, "detected")) }
            return
        }
        if let state = Self.states[object] {
            let value = try content.unsigned(1)
            part.add(state.kind, state.isTrue(value))
            return
        }
        switch object {
        case 0x1005:
            part.add(.powerOn, try content.unsigned(1) != 0)
            part.add(.temperature, Double(try content.unsigned(1)), .celsius)
        case 0x100D:
            part.add(.temperature, Double(try content.signed(2)) / 10, .celsius)
            part.add(.humidity, Double(try content.unsigned(2)) / 10, .percent)
        case 0x2000:
            part.add(.skinTemperature, Double(try content.signed(2)) / 100, .celsius)
            part.add(.boardTemperature, Double(try content.signed(2)) / 100, .celsius)
            part.add(.battery, Double(try content.unsigned(1)), .percent)
        case 0x1019, 0x4804, 0x480C, 0x4A12: try readOpening(object, &part, &content)
        default: try readEvent(object, &part, &content)
        }
    }

    /// Sensors of doors and windows; the third state of 0x1019 is that of one which wasn't closed in time.
    private func readOpening(
        _ object: UInt16, _ part: inout AdvertisementPart, _ content: inout ByteReader
    ) throws(AdvertisementProblem) {
        let state = try content.unsigned(1)
        switch (object, state) {
        case (0x1019, 0), (0x4804, 1), (0x480C, 0), (0x4A12, 1): part.add(.opening, true)
        case (0x1019, 1), (0x4804, 2), (0x480C, 1), (0x4A12, 2): part.add(.opening, false)
        case (0x1019, 2):
            part.add(.opening, true)
            part.add(.leftOpen, true)
        default: throw .unknownObject(object)
        }
    }

    /// The size of an object's value, if it is known.
    private static func size(of object: UInt16) -> Int? {
        if let number = numbers[object] ?? floats[object] { return number.size }
        // The motion sensor RTCGQ02LM sends four bytes of what is defined as one.
        if object == 0x101B { return nil }
        return [0x1001: 3, 0x1005: 2, 0x100D: 4, 0x2000: 5, 0x1019: 1, 0x4804: 1, 0x480C: 1, 0x4A12: 1][object]
            ?? states[object].map { _ in 1 }
    }

    private struct Number {
        let kind: AdvertisementReading.Kind
        let size: Int
        let unit: AdvertisementReading.Unit?
        let divisor: Double
        let isSigned: Bool

        init(
            _ kind: AdvertisementReading.Kind, _ size: Int, _ unit: AdvertisementReading.Unit? = nil,
            over divisor: Double = 1,
            signed: Bool = false
        ) {
            self.kind = kind
            self.size = size
            self.unit = unit
            self.divisor = divisor
            isSigned = signed
        }
    }

    private static let numbers: [UInt16: Number] = [
        0x000A: Number(.temperature, 2, .celsius, over: 100, signed: true),
        0x1004: Number(.temperature, 2, .celsius, over: 10, signed: true),
        0x1006: Number(.humidity, 2, .percent, over: 10),
        0x1007: Number(.illuminance, 3, .lux),
        0x1008: Number(.moisture, 1, .percent),
        0x1009: Number(.conductivity, 2, .microsiemensPerCentimeter),
        0x100A: Number(.battery, 1, .percent),
        0x1010: Number(.formaldehyde, 2, .milligramPerCubicMeter, over: 100),
        0x1013: Number(.consumable, 1, .percent),
        0x1017: Number(.idleTime, 4, .second),
        0x4802: Number(.humidity, 1, .percent),
        0x4803: Number(.battery, 1, .percent),
        0x4818: Number(.idleTime, 2, .second),
        0x483D: Number(.durationDetected, 4, .second),
        0x483E: Number(.durationCleared, 4, .second),
        0x4851: Number(.durationDetected, 1, .minute),
        0x4852: Number(.durationCleared, 1, .minute),
        0x4C02: Number(.humidity, 1, .percent),
        0x4C03: Number(.battery, 1, .percent),
        0x5003: Number(.battery, 1, .percent),
    ]

    /// Numbers as IEEE 754 of four bytes.
    private static let floats: [UInt16: Number] = [
        0x4801: Number(.temperature, 4, .celsius),
        0x4805: Number(.illuminance, 4, .lux),
        0x4808: Number(.humidity, 4, .percent),
        0x4A08: Number(.illuminance, 4, .lux),
        0x4C01: Number(.temperature, 4, .celsius),
        0x4C08: Number(.humidity, 4, .percent),
    ]

    private struct State {
        let kind: AdvertisementReading.Kind
        let isTrue: @Sendable (Int) -> Bool

        init(_ kind: AdvertisementReading.Kind, _ isTrue: @escaping @Sendable (Int) -> Bool = { $0 != 0 }) {
            self.kind = kind
            self.isTrue = isTrue
        }
    }

    private static let states: [UInt16: State] = [
        // Bit 0 is the bolt.
        0x100E: State(.locked) { $0 & 1 != 0 },
        0x1012: State(.powerOn),
        0x1014: State(.wet),
        0x1015: State(.smoke) { $0 == 1 },
        0x1016: State(.gasDetected) { $0 == 1 },
        0x1018: State(.light),
        // Whether nobody has moved for the time that the user set.
        0x101B: State(.motion) { $0 == 0 },
        0x4806: State(.wet),
        0x483C: State(.occupancy),
        0x484E: State(.occupancy),
        0x4A01: State(.batteryLow),
        0x4A0F: State(.forciblyRemoved) { $0 == 1 },
        0x4A1A: State(.leftOpen) { $0 == 1 },
        0x4E01: State(.batteryLow),
    ]
}
