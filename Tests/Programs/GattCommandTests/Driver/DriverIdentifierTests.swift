import CoreBlueZ
import Foundation
import Testing

@testable import gatt

/// The names of services and characteristics in drivers.
@Suite struct DriverIdentifierTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../../Sources")

    private static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else",
        "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
        "init",
        "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while",
    ]

    private func names(_ uuids: [BluetoothUUID], _ bases: [BluetoothUUID: DriverBase] = [:]) -> [String] {
        DriverIdentifier.names(of: .characteristic, uuids) { uuid in
            bases[uuid]?.offset(of: uuid).map {
                String(String(0x1_0000 + UInt32($0), radix: 16, uppercase: true).suffix(4))
            }
        }.map(\.lower)
    }

    /// What the files of a class declare.
    private func members(of type: String) throws -> Set<String> {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path).filter { path in
            let name = path.split(separator: "/").last ?? ""
            return name == "\(type).swift" || name.hasPrefix("\(type)+")
        }
        var members: Set<String> = []
        for file in files {
            let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
            for match in text.matches(of: #/\b(?:var|let|func)\s+(\w+)/#) { members.insert(String(match.1)) }
        }
        return members
    }

    @Test(
        "An assigned name becomes an identifier",
        arguments: [
            ("Battery Level", "batteryLevel", "BatteryLevel"), ("PnP ID", "pnpID", "PnPID"),
            ("TX Power", "txPower", "TXPower"), ("URI", "uri", "URI"),
            ("Magnetic Flux Density - 3D", "magneticFluxDensity3D", "MagneticFluxDensity3D"),
            ("BR-EDR Handover Data", "brEDRHandoverData", "BREDRHandoverData"),
            ("Apple: Inc.", "appleInc", "AppleInc"),
        ])
    func assigned(name: String, lower: String, upper: String) {
        let identifier = DriverIdentifier(assigned: name)
        #expect(identifier?.lower == lower)
        #expect(identifier?.upper == upper)
    }

    @Test("A name without a letter at its beginning is no identifier", arguments: ["360fly: Inc.", "", "--"])
    func noIdentifier(name: String) {
        #expect(DriverIdentifier(assigned: name) == nil)
    }

    @Test("A UUID without an assigned name is named by its digits, and one of a company by both")
    func numbered() {
        #expect(names([0x2A19, 0xFFE1, 0xFEC7]) == ["batteryLevel", "valueFFE1", "appleIncFEC7"])
        #expect(names(["12345678", "F000AA01-0451-4000-B000-000000000000"]) == ["value12345678", "valueF000AA01"])
        let uuids: [BluetoothUUID] = ["F000AA01-0451-4000-B000-000000000000", "F000AA02-0451-4000-B000-000000000000"]
        #expect(names(uuids, DriverBase.shared(by: uuids)) == ["valueAA01", "valueAA02"])
    }

    @Test("A name is that of a service or of a characteristic, as the UUID is used")
    func kinds() {
        let names = { (kind: DriverIdentifier.Kind) in
            DriverIdentifier.names(of: kind, [0x180F, 0x2A19, 0x2902]) { _ in nil }.map(\.lower)
        }
        #expect(names(.service) == ["battery", "service2A19", "service2902"])
        #expect(names(.characteristic) == ["value180F", "batteryLevel", "value2902"])
    }

    @Test("Different UUIDs with the same digits get more digits, in any order")
    func sharedDigits() {
        let uuids: [BluetoothUUID] = ["6E40FFE1-B5A3-F393-E0A9-E50E24DCCA9E", "6E400002-B5A3-F393-E0A9-E50E24DCCA9E"]
        let bases = DriverBase.shared(by: uuids)
        #expect(names([0xFFE1] + uuids, bases) == ["value0000FFE1", "value6E40FFE1", "value0002"])
        #expect(names(uuids + [0xFFE1], bases) == ["value6E40FFE1", "value0002", "value0000FFE1"])
        let same: [BluetoothUUID] = ["12345678-0000-0000-0000-000000000001", "12345678-0000-0000-0001-000000000000"]
        #expect(
            names(same) == ["value12345678000000000000000000000001", "value12345678000000000001000000000000"])
    }

    @Test("Equal UUIDs are numbered in their order")
    func equal() {
        #expect(names([0x2A19, 0x2A19, 0x2A19]) == ["batteryLevel", "batteryLevel2", "batteryLevel3"])
        #expect(names([0xFFE1, 0xFFE1]) == ["valueFFE1", "valueFFE1Number2"])
        #expect(names([0x2AF5, 0x2AF5]) == ["fixedString16", "fixedString16Number2"])
    }

    @Test("No assigned name hides a keyword or a member of the classes")
    func members() throws {
        let (peripheral, service) = (try members(of: "Peripheral"), try members(of: "Service"))
        #expect(peripheral.isSuperset(of: ["name", "services", "rssi", "pair"]))
        #expect(service.isSuperset(of: ["name", "updateHandler", "notificationHandler"]))
        let numbers = (0...UInt16.max).map { BluetoothUUID($0) }.filter { $0.name != nil }
        #expect(numbers.count > 700)
        for name in DriverIdentifier.names(of: .service, numbers, offset: { _ in nil }) {
            #expect(name.lower.wholeMatch(of: #/[a-z][A-Za-z0-9]*/#) != nil)
            #expect(!peripheral.contains(name.lower) && !Self.keywords.contains(name.lower), "\(name)")
        }
        for name in DriverIdentifier.names(of: .characteristic, numbers, offset: { _ in nil }) {
            let derived = [
                "\(name.lower)Handler", "\(name.lower)Notifications", "read\(name.upper)", "write\(name.upper)",
                "setNotify\(name.upper)",
            ]
            #expect(service.isDisjoint(with: derived), "\(name)")
        }
    }

    @Test("Among all assigned numbers, no two have the same name")
    func distinct() {
        let numbers = (0...UInt16.max).map { BluetoothUUID($0) }.filter { $0.name != nil }
        for kind in [DriverIdentifier.Kind.service, .characteristic] {
            let names = DriverIdentifier.names(of: kind, numbers) { _ in nil }
            #expect(Set(names.map { $0.lower.lowercased() }).count == numbers.count)
            #expect(Set(names.map(\.upper)).count == numbers.count)
        }
    }
}
