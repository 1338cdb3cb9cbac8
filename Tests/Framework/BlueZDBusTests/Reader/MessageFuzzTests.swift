import Foundation
import Testing

@testable import BlueZDBus

/// Random messages of every kind, a third of them with some other bytes, held against libdbus. DBUS_FUZZ_COUNT sets how many
/// for each of four seeds; with 250,000 it is `Scripts/fuzz messages`.
@Suite struct MessageFuzzTests {
    private typealias Generator = FuzzTests.Generator

    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["DBUS_FUZZ_COUNT"].flatMap { Int($0) } ?? 2000
    private static let seed = environment["DBUS_FUZZ_SEED"].flatMap { UInt64($0) } ?? 31_000

    @Test("What libdbus takes of random messages is taken, with the same bytes, and nothing else", arguments: 0..<4)
    func sameAsReference(_ part: Int) {
        let headers = HeaderCache()
        var (valid, ofOrder) = (0, [WireEncoder.Order: Int]())
        var types: Set<Character> = []
        for number in 0..<Self.count {
            // A generator for each, so that a single one can be had again.
            let seed = Self.seed &+ UInt64(part * Self.count + number)
            var generator = Generator(state: seed)
            var bytes = generator.message()
            if number % 3 == 2 { CorruptionTests.corrupt(&bytes, &generator) }
            let reference = Message.reference(bytes)
            let message = Message.received(bytes, headers: headers)
            if message?.bytes != reference {
                Issue.record("DBUS_FUZZ_SEED=\(seed): \(bytes); libdbus: \(String(describing: reference))")
            }
            guard let message else { continue }
            valid += 1
            ofOrder[WireEncoder.Order(rawValue: bytes[0]) ?? .native, default: 0] += 1
            types.formUnion(message.signature)
            _ = (message.path, message.interface, message.member, message.sender, message.destination, message.error)
            var reader = message.reader
            _ = try? reader.readRemainingValues()
        }
        #expect(2 * valid >= Self.count && types.isSuperset(of: "ybnqiuxtdsogav(){}"), "\(valid) valid; \(types)")
        for order in WireEncoder.Order.allCases { #expect(ofOrder[order, default: 0] > valid / 4) }
    }
}

extension FuzzTests.Generator {
    /// A message of any kind, mostly with the fields that it needs and names that are valid.
    mutating func message() -> [UInt8] {
        let order: WireEncoder.Order = pick(2) == 0 ? .little : .big
        let kind = UInt8(pick(120) == 0 ? pick(256) : 1 + pick(4))
        let values = arguments()
        var fields: [(UInt8, Value)] = []
        for code in 1...10 as ClosedRange<UInt8> where code != 8 {
            let isNeeded =
                switch (kind, code) {
                case (1, 1), (1, 3), (2, 5), (3, 4), (3, 5), (4, 1), (4, 2), (4, 3): true
                default: false
                }
            if isNeeded ? pick(120) > 0 : pick(3) == 0 { fields.append((code, field(code))) }
        }
        if !values.isEmpty { fields.append((8, .signature(values.map(\.signature).joined()))) }
        fields.shuffle(using: &self)
        if pick(120) == 0, let first = fields.first { fields.append(first) }
        if pick(20) == 0 { fields.append((UInt8(pick(256)), value(type(2), 2))) }
        let version = UInt8(pick(120) == 0 ? pick(3) : 1)
        return WireEncoder.message(
            [kind, UInt8(pick(8)), version], serial: UInt32(pick(120) == 0 ? 0 : 1 + pick(1000)), fields,
            WireEncoder.body(values, order), order)
    }

    private mutating func field(_ code: UInt8) -> Value {
        switch code {
        case 1, 10: .objectPath((try? ObjectPath(choose(["/", "/org/bluez", "/org/bluez/hci0/dev_A0"]))) ?? .root)
        case 2, 4:
            .string(choose(["a.b", "org.bluez.Device1", "_a._1"], or: ["", "a", "a.", ".a", "1.b", "a-b.c", "a..b"]))
        case 3: .string(choose(["A", "_1", "PropertiesChanged"], or: ["", "1", "A.B", "A-B", "Ä"]))
        case 5: .uint32(pick(120) == 0 ? 0 : 1 + UInt32(pick(9)))
        case 9: .uint32(pick(120) == 0 ? 1 : 0)
        default:
            .string(
                choose([":1.5", "org.bluez", "a-b.c_d", ":a.1-"], or: ["", ":", ":1", "a", ":1.", "a.1", "a b.c"]))
        }
    }

    /// A valid text, and now and then one that isn't, or is too long.
    private mutating func choose(_ valid: [String], or wrong: [String] = []) -> String {
        guard !wrong.isEmpty, pick(120) == 0 else { return valid[pick(valid.count)] }
        let index = pick(wrong.count + 1)
        return index < wrong.count ? wrong[index] : valid[0] + String(repeating: "a", count: 250 + pick(10))
    }
}
