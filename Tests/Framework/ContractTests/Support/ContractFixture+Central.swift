import BlueZPrintableText
import CoreBlueZ
import Foundation
import Testing

/// The central that the control channel drives, and the UUIDs of what this program offers to it.
enum PeerCentral {
    static let address = BluetoothAddress("F0:CA:FE:00:00:01")!
    static let base: BluetoothUUID = "C0B20000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    static let service = base.replacingShort(with: 0x0100)
    static let otherService = base.replacingShort(with: 0x0101)
    static let value = base.replacingShort(with: 0x0001)
    static let otherValue = base.replacingShort(with: 0x0002)
    static let descriptor = base.replacingShort(with: 0x0003)
}

/// What the central got: a value, or an ATT error.
enum CentralAnswer: Equatable {
    case success(Data)
    case failure(ATTError)

    init(_ answer: [String: any Sendable]) throws {
        if let code = answer["att"] as? Int {
            self = .failure(ATTError(rawValue: UInt8(code)))
        } else {
            self = .success(Data(try #require([UInt8](hexadecimal: answer["value"] as? String ?? ""))))
        }
    }

    static let done = CentralAnswer.success(Data())
}

/// A notification or an indication that the central got.
struct CentralUpdate: Equatable {
    let characteristic: BluetoothUUID
    let value: Data
    let isIndication: Bool
}

/// An advertisement as it is on the air.
struct HeardAdvertisement {
    let address: BluetoothAddress
    let isConnectable: Bool
    /// The contents of the structures of both packets, by type.
    let structures: [UInt8: Data]

    init?(_ entry: [String: any Sendable]) {
        guard let address = (entry["address"] as? String).flatMap({ BluetoothAddress($0) }),
            let isConnectable = entry["connectable"] as? Int,
            let data = (entry["data"] as? String).flatMap({ [UInt8](hexadecimal: $0) }),
            let response = (entry["scan_response"] as? String).flatMap({ [UInt8](hexadecimal: $0) })
        else { return nil }
        self.address = address
        self.isConnectable = isConnectable == 1
        var structures: [UInt8: Data] = [:]
        var rest = Data(data + response)
        while let length = rest.first, length > 0, rest.count > length {
            structures[rest.dropFirst().first ?? 0] = Data(rest.dropFirst(2).prefix(Int(length) - 1))
            rest = Data(rest.dropFirst(Int(length) + 1))
        }
        self.structures = structures
    }

    var name: String? { structures[0x09].map { String(decoding: $0, as: UTF8.self) } }
}

/// The verbs of the central.
extension ContractFixture {
    private func askCentral(
        _ verb: String, _ arguments: [String: any Sendable] = [:]
    ) async throws -> [String: any Sendable] {
        try await side.control.ask("central-" + verb, arguments)
    }

    /// Connects the central to the adapter, and returns the MTU.
    @discardableResult
    func connectCentral(mtu: Int = 517) async throws -> Int? {
        try await askCentral("connect", ["mtu": mtu])["mtu"] as? Int
    }

    func disconnectCentral() async throws { _ = try await askCentral("disconnect") }
    func loseCentral() async throws { _ = try await askCentral("vanish") }
    func pairCentral() async throws -> Bool { try await askCentral("pair")["paired"] as? Int == 1 }
    func isCentralConnected() async throws -> Bool { try await askCentral("state")["connected"] as? Int == 1 }

    func readByCentral(_ uuid: BluetoothUUID, offset: Int = 0, isLong: Bool = false) async throws -> CentralAnswer {
        try CentralAnswer(
            try await askCentral("read", ["char": uuid.fullString, "offset": offset, "long": isLong]))
    }

    func readByCentral(handle: UInt16) async throws -> CentralAnswer {
        try CentralAnswer(try await askCentral("read", ["handle": Int(handle)]))
    }

    func writeByCentral(
        _ uuid: BluetoothUUID, _ value: Data, withResponse: Bool = true
    ) async throws -> CentralAnswer {
        try CentralAnswer(
            try await askCentral(
                "write", ["char": uuid.fullString, "value": String(hexadecimal: value), "response": withResponse]))
    }

    /// Prepares parts of a value, each with its offset, and executes them.
    func prepareByCentral(_ uuid: BluetoothUUID, _ parts: [(offset: Int, value: Data)]) async throws -> CentralAnswer {
        let parts: [[String: any Sendable]] = parts.map {
            ["offset": $0.offset, "value": String(hexadecimal: $0.value)]
        }
        return try CentralAnswer(try await askCentral("prepare", ["char": uuid.fullString, "parts": parts]))
    }

    /// Writes the client characteristic configuration: "notify", "indicate" or "off".
    func subscribeByCentral(_ uuid: BluetoothUUID, _ kind: String = "notify") async throws -> CentralAnswer {
        try CentralAnswer(try await askCentral("subscribe", ["char": uuid.fullString, "kind": kind]))
    }

    func setCentralConfirms(_ confirms: Bool) async throws { _ = try await askCentral("confirm", ["on": confirms]) }

    /// The notifications and indications since the last reset, or since they were last cleared.
    func centralUpdates(clears: Bool = false) async throws -> [CentralUpdate] {
        let entries = try await askCentral("values", ["clear": clears])["values"] as? [[String: any Sendable]] ?? []
        return entries.compactMap { entry in
            guard let uuid = (entry["char"] as? String).flatMap({ BluetoothUUID($0) }),
                let value = (entry["value"] as? String).flatMap({ [UInt8](hexadecimal: $0) })
            else { return nil }
            return CentralUpdate(
                characteristic: uuid, value: Data(value), isIndication: entry["kind"] as? String == "indicate")
        }
    }

    /// The services that the central discovers: the handles of their characteristics' values, by UUID.
    func discoverByCentral() async throws -> [BluetoothUUID: [BluetoothUUID: UInt16]] {
        let services = try await askCentral("discover")["services"] as? [[String: any Sendable]] ?? []
        var result: [BluetoothUUID: [BluetoothUUID: UInt16]] = [:]
        for service in services {
            let uuid = try #require((service["uuid"] as? String).flatMap { BluetoothUUID($0) })
            var handles: [BluetoothUUID: UInt16] = [:]
            for item in service["characteristics"] as? [[String: any Sendable]] ?? [] {
                guard let handle = (item["handle"] as? Int).flatMap({ UInt16(exactly: $0) }),
                    let uuid = (item["uuid"] as? String).flatMap({ BluetoothUUID($0) })
                else { continue }
                handles[uuid] = handles[uuid] ?? handle
            }
            result[uuid] = handles
        }
        return result
    }

    /// What the central hears of this adapter from now on. An adapter that broadcasts has another address each time.
    func listenByCentral() async throws { _ = try await askCentral("advertisements", ["clear": true]) }

    func heardByCentral() async throws -> [HeardAdvertisement] {
        let entries = try await askCentral("advertisements", ["clear": false])["advertisements"]
        return (entries as? [[String: any Sendable]] ?? []).compactMap { HeardAdvertisement($0) }
    }
}
