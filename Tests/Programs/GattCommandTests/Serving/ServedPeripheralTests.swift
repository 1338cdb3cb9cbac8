import BlueZSimulator
import CoreBlueZ
import Foundation
import PeripheralServer
import TestSupport
import Testing

@testable import gatt

/// What a central gets from the peripheral of a file.
@Suite("The peripheral of a file, for a central", .timeLimit(.minutes(10))) struct ServedPeripheralTests {
    private static let strap = """
        {"name": "Strap", "services": [{"uuid": "180D", "characteristics": [
          {"uuid": "2A38", "properties": ["read", "write"], "value": "01", "writeError": 128,
           "descriptors": [{"uuid": "2901", "text": "Where"}, {"uuid": "F001", "writable": true}]},
          {"uuid": "2A37", "properties": ["notify"],
           "notifications": {"values": ["0048", "0049"], "interval": 0.01, "repeat": false}},
          {"uuid": "2A39", "properties": ["write", "indicate"],
           "responses": [{"to": "01", "value": "0200{0}"}]},
          {"uuid": "2A3A", "properties": ["read", "write"], "value": "0a0b"}]}]}
        """

    @Test("Values, errors and descriptors of the file respond to requests, and writes are stored")
    func requests() async throws {
        try await ServedFixture.run(Self.strap) { fixture in
            #expect(try await fixture.read(0x2A38) == .success([1]))
            #expect(try await fixture.write([2], 0x2A38) == .failure(ATTError(rawValue: 128)))
            #expect(try await fixture.read(0x2A38) == .success([1]))
            #expect(try await fixture.write([7, 8, 9], 0x2A3A) == .success([]))
            #expect(try await fixture.read(0x2A3A) == .success([7, 8, 9]))
            #expect(try await fixture.readDescriptor(0x2901, of: 0x2A38) == .success(Array("Where".utf8)))
            let lines = try await fixture.events(6)
            #expect(
                lines.map { $0.dropFirst(25).replacing("F0:CA:FE:00:00:01", with: "C") } == [
                    "read\tC\tBody Sensor Location\t01",
                    "write\tC\tBody Sensor Location\t02\t\(ATTError(rawValue: 128).description)",
                    "read\tC\tBody Sensor Location\t01",
                    "write\tC\tRemovable\t070809",
                    "read\tC\tRemovable\t070809",
                    "read\tC\tBody Sensor Location/Characteristic User Description\t5768657265",
                ])
        }
    }

    @Test("Parts of a value that are written together become one write")
    func parts() async throws {
        try await ServedFixture.run(Self.strap) { fixture in
            try await fixture.simulate { central in
                let handle = try #require(central.characteristic(0x2A3A)).handle
                _ = try await central.prepare([(1, [0xFF]), (2, [0xEE])], of: handle)
            }
            #expect(try await fixture.read(0x2A3A) == .success([0x0A, 0xFF, 0xEE]))
        }
    }

    @Test("Values are notified while a central has subscribed, and begin again with the next link")
    func notifications() async throws {
        try await ServedFixture.run(Self.strap) { fixture in
            for _ in 1...2 {
                try await fixture.configure(1, 0x2A37)
                #expect(try await fixture.updates(2) == [[0, 0x48], [0, 0x49]])
                try await fixture.reconnect()
            }
        }
    }

    @Test("A control point indicates its response, after the response to the write")
    func controlPoint() async throws {
        try await ServedFixture.run(Self.strap) { fixture in
            try await fixture.configure(2, 0x2A39)
            #expect(try await fixture.write([1, 5], 0x2A39) == .success([]))
            #expect(try await fixture.updates(1) == [[2, 0, 1]])
        }
    }

    @Test("A serial device of a file echoes")
    func serial() async throws {
        let text = #"{"name": "UART", "serial": {"profile": "nordic"}}"#
        try await ServedFixture.run(text) { fixture in
            try await fixture.configure(1, "6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
            let result = try await fixture.write(Array("hello".utf8), "6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
            #expect(result == .success([]))
            #expect(try await fixture.updates(1) == [Array("hello".utf8)])
        }
    }

    @Test("A peripheral that ends its link disconnects the central")
    func disconnection() async throws {
        let text = """
            {"name": "A", "disconnectsAfter": 0.01, "services": [{"uuid": "180F", "characteristics": [
              {"uuid": "2A19", "properties": ["read"], "value": "64"}]}]}
            """
        try await ServedFixture.run(text) { fixture in
            #expect(try await fixture.read(0x2A19) == .success([0x64]))
            try await Patience.wait(for: "the end of the link") { await !fixture.central.isConnected }
            try await Patience.wait(for: "the event") { fixture.lines.contains { $0.contains("\tdisconnected\t") } }
        }
    }
}
