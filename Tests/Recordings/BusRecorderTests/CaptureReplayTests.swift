import BlueZReplay
import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// Captures that are played to a client: what the host asked its controller is not always in them.
@Suite(.serialized) struct CaptureReplayTests {
    /// The device that the lines are about.
    private static let device = "\"device\":\"\(Replayed.address)\""
    private static let heard = """
        "event":"heard",\(device),"addressType":"random","rssi":-60,"name":"Strap"
        """
    /// A link for which there is no request.
    private static let connected = "\"event\":\"connected\",\(device),\"addressType\":\"random\""
    private static let lost = "\"event\":\"disconnected\",\(device),\"reason\":8,\"by\":\"lost\""
    /// The beginning of a discovery: a service without its characteristics.
    private static let incomplete = """
        "event":"database",\(device),"complete":false,"services":[{"uuid":"180D","handle":1,"end":6,"primary":true,\
        "characteristics":[]}]
        """

    private static func services(_ number: Int, _ database: String) -> [String] {
        [
            "\"event\":\"request\",\"n\":\(number),\"op\":\"services\",\(device)", database,
            "\"event\":\"response\",\"n\":\(number)",
        ]
    }

    private static func read(_ number: Int, _ value: String) -> [String] {
        [
            "\"event\":\"request\",\"n\":\(number),\"op\":\"read\",\(device),\"handle\":3",
            "\"event\":\"response\",\"n\":\(number),\"value\":\"\(value)\"",
        ]
    }

    private static func run(
        _ lines: [String], isFast: Bool = true, _ body: @BluetoothActor (Replayed) async throws -> Void
    ) async throws {
        try await Replayed.run(lines, origin: "capture", isFast: isFast, body)
    }

    /// The peripheral on its second link. On the first one, the value was 1.
    @BluetoothActor private static func reconnected(_ replayed: Replayed) async throws -> Peripheral {
        let peripheral = try await replayed.connected()
        var losses = 0
        peripheral.disconnectHandler = { _, _ in losses += 1 }
        let value = try await peripheral.rate().readValue()
        #expect(value == Data([1]))
        try await Patience.wait(for: "the loss") { losses == 1 }
        try await peripheral.connect()
        return peripheral
    }

    @Test(
        "Connect takes the next link that the host made, also without a request, after a loss and late in the capture",
        arguments: [true, false])
    func links(isFast: Bool) async throws {
        func at(_ second: Int, _ lines: [String]) -> [String] { lines.map { "\"t\":\(second),\($0)" } }
        let first = [Self.heard, Self.connected] + Self.services(1, Replayed.database) + Self.read(2, "01")
        let second = [Self.connected] + Self.services(3, Replayed.database) + Self.read(4, "02")
        let lines = at(3600, first) + at(3600, [Self.lost]) + at(7200, second)
        try await Self.run(lines, isFast: isFast) { replayed in
            let peripheral = try await Self.reconnected(replayed)
            for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
            let second = try await peripheral.rate().readValue()
            #expect(second == Data([2]))
            #expect(await replayed.unrecorded.isEmpty)
        }
    }

    @Test("A scan finds a device that the capture has only a link with")
    func unheard() async throws {
        let lines = [Self.connected] + Self.services(1, Replayed.database) + Self.read(2, "01")
        try await Self.run(lines) { replayed in
            let value = try await replayed.connected().rate().readValue()
            #expect(value == Data([1]))
        }
    }

    @Test("A scan hears nothing for 100 ms, so a client that listens after StartDiscovery misses no device")
    func silence() async throws {
        try await Self.run([Self.heard]) { replayed in
            let began = ContinuousClock.now
            _ = try await replayed.find()
            #expect(ContinuousClock.now - began >= .milliseconds(100))
        }
    }

    @Test("A device has no name with zeros, and none of the structures that bluetoothd keeps to itself")
    func advertisement() async throws {
        let structures = #""structures":{"0D":"040424","10":"01020304","1B":"00","26":"0102"}"#
        let heard = Self.heard.replacing("Strap", with: "Strap\\u0000\\u0000") + ",\(structures)"
        try await Self.run([heard]) { replayed in
            let peripheral = try await replayed.find()
            #expect(peripheral.name == "Strap")
            #expect(peripheral.advertisement.structures == [0x26: Data([1, 2])])
        }
    }

    @Test("A link is lost as long after a request without a response as in the capture", arguments: [true, false])
    func lossWithoutResponse(isFast: Bool) async throws {
        let lines =
            [Self.heard, Self.connected] + Self.services(1, Replayed.database) + [
                "\"t\":1,\"event\":\"request\",\"n\":2,\"op\":\"write\",\(Self.device),\"handle\":6,\"value\":\"05\"",
                #""t":3,"event":"response","n":2,"none":true"#, #""t":3,"# + Self.lost,
            ]
        try await Self.run(lines, isFast: isFast) { replayed in
            let control = try await replayed.connected().control()
            let began = ContinuousClock.now
            await #expect(throws: BluetoothError.self) { try await control.writeValue(Data([5])) }
            // Up to a second of the wait remains in a fast replay.
            #expect(ContinuousClock.now - began >= .seconds(isFast ? 1 : 2))
        }
    }

