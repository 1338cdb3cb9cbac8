import BlueZJSONLine
import BlueZSimulator
import Foundation
import Testing

@testable import gatt

/// The records of `gatt inspect --json` as a file.
@Suite struct InspectionTests {
    private static let device = #"{"event":"device","device":"00:AA:02:00:00:04","deviceName":"A","mtu":64}"#
    private static let service = #"{"event":"service","service":"181A","handle":16,"isPrimary":true}"#
    private static let characteristic =
        #"{"event":"characteristic","characteristic":"2A6E","properties":["read","notify"],"value":"3c08","#
        + #""decoded":{"any":["thing"]},"handle":17,"valueHandle":18}"#
    private static let descriptor = #"{"event":"descriptor","descriptor":"2901","value":"41","decoded":"A"}"#
    private static let configuration = #"{"event":"descriptor","descriptor":"2902","value":"0000"}"#

    private func read(_ lines: [String]) throws(FileError) -> SimulationFile {
        try SimulationFile(Data(lines.joined(separator: "\n").utf8), path: "file")
    }

    @Test("The records of a device make its peripheral, without the generic services")
    func records() throws {
        let generic = #"{"event":"service","service":"1801"}"#
        let changed = #"{"event":"characteristic","characteristic":"2A05","properties":["indicate"]}"#
        let file = try read([
            Self.device, generic, changed, Self.configuration, Self.service, Self.characteristic, Self.configuration,
            Self.descriptor,
        ])
        let characteristic = CharacteristicSpecification(
            0x2A6E, [.read, .notify], value: [0x3C, 0x08], handle: 17,
            descriptors: [DescriptorSpecification(0x2901, value: [0x41])])
        let expected = PeripheralSpecification(
            name: "A", address: "00:AA:02:00:00:04", maximumMTU: 64,
            services: [ServiceSpecification(0x181A, handle: 16, characteristics: [characteristic])])
        #expect(file.peripherals.map(\.specification) == [expected])
    }

    @Test("A device without a name stays one, and a long name is advertised by an extended advertisement")
    func names() throws {
        let nameless = try read([#"{"event":"device","device":"00:AA:02:00:00:04"}"#])
        #expect(nameless.peripherals.map(\.specification) == [PeripheralSpecification(address: "00:AA:02:00:00:04")])
        let name = String(repeating: "x", count: 30)
        let long = try read([Self.device.replacingOccurrences(of: #""A""#, with: "\"\(name)\"")])
        #expect(long.peripherals.first?.specification.advertisement.localName == name)
        #expect(long.peripherals.first?.specification.usesExtendedAdvertising == true)
    }

    @Test("Records that are out of order, unknown or wrong are refused with their line")
    func wrongRecords() {
        let expected: [([String], Int, String)] = [
            ([Self.service], 1, "The records must begin with a device"),
            ([Self.device, Self.device], 2, "and describe only one"),
            ([Self.device, Self.characteristic], 2, "A service must precede its characteristics"),
            ([Self.device, Self.service, Self.descriptor], 3, "A characteristic must precede its descriptors"),
            ([Self.device, #"{"event":"advertisement"}"#], 2, "event: Expected one of device, service"),
            (
                [Self.device, #"{"event":"service","uuid":"181A"}"#], 2,
                #"a record has no key "uuid"; its keys are event, time, adapter, device,"#
            ),
            ([Self.device, #"{"event":"service","servicex":"181A"}"#], 2, #"did you mean "service"?"#),
            ([Self.device, #"{"event":"service","service":"xyz"}"#], 2, "service: Expected a UUID of 4, 8 or 32"),
            ([Self.device, "", "[]"], 3, "Expected a record, which is an object"),
        ]
        for (lines, line, message) in expected {
            let failure = #expect(throws: FileError.self) { try read(lines) }
            #expect(failure?.line == line, "\(lines)")
            #expect(failure?.message.contains(message) == true, "\(failure?.message ?? ""), not \(message)")
        }
    }
}
