import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// What characteristics of the Bluetooth SIG mean, row by row of the table.
@Suite(.virtualTime) struct GATTValueTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let characteristic: BluetoothUUID
        let bytes: String
        let text: String

        init(_ characteristic: BluetoothUUID, _ bytes: String, _ text: String) {
            (self.characteristic, self.bytes, self.text) = (characteristic, bytes, text)
        }

        var testDescription: String { "\(characteristic) \(bytes)" }
    }

    private static func value(_ characteristic: BluetoothUUID, _ hexadecimal: String) throws -> GATTValue {
        let digits = hexadecimal.filter { $0 != " " }
        return try GATTValue(#require([UInt8](hexadecimal: digits)), of: characteristic)
    }

    private func check(_ row: Row) throws {
        #expect(try Self.value(row.characteristic, row.bytes).description == row.text)
    }

    @Test(
        "Sensors: numbers at their limits, special values, and integers without a reading",
        arguments: [
            Row(0x2A6C, "ffff7f", "83886.07 m"), Row(0x2A6C, "0080ff", "-327.68 m"),
            Row(0x2A6D, "12760f00", "101326.6 Pa"), Row(0x2A6D, "ffffffff", "429496729.5 Pa"),
            Row(0x2A6E, "c409", "25.00 °C"), Row(0x2A6E, "ff7f", "327.67 °C"), Row(0x2A6E, "4d95", "-273.15 °C"),
            Row(0x2A6E, "4c95", "4c95"), Row(0x2A6E, "0080", "not known"), Row(0x2A6E, "fbff", "-0.05 °C"),
            Row(0x2A6F, "1027", "100.00 %"), Row(0x2A6F, "1127", "1127"), Row(0x2A6F, "ffff", "not known"),
            Row(0x2A70, "e803", "10.00 m/s"), Row(0x2A71, "9f8c", "359.99 °"), Row(0x2A71, "a08c", "a08c"),
            Row(0x2A72, "0100", "0.01 m/s"), Row(0x2A73, "0000", "0.00 °"), Row(0x2A2C, "a08c", "a08c"),
            Row(0x2A74, "0f", "1.5"), Row(0x2A76, "05", "5"), Row(0x2A77, "bd1f", "812.5 W/m²"),
            Row(0x2A78, "0c00", "12 mm"), Row(0x2A79, "f6", "-10 °C"), Row(0x2A7A, "28", "40 °C"),
            Row(0x2A7B, "80", "-128 °C"), Row(0x2AEE, "feff", "655.34 A"), Row(0x2AEE, "ffff", "not known"),
            Row(0x2AFB, "feffff", "167772.14 lx"), Row(0x2AFB, "ffffff", "not known"),
            Row(0x2B8C, "fdff", "65533 ppm"), Row(0x2B8C, "feff", "65534 ppm or greater"),
            Row(0x2B8C, "ffff", "not known"), Row(0x2AA0, "d9004900", "21.7 7.3 µT"),
            Row(0x2AA1, "d900490057fe", "21.7 7.3 -42.5 µT"),
        ])
    func sensors(row: Row) throws { try check(row) }

    @Test(
        "Devices: battery, transmitter, alert and clock",
        arguments: [
            Row(0x2A19, "00", "0 %"), Row(0x2A19, "64", "100 %"), Row(0x2A19, "65", "65"), Row(0x2A19, "ff", "ff"),
            Row(0x2A07, "9c", "-100 dBm"), Row(0x2A07, "14", "20 dBm"), Row(0x2A07, "15", "15"),
            Row(0x2A07, "7f", "7f"), Row(0x2A06, "02", "high alert"), Row(0x2A06, "03", "03"),
            Row(0x2A08, "ea0703010c1e00", "2026-03-01 12:30:00"), Row(0x2A08, "00000000000000", "not known"),
            Row(0x2A08, "ea0700000c1e00", "2026-??-?? 12:30:00"),
            Row(0x2A08, "0000021d000000", "????-02-29 00:00:00"), Row(0x2A08, "ea07021f0c1e00", "ea07021f0c1e00"),
            Row(0x2A08, "ea07021d000000", "ea07021d000000"), Row(0x2A08, "e807021d000000", "2024-02-29 00:00:00"),
            Row(0x2A08, "6c07021d000000", "6c07021d000000"), Row(0x2A08, "d007021d000000", "2000-02-29 00:00:00"),
            Row(0x2A08, "ea07041f000000", "ea07041f000000"), Row(0x2A08, "ea070d01000000", "ea070d01000000"),
            Row(0x2A08, "ea070301180000", "ea070301180000"), Row(0x2A08, "ea07030117003c", "ea07030117003c"),
            Row(0x2A08, "2d060101000000", "2d060101000000"), Row(0x2A08, "2e060101000000", "1582-01-01 00:00:00"),
            Row(0x2A2B, "ea0703010c1e00078000", "2026-03-01 12:30:00"),
            Row(
                0x2A2B, "ea0703010c1e0000000c",
                "2026-03-01 12:30:00, change of the time zone, change of daylight saving time"
            ),
            Row(0x2A2B, "ea07021f0c1e00078000", "ea07021f0c1e000780"),
        ])
    func devices(row: Row) throws { try check(row) }

    @Test(
        "Batteries: the state, and what the flags add",
        arguments: [
            Row(0x2BED, "00 2100", "charging"), Row(0x2BED, "00 4101", "discharging (active), charge level low"),
            Row(0x2BED, "00 6000", "no battery, discharging (inactive)"),
            Row(0x2BED, "00 1f08", "wired power 03, wireless power 03, charge state not known, charging type float"),
            Row(
                0x2BED, "00 130a",
                "wired power connected, wireless power not known, charge state not known, charging type 05"
            ),
            Row(0x2BED, "00 2151", "charging, charge level low, charging fault: battery, other"),
            Row(0x2BED, "01 2100 0601", "charging, identifier 262"),
            Row(
                0x2BED, "02 a306 55",
                "wired power connected, charging, charge level good, charging type trickle, level 85 %"
            ),
            Row(0x2BED, "02 2100 ff", "charging, level ff"),
            Row(0x2BED, "04 2100 05", "charging, service required yes, battery fault"),
            Row(0x2BED, "04 2100 02", "charging, service required not known"),
            Row(0x2BED, "07 2100 0601 55 00", "charging, identifier 262, level 85 %"),
        ])
    func batteries(row: Row) throws { try check(row) }

    @Test(
        "Hearts and thermometers",
        arguments: [
            Row(0x2A37, "00 48", "72 bpm"), Row(0x2A37, "01 2c01", "300 bpm"), Row(0x2A37, "06 48", "72 bpm"),
            Row(0x2A37, "04 48", "72 bpm, no contact"), Row(0x2A37, "10 48", "72 bpm"),
            Row(0x2A37, "1e 48 0c00 5203 5003", "72 bpm, 12 kJ, intervals 830 828 ms"),
            Row(0x2A37, "10 48 0004", "72 bpm, intervals 1000 ms"), Row(0x2A38, "01", "chest"), Row(0x2A38, "07", "07"),
            Row(0x2A8D, "c8", "200 bpm"), Row(0x2A92, "3c", "60 bpm"), Row(0x2A80, "2a", "42 years"),
            Row(0x2A8E, "b400", "1.80 m"), Row(0x2A1D, "06", "mouth"), Row(0x2A1D, "00", "00"),
            // The examples of IEEE 11073-20601 and of those who explain it.
            Row(0x2A1C, "00 6c0100ff", "36.4 °C"), Row(0x2A1C, "00 970d00fe", "34.79 °C"),
            Row(0x2A1C, "01 da0300ff", "98.6 °F"), Row(0x2A1C, "00 04000001", "40 °C"),
            Row(0x2A1E, "00 04000014", "4e+20 °C"), Row(0x2A1C, "00 010000ec", "1e-20 °C"),
            Row(0x2A1C, "00 fdff7f00", "8388605 °C"), Row(0x2A1C, "00 feff7f00", "+infinity"),
            Row(0x2A1C, "00 ffff7fff", "838860.7 °C"), Row(0x2A1C, "00 9cffffff", "-10.0 °C"),
            Row(0x2A1C, "00 ffff7f00", "NaN"), Row(0x2A1C, "00 00008000", "NRes"),
            Row(0x2A1C, "00 02008000", "-infinity"), Row(0x2A1C, "00 01008000", "01008000"),
            Row(0x2A1C, "06 6c0100ff ea0703010c1e00 06", "36.4 °C, 2026-03-01 12:30:00, mouth"),
        ])
    func hearts(row: Row) throws { try check(row) }

    @Test(
        "Blood pressure and weight",
        arguments: [
            Row(0x2A35, "00 7200 5000 5b00", "systolic 114 mmHg, diastolic 80 mmHg, mean arterial pressure 91 mmHg"),
            Row(
                0x2A35, "1f a0f0 6af0 7bf0 ea0703010c1e00 4800 02 2f00",
                "systolic 16.0 kPa, diastolic 10.6 kPa, mean arterial pressure 12.3 kPa, 2026-03-01 12:30:00, "
                    + "pulse rate 72 bpm, user 2, body movement, cuff too loose, irregular pulse, "
                    + "improper position, pulse rate above the range"
            ),
            Row(0x2A36, "00 a000 ff07 ff07", "cuff pressure 160 mmHg"),
            Row(0x2A98, "c03f", "81.600 kg"),
            Row(0x2A9D, "00 c03f", "81.600 kg"), Row(0x2A9D, "01 7045", "177.76 lb"),
            Row(0x2A9D, "00 ffff", "measurement unsuccessful"),
            Row(
                0x2A9D, "0e c03f ea0703010c1e00 ff fa00 0807",
                "81.600 kg, 2026-03-01 12:30:00, user not known, "
                    + "body mass index 25.0 kg/m², height 1.800 m"),
            Row(0x2A9D, "09 7045 fa00 c502", "177.76 lb, body mass index 25.0 kg/m², height 70.9 in"),
        ])
    func bodies(row: Row) throws { try check(row) }

    @Test(
        "Glucose and oxygen",
        arguments: [
            Row(
                0x2A18, "0b 0100 ea0703010c1e00 0a00 5ab0 11 0108",
                "number 1, 2026-03-01 12:30:00, time offset 10 min, concentration 90 mg/dL, "
                    + "capillary whole blood, finger, battery low, time fault"
            ),
            Row(
                0x2A18, "07 0200 ea0703010c1e00 f6ff 32c0 f8",
                "number 2, 2026-03-01 12:30:00, time offset -10 min, concentration 5.0 mmol/L, "
                    + "undetermined plasma, sample location not available"
            ),
            Row(0x2A18, "01 0300 ea0703010c1e00 ff7f", "number 3, 2026-03-01 12:30:00, time offset overrun"),
            Row(0x2A18, "01 0300 ea0703010c1e00 0080", "number 3, 2026-03-01 12:30:00, time offset underrun"),
            Row(0x2A18, "02 0300 00000000000000 ff07 00", "number 3, not known, concentration NaN, 00, 00"),
            Row(
                0x2A34, "df 0100 00 02 32d0 01 51 0807 32 01 0aa0 39f0",
                "number 1, lunch, carbohydrate 50 g, before the meal, tester self, health no issues, "
                    + "exercise 1800 s, intensity 50 %, rapid-acting insulin, medication 10 mg, HbA1c 5.7 %"
            ),
            Row(0x2A34, "28 0100 ffff 64", "number 1, exercise overrun, intensity 100 %"),
            Row(0x2A34, "30 0100 04 0ad0", "number 1, long-acting insulin, medication 10 mL"),
            Row(0x2A5E, "00 6100 4800", "SpO₂ 97 %, pulse rate 72 bpm"),
            Row(
                0x2A5E, "1f cef3 d0f2 ea0703010c1e00 8001 208000 22f0",
                "SpO₂ 97.4 %, pulse rate 72.0 bpm, 2026-03-01 12:30:00, clock not set, validated, "
                    + "fully qualified, low perfusion, sensor disconnected, pulse amplitude index 3.4 %"
            ),
            Row(0x2A5E, "00 ff07 0008", "SpO₂ NaN, pulse rate NRes"),
            Row(0x2A5E, "00 fe07 0208", "SpO₂ +infinity, pulse rate -infinity"),
            Row(0x2A5E, "00 0108 ff17", "SpO₂ 0108, pulse rate 20470 bpm"),
            Row(
                0x2A5F, "1f 6100 4800 6200 4900 6000 4700 2000 010000 0500",
                "SpO₂ 97 %, pulse rate 72 bpm, SpO₂ fast 98 %, pulse rate fast 73 bpm, SpO₂ slow 96 %, "
                    + "pulse rate slow 71 bpm, measurement ongoing, extended display update ongoing, "
                    + "pulse amplitude index 5 %"
            ),
        ])
    func samples(row: Row) throws { try check(row) }

    @Test(
        "Bicycles",
        arguments: [
            Row(0x2A5B, "01 e8030000 0004", "wheel revolutions 1000, at 1.0000 s"),
            Row(0x2A5B, "02 3200 ff03", "crank revolutions 50, at 0.9990 s"),
            Row(
                0x2A5B, "03 ffffffff ffff 3200 0100",
                "wheel revolutions 4294967295, at 63.9990 s, crank revolutions 50, at 0.0010 s"
            ),
            Row(0x2A5B, "00", ""), Row(0x2A5D, "05", "left crank"), Row(0x2A5D, "11", "11"),
            Row(0x2A63, "0000 fa00", "250 W"), Row(0x2A63, "0010 ceff", "-50 W, offset compensation"),
            Row(0x2A63, "0300 fa00 65", "250 W, pedal power balance 50.5 %, reference left"),
            Row(
                0x2A63, "0d00 fa00 64 2100",
                "250 W, pedal power balance 50.0 %, reference not known, accumulated torque 1.03125 N·m, "
                    + "torque source crank"
            ),
            Row(
                0x2A63, "3000 fa00 e8030000 0008 3200 0004",
                "250 W, wheel revolutions 1000, at 1.0000 s, crank revolutions 50, at 1.0000 s"
            ),
            Row(
                0x2A63, "c000 fa00 2c01 d4fe 2000 f0ff",
                "250 W, maximum force 300 N, minimum force -300 N, maximum torque 1.00000 N·m, "
                    + "minimum torque -0.50000 N·m"
            ),
            // The Supplement's example: with a maximum of 0xABC and a minimum of 0x123, the integer is 0x123ABC.
            Row(0x2A63, "0001 fa00 bc3a12", "250 W, maximum angle 2748 °, minimum angle 291 °"),
            Row(
                0x2A63, "000e fa00 0a00 be00 6400",
                "250 W, top dead spot angle 10 °, bottom dead spot angle 190 °, accumulated energy 100 kJ"
            ),
        ])
    func bicycles(row: Row) throws { try check(row) }

    @Test(
        "A value that is too short or too long says so",
        arguments: [
            Row(0x2A19, "", "0 bytes instead of 1"), Row(0x2A77, "00", "1 byte instead of 2"),
            Row(0x2A6E, "c40900", "3 bytes instead of 2"), Row(0x2AA1, "d9004900", "4 bytes instead of 6"),
            Row(0x2A08, "ea0703010c1e", "6 bytes instead of 7"),
            Row(0x2A37, "", "a length of 0 bytes does not match the flags"),
            Row(0x2A37, "01 48", "a length of 2 bytes does not match the flags"),
            Row(0x2A37, "00 48 00", "a length of 3 bytes does not match the flags"),
            Row(0x2A37, "10 48 00", "a length of 3 bytes does not match the flags"),
            Row(0x2A1C, "02 6c0100ff", "a length of 5 bytes does not match the flags"),
            Row(0x2A63, "00", "a length of 1 byte does not match the flags"),
            Row(0x2A63, "0001 fa00 bc3a", "a length of 6 bytes does not match the flags"),
            Row(0x2BED, "04 2100", "a length of 3 bytes does not match the flags"),
            Row(0xFFE1, "00", "FFE1 has no known layout"),
            Row(
                "F000AA00-0451-4000-B000-000000000000", "00",
                "F000AA00-0451-4000-B000-000000000000 has no known layout"
            ),
        ])
    func lengths(row: Row) throws {
        let error = #expect(throws: GATTValueError.self) { try Self.value(row.characteristic, row.bytes) }
        #expect(error?.reason == row.text)
        #expect(error?.description == row.text)
    }

    @Test("Fields have names, numbers and units; what is no reading has none, and says why")
    func fields() throws {
        let pressure = try Self.value(0x2A35, "12 a0f0 ff07 5b00 ea0703010c1e00 0400")
        #expect(
            pressure.fields.map(\.name) == [
                .systolic, .diastolic, .meanArterialPressure, .time, .measurementStatus, .pulseRateRange,
            ])
        #expect(pressure[.systolic]?.number == 16)
        #expect(pressure[.systolic]?.content == .number(GATTNumber(160, exponent: -1)))
        #expect(pressure[.systolic]?.unit == "mmHg")
        #expect(pressure[.diastolic]?.content == .special("NaN"))
        #expect(pressure[.diastolic]?.number == nil)
        #expect(pressure[.diastolic]?.unit == nil)
        #expect(
            pressure[.time]?.time
                == DateComponents(year: 2026, month: 3, day: 1, hour: 12, minute: 30, second: 0))
        #expect(pressure[.measurementStatus]?.names == ["irregular pulse"])
        #expect(pressure[.pulseRateRange]?.content == .choice(0, "within the range"))
        #expect(pressure[.pulseRateRange]?.choice == "within the range")
        #expect(pressure[.pulseRate] == nil)
        let heart = try Self.value(0x2A37, "16 48 5203 5003")
        #expect(heart[.hasContact]?.content == .boolean(true, ""))
        #expect(heart[.hasContact]?.flag == true)
        #expect(heart[.intervalsMilliseconds]?.numbers == [830, 828])
        #expect(heart[.intervalsMilliseconds]?.content == .numbers([GATTNumber(830), GATTNumber(828)]))
        #expect(heart[.intervalsMilliseconds]?.unit == "ms")
        for field in pressure.fields {
            let types = [
                field.number != nil, field.numbers != nil, field.flag != nil, field.choice != nil, field.names != nil,
                field.time != nil,
            ]
            #expect(types.count { $0 } == (field.name == .diastolic ? 0 : 1), "\(field.name)")
        }
        let battery = try Self.value(0x2A19, "ff")
        #expect(battery[.batteryLevel]?.content == .invalid([255], reason: "255 is not in the range 0 to 100 %"))
        let clock = try Self.value(0x2A2B, "ea0703010c1e00078000")
        #expect(
            clock[.time]?.content
                == .time(
                    DateComponents(
                        year: 2026, month: 3, day: 1, hour: 12, minute: 30, second: 0, nanosecond: 500_000_000,
                        weekday: 1)))
    }

    @Test("Every name is that of a field")
    func names() {
        var found: Set<GATTValue.Name> = []
        for number in UInt16(0x2A00)...0x2C00 where GATTValue.isKnown(BluetoothUUID(number)) {
            for flag in -1..<16 {
                let flags = flag < 0 ? 0 : 1 << flag
                for count in 0...24 {
                    let bytes = [UInt8(flags & 0xFF), UInt8(flags >> 8)] + [UInt8](repeating: 0, count: count)
                    for bytes in [bytes, Array(bytes.dropLast())] {
                        found.formUnion((try? GATTValue(bytes, of: BluetoothUUID(number)))?.fields.map(\.name) ?? [])
                    }
                }
            }
        }
        #expect(Set(GATTValue.Name.allCases).subtracting(found) == [])
    }

    @Test("A number keeps its digits")
    func numbers() {
        #expect(GATTNumber(2500, exponent: -2).description == "25.00")
        #expect(GATTNumber(-5, exponent: -2).description == "-0.05")
        #expect(GATTNumber(0, exponent: 3).description == "0")
        #expect(GATTNumber(7, exponent: 6).description == "7000000")
        #expect(GATTNumber(7, exponent: 7).description == "7e+7")
        #expect(GATTNumber(1, exponent: -12).description == "0.000000000001")
        #expect(GATTNumber(.min, exponent: -13).description == "-9223372036854775808e-13")
        #expect(GATTNumber(3, exponent: -1).double == 0.3)
        #expect(GATTNumber(1, exponent: 400).double == .infinity)
    }

    @Test("Any bytes of any characteristic are decoded, or refused")
    func anyBytes() {
        var generator = SplitMix64(seed: 57)
        var decoded = 0
        for number in UInt16(0x2A00)...0x2C00 where GATTValue.isKnown(BluetoothUUID(number)) {
            for _ in 0..<200 {
                let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                    Bool.random(using: &generator) ? .random(in: 0...255, using: &generator) : UInt8(255)
                }
                guard let value = try? GATTValue(bytes, of: BluetoothUUID(number)) else { continue }
                decoded += 1
                #expect(!value.description.contains("  "))
            }
        }
        #expect(decoded > 300)
    }
}