    @Test("A subscription that bluetoothd renews on the next link is no request of the client")
    func renewedSubscription() async throws {
        func line(_ number: Int, _ event: String, _ rest: String = "") -> String {
            "\"event\":\"\(event)\",\"n\":\(number)\(rest)"
        }
        func request(_ number: Int, _ operation: String, _ handle: Int, _ rest: String = "") -> String {
            line(number, "request", ",\"op\":\"\(operation)\",\(Self.device),\"handle\":\(handle)\(rest)")
        }
        func subscription(_ number: Int) -> [String] {
            [
                request(number, "write", 4, ",\"value\":\"0100\""), line(number, "response"),
                "\"event\":\"value\",\(Self.device),\"handle\":3,\"value\":\"01\",\"by\":\"notification\"",
            ]
        }
        func at(_ second: Int, _ lines: [String]) -> [String] { lines.map { "\"t\":\(second),\($0)" } }
        let first = [Self.heard, Self.connected] + Self.services(1, Replayed.database) + subscription(2) + [Self.lost]
        let second = [Self.connected] + Self.services(3, Replayed.database) + [request(4, "read", 6)]
        let write = [request(5, "write", 6, ",\"value\":\"05\""), line(5, "response")]
        let end = [line(4, "response", ",\"value\":\"07\"")] + write + subscription(6)
        try await Self.run(at(0, first) + at(10, second) + at(12, end), isFast: false) { replayed in
            let peripheral = try await replayed.connected()
            var losses = 0
            peripheral.disconnectHandler = { _, _ in losses += 1 }
            let subscriber = try await Subscriber(replayed.bluez.address, peripheral.rate())
            try await Patience.wait(for: "the loss") { losses == 1 }
            #expect(subscriber.count == 1)
            try await peripheral.connect()
            for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
            // The response takes two seconds. The value waits longer: for the write.
            let value = try await peripheral.control().readValue()
            #expect(value == Data([7]))
            #expect(subscriber.count == 1)
            try await peripheral.control().writeValue(Data([5]))
            try await Patience.wait(for: "the value") { subscriber.count == 2 }
            subscriber.close()
        }
    }

    @Test("A link that the device made comes by itself")
    func incoming() async throws {
        let lines = [Self.heard, Self.connected + ",\"incoming\":true"] + Self.services(1, Replayed.database)
        try await Self.run(lines) { replayed in
            let peripheral = try await replayed.find()
            try await Patience.wait(for: "the link") { peripheral.isConnected }
        }
    }

    @Test("The services are resolved with all attributes if a discovery is recorded in several parts")
    func discoveryInParts() async throws {
        let type = [
            "\"event\":\"request\",\"n\":2,\"op\":\"read\",\(Self.device),\"uuid\":\"2A37\"",
            "\"event\":\"response\",\"n\":2,\"values\":[{\"handle\":3,\"value\":\"07\"}]",
        ]
        // The parts are a second apart: who is told too early finds no characteristics.
        let lines =
            [Self.heard, Self.connected] + Self.services(1, Self.incomplete) + type
            + Self.services(3, Replayed.database).map { "\"t\":1,\($0)" } + [#""t":60,"# + Self.lost]
        try await Self.run(lines, isFast: false) { replayed in
            let peripheral = try await replayed.connected()
            #expect(peripheral[0x180D]?.characteristics.count == 2)
            // No client can ask by type. The value is known all the same.
            let value = try await peripheral.rate().readValue()
            #expect(value == Data([7]))
        }
    }

    @Test("Services that were discovered in part on one link are those of another")
    func discoveryOnTwoLinks() async throws {
        let lines =
            [Self.heard, Self.connected] + Self.services(1, Self.incomplete) + Self.read(2, "01") + [Self.lost]
            + [Self.connected] + Self.services(3, Replayed.database) + Self.read(4, "02")
        try await Self.run(lines) { replayed in
            let peripheral = try await replayed.connected()
            let value = try await peripheral.rate().readValue()
            #expect(value == Data([1]))
        }
    }

    @Test("A host that knows the services uses them without a discovery")
    func knownServices() async throws {
        let first = [Self.heard, Self.connected] + Self.services(1, Replayed.database) + Self.read(2, "01")
        let second = [Self.connected, "\"t\":3600,\(Self.lost)"]
        try await Self.run(first + [Self.lost] + second, isFast: false) { replayed in
            let peripheral = try await Self.reconnected(replayed)
            #expect(try await peripheral.discoverServices().map(\.uuid) == [0x180D])
        }
    }
}
