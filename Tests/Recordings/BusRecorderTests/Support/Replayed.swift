import BlueZRecording
import BlueZReplay
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// A client of a replay. The recorded device has the service 180D with the characteristic 2A37, whose value has the
/// handle 3 and the client configuration the handle 4, and 2A39, whose value has the handle 6.
@BluetoothActor final class Replayed {
    nonisolated static let address = "C0:01:02:03:04:05"
    let bluez: ReplayedBlueZ
    let central: CentralManager

    /// The services of the device, as a line.
    nonisolated static let database = """
        "event":"database","device":"\(address)","complete":true,"services":[{"uuid":"180D","handle":1,"primary":true,\
        "characteristics":[{"uuid":"2A37","handle":2,"properties":["read","notify"],\
        "descriptors":[{"uuid":"2902","handle":4}]},{"uuid":"2A39","handle":5,"properties":["read","write"]}]}]
        """

    /// The events until the services are known.
    nonisolated static let beginning = [
        #""event":"adapter","adapter":"hci0","address":"00:AA:01:00:00:42","powered":true"#,
        #""event":"request","n":1,"op":"discover","setting":{"adapter":"hci0"}"#, #""event":"response","n":1"#,
        #""event":"heard","device":"\#(address)","addressType":"random","rssi":-60,"name":"Strap""#,
        #""event":"request","n":2,"op":"connect","device":"\#(address)""#,
        #""event":"connected","device":"\#(address)","mtu":185"#, #""event":"response","n":2"#,
    ]
    nonisolated static let resolved = [database, #""event":"device","device":"\#(address)","resolved":true"#]

    private init(_ bluez: ReplayedBlueZ) {
        self.bluez = bluez
        central = CentralManager(bus: .address(bluez.address))
    }

    /// Runs a client on a recording.
    ///
    /// - Parameters:
    ///   - lines: the events without braces. Those without times are a millisecond apart.
    ///   - patience: how long events wait for requests.
    static func run(
        _ lines: [String], origin: String = "bluetoothd", isFast: Bool = true, patience: Duration = .seconds(600),
        _ body: @BluetoothActor (Replayed) async throws -> Void
    ) async throws {
        var options = Replay.Options()
        options.isFast = isFast
        options.patience = patience
        let bluez = try await ReplayedBlueZ(try plan(lines, origin: origin), options)
        try await BluetoothActor.run {
            let replayed = Replayed(bluez)
            try await replayed.central.waitUntilPoweredOn(timeout: Patience.timeout)
            try await body(replayed)
        }
    }

    nonisolated static func plan(_ lines: [String], origin: String = "bluetoothd") throws -> ReplayPlan {
        var text = #"{"gatt-recording":1,"origin":"\#(origin)","began":"2026-11-26T10:00:00.000000Z"}"# + "\n"
        for (index, line) in lines.enumerated() {
            let time = "\"t\":\(index / 1000).\(String(format: "%03d", index % 1000)),"
            text += "{\(line.hasPrefix("\"t\":") ? "" : time)\(line)}\n"
        }
        var reader = try RecordingReader(ByteSource(Array(text.utf8)))
        return try ReplayPlan(reader.header.origin) { try reader.next() }
    }

    /// What the client asked for that is not recorded.
    var unrecorded: [String] {
        get async { await bluez.unrecordedRequests }
    }

    func find() async throws -> Peripheral {
        try await central.firstPeripheral(timeout: Patience.timeout) { peripheral, _ in
            peripheral.address?.description == Self.address
        }
    }

    func connected() async throws -> Peripheral {
        let peripheral = try await find()
        try await peripheral.connect()
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        return peripheral
    }
}

extension Peripheral {
    func rate() throws -> Characteristic { try #require(self[0x180D]?[0x2A37]) }
    func control() throws -> Characteristic { try #require(self[0x180D]?[0x2A39]) }
}
