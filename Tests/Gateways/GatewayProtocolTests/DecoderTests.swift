import BlueZPrintableText
import BlueZValues
import Foundation
import Testing

@testable import GatewayProtocol

/// A decoder that was not written against this project reads what gateways publish.
@Suite("TheengsDecoder")
struct DecoderTests {
    private static let python = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_DECODER"]

    private struct Reading: Decodable, Equatable {
        var model_id: String
        var tempc: Double?
        var hum: Double?
        var batt: Int?
        var pres: Double?
        var volt: Double?
        var uuid: String?
        var major: Int?
        var minor: Int?
    }

    private static func advertisement(
        _ address: String, _ name: String?, manufacturer: [UInt16: String] = [:], service: [UInt32: String] = [:]
    ) throws -> GatewayAdvertisement {
        var data = AdvertisementData()
        data.flags = Data([6])
        data.localName = name
        for (company, text) in manufacturer {
            data.manufacturerData[company] = Data(try #require([UInt8](hexadecimal: text)))
        }
        for (uuid, text) in service {
            data.serviceData[BluetoothUUID(uuid)] = Data(try #require([UInt8](hexadecimal: text)))
        }
        return GatewayAdvertisement(
            instance: .random(), device: try #require(BluetoothAddress(address)), kind: .public, rssi: -60, data: data)
    }

    @Test(
        "TheengsDecoder decodes what gateways publish of known devices",
        .enabled("needs a Python with TheengsDecoder, named by COREBLUEZ_TEST_DECODER") { python != nil },
        .timeLimit(.minutes(10))
    )
    func decoder() throws {
        // The RuuviTag's is the test vector of its specification (docs.ruuvi.com, data format 5).
        let apple = "0215426c7565436861726d426561636f6e730efe1355c5"
        let advertisements = try [
            Self.advertisement("A4:C1:38:AA:BB:CC", "ATC_AABBCC", service: [0x181A: "a4c138aabbcc00f3325e0bb8fb"]),
            Self.advertisement(
                "CB:B8:33:4C:88:4F", nil,
                manufacturer: [0x0499: "0512fc5394c37c0004fffc040cac364200cdcbb8334c884f"]),
            Self.advertisement(
                "A4:C1:38:11:22:33", "GVH5075_2233", manufacturer: [0xEC88: "0003215b6400", 0x004C: apple]),
            Self.advertisement("AA:BB:CC:DD:EE:FF", nil, manufacturer: [0x004C: apple]),
            Self.advertisement("AA:BB:CC:DD:EE:00", "Unknown", manufacturer: [0x0001: "00"]),
        ]
        let readings = try Self.decode(advertisements)
        #expect(
            readings == [
                Reading(model_id: "LYWSD03MMC/MJWSD05MMC_ATC", tempc: 24.3, hum: 50, batt: 94, volt: 3),
                Reading(model_id: "RuuviTag_RAWv2", tempc: 24.3, hum: 53.49, pres: 1000.44, volt: 2.977),
                Reading(model_id: "H5072/75", tempc: 20.5, hum: 14.7, batt: 100),
                Reading(model_id: "IBEACON", uuid: "426c7565436861726d426561636f6e73", major: 3838, minor: 4949),
                nil,
            ])
    }

    private static func decode(_ advertisements: [GatewayAdvertisement]) throws -> [Reading?] {
        let script = Process()
        script.executableURL = URL(fileURLWithPath: try #require(python))
        script.arguments = [
            "-B", URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "decode.py").path,
        ]
        let (input, output) = (Pipe(), Pipe())
        script.standardInput = input
        script.standardOutput = output
        try script.run()
        for advertisement in advertisements {
            input.fileHandleForWriting.write(Data(try advertisement.payload() + [UInt8(ascii: "\n")]))
        }
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        script.waitUntilExit()
        #expect(script.terminationStatus == 0, "\(text)")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return lines.map { try? JSONDecoder().decode(Reading.self, from: Data($0.utf8)) }
    }
}
