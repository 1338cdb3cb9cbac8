import BlueZAdvertisements
import BlueZPrintableText
import Foundation
import Testing

/// Decodes a file of payloads for Tests/Framework/Decoders/compare, which compares the values with those of others.
@Suite("A file of payloads")
struct PayloadFileTests {
    private static let path = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_PAYLOADS"]

    /// A line of the file.
    private struct Line: Decodable {
        var service: String?
        var company: UInt16?
        var data: String
        var address: String
        var name: String?
        var key: String?

        /// What the payload means.
        func decoded() throws -> Advertisement {
            let bytes = Data(try #require([UInt8](hexadecimal: data)))
            var data = AdvertisementData()
            data.localName = name
            if let company { data.manufacturerData[company] = bytes }
            if let service { data.serviceData[try #require(BluetoothUUID(service))] = bytes }
            var keys = AdvertisementKeys()
            if let key { keys.set(bindKey: try #require([UInt8](hexadecimal: key)), of: address) }
            return Advertisement(decoding: data, from: BluetoothAddress(address), keys: keys)
        }
    }

    @Test(
        "A file of payloads is decoded into values with names and units",
        .enabled("needs a file, named by COREBLUEZ_TEST_PAYLOADS") { path != nil }
    )
    func decoded() throws {
        let path = try #require(Self.path)
        let decoder = JSONDecoder()
        var output = Data()
        for line in try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: UInt8(ascii: "\n")) {
            let values = try decoder.decode(Line.self, from: line).decoded().parts.flatMap(Self.values)
            output += try JSONSerialization.data(withJSONObject: values) + [UInt8(ascii: "\n")]
        }
        try output.write(to: URL(fileURLWithPath: path + ".decoded"))
    }

    /// Pairs of a name and a value.
    private static func values(_ part: AdvertisementPart) -> [[Any]] {
        var values = part.readings.map { reading -> [Any] in
            [reading.kind.rawValue + (reading.unit.map { " \($0.rawValue)" } ?? ""), value(reading.value)]
        }
        values += part.events.map { event in
            ["\(event.kind.rawValue)!", [event.action as Any] + (event.steps.map { [$0] } ?? [])]
        }
        if let counter = part.counter { values.append(["counter", counter]) }
        if let problem = part.problem { values.append(["problem", problem.code]) }
        return values
    }

    private static func value(_ value: AdvertisementReading.Value) -> Any {
        switch value {
        case .number(let number): number
        case .flag(let flag): flag
        case .text(let text): text
        case .bytes(let data): String(hexadecimal: data)
        }
    }
}
