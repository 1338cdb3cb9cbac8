import BlueZRecording
import BlueZReplay
import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// Recordings that are played to a client.
@Suite(.serialized) struct ReplayTests {
    private static func request(_ number: Int, _ operation: String, _ handle: Int, value: String? = nil) -> String {
        let value = value.map { ",\"value\":\"\($0)\"" } ?? ""
        return """
            "event":"request","n":\(number),"op":"\(operation)","device":"\(Replayed.address)","handle":\(handle)\(value)
            """
    }

    private static func response(_ number: Int, _ rest: String = "") -> String {
        "\"event\":\"response\",\"n\":\(number)" + (rest.isEmpty ? "" : ",\(rest)")
    }

    private static func value(_ value: String, handle: Int = 3, by way: String = "signal") -> String {
        """
        "event":"value","device":"\(Replayed.address)","handle":\(handle),"value":"\(value)","by":"\(way)"
        """
    }

    private static let loss = "\"event\":\"disconnected\",\"device\":\"\(Replayed.address)\""

    /// A subscription, and the values from 01 to this number.
    private static func values(_ count: UInt8, operation: String = "notify", by way: String = "signal") -> [String] {
        [request(10, operation, 3), response(10)]
            + (1...count).map { value(String(format: "%02x", $0), by: way) }
    }

    @Test("Requests get the recorded responses in their order, and errors with code and text")
    func responses() async throws {
        let lines =
            Replayed.beginning + Replayed.resolved + [
                Self.request(3, "read", 3), Self.response(3, #""value":"01""#),
                Self.request(4, "read", 3), Self.response(4, #""value":"02""#),
                Self.request(5, "write", 6, value: "aa"), Self.response(5),
                Self.request(6, "write", 6, value: "bb"), Self.response(6, #""error":{"att":128}"#),
                Self.request(7, "read", 6),
                Self.response(
                    7, #""error":{"name":"org.bluez.Error.NotPermitted","text":"Read not permitted"}"#),
            ]
        try await Replayed.run(lines) { replayed in
            let peripheral = try await replayed.connected()
            let (rate, control) = (try peripheral.rate(), try peripheral.control())
            #expect(try await rate.readValue() == Data([1]))
            #expect(try await rate.readValue() == Data([2]))
            // The write with the same value, although another one came first.
            let error = await #expect(throws: BluetoothError.self) { try await control.writeValue(Data([0xBB])) }
            #expect(error?.attError?.rawValue == 0x80)
            try await control.writeValue(Data([0xAA]))
            let refused = await #expect(throws: BluetoothError.self) { _ = try await control.readValue() }
            #expect(String(describing: refused).contains("Read not permitted"))
            #expect(rate.maximumWriteValueLength(for: .withoutResponse) == 182)
            #expect(await replayed.unrecorded.isEmpty)
        }
    }

    @Test("A request that is not recorded gets what is known, and is reported once")
    func unrecorded() async throws {
        let lines =
            Replayed.beginning + Replayed.resolved + [Self.request(3, "read", 3), Self.response(3, #""value":"01""#)]
        try await Replayed.run(lines) { replayed in
            let peripheral = try await replayed.connected()
            let (rate, control) = (try peripheral.rate(), try peripheral.control())
            for _ in 1...3 { #expect(try await rate.readValue() == Data([1])) }
            let error = await #expect(throws: BluetoothError.self) { _ = try await control.readValue() }
            #expect(error?.attError?.rawValue == 0x0E)
            try await control.writeValue(Data([7]))
            #expect(try await control.readValue() == Data([7]))
            try await rate.startNotifying { _, _ in }
            let reports = await replayed.unrecorded
            #expect(
                reports
                    == [
                        "No such read of handle 0x0003 is recorded; the last known value is returned",
                        "No such read of handle 0x0006 is recorded; it fails",
                        "No such write of handle 0x0006 is recorded; it succeeds",
                        "No such read of handle 0x0006 is recorded; the last known value is returned",
                        "No such subscription of handle 0x0003 is recorded; it succeeds",
                    ].map { "\(Replayed.address): \($0)" })
        }
    }

    @Test(
        "Values come in order, whichever way the client subscribes", arguments: ["notify", "acquireNotify"],
        [true, false])
    func values(operation: String, isAcquired: Bool) async throws {
        let way = operation == "notify" ? "signal" : "socket"
        try await Replayed.run(
            Replayed.beginning + Replayed.resolved + Self.values(200, operation: operation, by: way)
        ) { replayed in
            let rate = try await replayed.connected().rate()
            var seen: [Data] = []
            if isAcquired {
                let notifications = try await rate.acquireNotify()
                for try await value in notifications {
                    seen.append(value)
                    if seen.count == 200 { break }
                }
            } else {
                try await rate.startNotifying { data, _ in if let data { seen.append(data) } }
                try await Patience.wait(for: "200 values") { seen.count == 200 }
            }
            #expect(seen == (1...200).map { Data([UInt8($0)]) })
        }
    }

    @Test("A value waits for the write before it, and comes without it if the client does something else")
    func waiting() async throws {
        let lines =
            Replayed.beginning + Replayed.resolved + Self.values(1) + [
                Self.request(11, "write", 6, value: "05"), Self.response(11), Self.value("02"),
                Self.request(12, "write", 6, value: "06"), Self.response(12), Self.value("03"),
            ]
        // The second client makes only the later write, so that the first value comes with the second.
        for writes: [UInt8] in [[5, 6], [6]] {
            try await Replayed.run(lines) { replayed in
                let peripheral = try await replayed.connected()
                var seen: [Data] = []
                try await peripheral.rate().startNotifying { data, _ in if let data { seen.append(data) } }
                try await Patience.wait(for: "the first value") { !seen.isEmpty }
                for (index, value) in writes.enumerated() {
                    // What is read in the meantime comes after whatever was sent before.
                    _ = try await peripheral.rate().readValue()
                    #expect(seen.count == index + 1)
                    try await peripheral.control().writeValue(Data([value]))
                    let count = value == 6 ? 3 : 2
                    try await Patience.wait(for: "value \(count)") { seen.count == count }
                }
                #expect(seen == [Data([1]), Data([2]), Data([3])])
            }
        }
    }

    @Test("A link that was lost during discovery is lost there again")
    func lostDuringDiscovery() async throws {
        try await Replayed.run(Replayed.beginning + [Self.loss]) { replayed in
            let peripheral = try await replayed.find()
            let error = await #expect(throws: BluetoothError.self) {
                try await peripheral.connect()
                _ = try await peripheral.discoverServices()
            }
            // Whether the client had already begun to discover is no request that the loss could wait for.
            #expect(error?.code == .disconnected || error?.code == .notConnected)
            #expect(!peripheral.isConnected)
        }
    }

    @Test("An attempt that failed fails again with its error, and the next one succeeds")
    func failedAttempt() async throws {
        let error = #""error":{"name":"org.bluez.Error.Failed","text":"le-connection-refused"}"#
        let failed = Replayed.beginning.dropLast(2) + [Self.response(2, error)]
        let again = [
            #""event":"request","n":3,"op":"connect","device":"\#(Replayed.address)""#,
            #""event":"connected","device":"\#(Replayed.address)""#, Self.response(3),
        ]
        try await Replayed.run(failed + again + Replayed.resolved) { replayed in
            let peripheral = try await replayed.find()
            let error = await #expect(throws: BluetoothError.self) {
                try await peripheral.connect(options: ConnectOptions(retries: 0))
            }
            #expect(String(describing: error).contains("le-connection-refused"))
            try await peripheral.connect()
            #expect(try await peripheral.discoverServices().map(\.uuid) == [0x180D])
        }
    }

    @Test("Attempts that bluetoothd refused by itself are left out, before the one with the link and during it")
    func refusedAttempts() async throws {
        func refused(_ number: Int, _ text: String) -> [String] {
            [
                #""event":"request","n":\#(number),"op":"connect","device":"\#(Replayed.address)""#,
                Self.response(number, #""error":{"name":"org.bluez.Error.Failed","text":"\#(text)"}"#),
            ]
        }
        let (before, link) = (Replayed.beginning.dropLast(3), Replayed.beginning.suffix(3))
        let lines =
            before + refused(20, "Input/output error") + link.prefix(1)
            + refused(21, "Operation already in progress") + link.dropFirst() + Replayed.resolved
        try await Replayed.run(lines) { replayed in
            let peripheral = try await replayed.find()
            try await peripheral.connect(options: ConnectOptions(retries: 0))
            #expect(try await peripheral.discoverServices().map(\.uuid) == [0x180D])
        }
    }

    @Test("A read that the bus refused is not the response to a later one")
    func refusedByBus() async throws {
        let error = #""error":{"name":"org.freedesktop.DBus.Error.UnknownObject","text":"Method doesn't exist"}"#
        let lines =
            Replayed.beginning + Replayed.resolved + [
                Self.request(3, "read", 3), Self.response(3, error), Self.request(4, "read", 3),
                Self.response(4, #""value":"02""#),
            ]
        try await Replayed.run(lines) { replayed in
            let value = try await replayed.connected().rate().readValue()
            #expect(value == Data([2]))
        }
    }

    @Test(
        "An attempt whose link is lost at once fails again, whichever of both was reported first",
        arguments: [true, false])
    func lostAttempt(isErrorFirst: Bool) async throws {
        let error = Self.response(
            2, #""error":{"name":"org.bluez.Error.Failed","text":"Disconnected early"}"#)
        let end = isErrorFirst ? [error, Self.loss] : [Self.loss, error]
        try await Replayed.run(Replayed.beginning.dropLast(1) + end) { replayed in
            let peripheral = try await replayed.find()
            let error = await #expect(throws: BluetoothError.self) {
                try await peripheral.connect(options: ConnectOptions(retries: 0))
            }
            #expect(String(describing: error).contains("Disconnected early"))
        }
    }

    @Test("A loss waits for the reads before it")
    func lossAfterRead() async throws {
        let lines =
            Replayed.beginning + Replayed.resolved + [
                Self.request(3, "read", 3), Self.response(3, #""value":"01""#), Self.request(4, "read", 3), Self.loss,
                Self.response(4, #""none":true"#),
            ]
        try await Replayed.run(lines) { replayed in
            let rate = try await replayed.connected().rate()
            #expect(try await rate.readValue() == Data([1]))
            let error = await #expect(throws: BluetoothError.self) { _ = try await rate.readValue() }
            #expect(error?.code == .disconnected)
        }
    }

    @Test("A value that was read from a socket after the end of the link comes before it", arguments: [true, false])
    func lateValue(isLost: Bool) async throws {
        let disconnect = "\"event\":\"request\",\"n\":11,\"op\":\"disconnect\",\"device\":\"\(Replayed.address)\""
        let end = isLost ? [Self.loss] : [disconnect, Self.loss + #","by":"here""#]
        let values = Self.values(1, operation: "acquireNotify", by: "socket")
        let late = Self.value("02", by: "socket")
        try await Replayed.run(Replayed.beginning + Replayed.resolved + values + end + [late], isFast: false) {
            let peripheral = try await $0.connected()
            var seen: [Data] = []
            let notifications = try await peripheral.rate().acquireNotify()
            let reading = Task { @BluetoothActor in for try await value in notifications { seen.append(value) } }
            if !isLost {
                try await Patience.wait(for: "the first value") { !seen.isEmpty }
                try await peripheral.disconnect()
            }
            _ = await reading.result
            #expect(seen == [Data([1]), Data([2])])
        }
    }

    @Test("A value without a link makes no device known")
    func strayValue() async throws {
        try await Replayed.run([Replayed.beginning[0], Self.value("01", by: "socket")]) { replayed in
            #expect(replayed.central.retrieveKnownPeripherals().isEmpty)
        }
    }

    @Test(
        "The reason of a lost link is the recorded one, and none if the recording has none",
        arguments: [("", nil), (#","by":"there""#, "Remote"), (#","by":"lost""#, "Timeout")] as [(String, String?)])
    func reason(side: String, name: String?) async throws {
        // The loss waits for the read.
        let read = [Self.request(3, "read", 3), Self.response(3, #""value":"01""#)]
        try await Replayed.run(Replayed.beginning + Replayed.resolved + read + [Self.loss + side]) { replayed in
            let peripheral = try await replayed.connected()
            var losses: [BluetoothError?] = []
            peripheral.disconnectHandler = { losses.append($1) }
            // Its response may be read after the loss.
            _ = try? await peripheral.rate().readValue()
            try await Patience.wait(for: "the loss") { losses.count == 1 }
            #expect(losses[0]?.code == .disconnected)
            #expect(losses[0]?.bluezName == name.map { "org.bluez.Reason." + $0 })
        }
    }

    @Test("A refused pairing is refused again")
    func refusedPairing() async throws {
        let lines =
            Replayed.beginning + Replayed.resolved + [
                #""event":"request","n":3,"op":"pair","device":"\#(Replayed.address)""#,
                Self.response(
                    3, #""error":{"name":"org.bluez.Error.AuthenticationRejected","text":"Authentication Rejected"}"#),
            ]
        try await Replayed.run(lines) { replayed in
            let peripheral = try await replayed.connected()
            let error = await #expect(throws: BluetoothError.self) { try await peripheral.pair() }
            #expect(error?.code == .insufficientSecurity)
            #expect(String(describing: error).contains("Authentication Rejected"))
            #expect(!peripheral.isPaired)
        }
    }

    @Test("A capture is played too: its writes of client configurations are subscriptions")
    func capture() async throws {
        let services = #""event":"request","n":3,"op":"services","device":"\#(Replayed.address)""#
        // In a capture, the response comes before the link.
        let beginning = Array(Replayed.beginning.dropLast(2) + Replayed.beginning.suffix(2).reversed())
        let lines =
            beginning + [services, Replayed.database, Self.response(3)] + [
                Self.request(4, "write", 4, value: "0100"), Self.response(4), Self.value("07", by: "notification"),
                Self.request(5, "read", 3), Self.response(5, #""value":"0102""#),
                #""event":"request","n":6,"op":"read","device":"\#(Replayed.address)","handle":3,"offset":2"#,
                Self.response(6, #""value":"03""#),
            ]
        try await Replayed.run(lines, origin: "capture") { replayed in
            let rate = try await replayed.connected().rate()
            var seen: [Data] = []
            try await rate.startNotifying { data, _ in if let data { seen.append(data) } }
            try await Patience.wait(for: "the value") { seen == [Data([7])] }
            #expect(try await rate.readValue() == Data([1, 2, 3]))
            #expect(await replayed.unrecorded.isEmpty)
        }
    }

    @Test("The recorded times are kept after the last request")
    func rhythm() async throws {
        let lines = Replayed.beginning + Replayed.resolved + Self.values(200)
        try await Replayed.run(lines, isFast: false) { replayed in
            let rate = try await replayed.connected().rate()
            let begin = ContinuousClock.now
            var count = 0
            try await rate.startNotifying { data, _ in if data != nil { count += 1 } }
            try await Patience.wait(for: "200 values") { count == 200 }
            // 200 values, a millisecond apart. Never less; more if the machine is slow.
            #expect(ContinuousClock.now - begin >= .milliseconds(190))
        }
    }

    @Test("A recording with too many events or devices is refused")
    func limits() throws {
        var count = 0
        #expect(throws: ReplayPlan.Failure.self) {
            _ = try ReplayPlan(.bluetoothd) {
                count += 1
                return RecordedEvent(time: 0, .note(RecordedNote(kind: "note", text: "")))
            }
        }
        #expect(count == ReplayPlan.mostEvents + 1)
        var number = 0
        #expect(throws: ReplayPlan.Failure.self) {
            _ = try ReplayPlan(.bluetoothd) {
                let address = String(format: "C0:00:00:00:%02X:%02X", number >> 8 & 255, number & 255)
                number += 1
                guard let device = BluetoothAddress(address) else { return nil }
                return RecordedEvent(time: 0, .connected(RecordedConnection(device: device)))
            }
        }
        #expect(number == ReplayPlan.mostDevices + 1)
    }
}
