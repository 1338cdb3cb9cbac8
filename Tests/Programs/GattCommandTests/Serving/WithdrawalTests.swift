import BlueZSimulator
import CoreBlueZ
import Foundation
import PeripheralServer
import TestSupport
import Testing

/// The end of what a program offers.
@Suite("The end of gatt serve and gatt advertise", .timeLimit(.minutes(10))) struct WithdrawalTests {
    private static let file = #"{"name": "Strap", "services": [{"uuid": "180D"}, {"uuid": "180F"}]}"#
    private static let waiting = "Waiting for bluetoothd, which has not replied yet"
    private static let gone =
        "bluetoothd has not replied; it removes what a program has offered when the program has ended"

    /// A simulator in which calls that end something get no reply.
    private static func hung(_ isHung: Bool = true) async throws -> SimulatedBlueZ {
        let bluez = try await SimulatorFixture.start()
        await SimulatorActor.run {
            bluez.keepsCalls = true
            guard isHung else { return }
            bluez.simulateReply(.silence, to: "UnregisterApplication", of: "org.bluez.GattManager1", times: 9)
            bluez.simulateReply(
                .silence, to: "UnregisterAdvertisement", of: "org.bluez.LEAdvertisingManager1", times: 9)
        }
        return bluez
    }

    /// The calls that end an advertisement and services.
    private static func ends(_ services: Int) -> [String] {
        ["UnregisterAdvertisement"] + Array(repeating: "UnregisterApplication", count: services)
    }

    private static func ends(_ bluez: SimulatedBlueZ) async -> [String] {
        await SimulatorActor.run { bluez.calls.map(\.member).filter { $0.hasPrefix("Unregister") }.sorted() }
    }

    @Test("Everything ends at the same time, and a wait that is too long is reported", arguments: [false, true])
    func together(isHung: Bool) async throws {
        let bluez = try await Self.hung(isHung)
        try await BluetoothActor.run {
            let manager = PeripheralManager(bus: .address(bluez.address))
            try await manager.waitUntilPoweredOn(timeout: Patience.timeout)
            try await manager.publish(LocalService(0x180D))
            try await manager.publish(LocalService(0x180F))
            try await manager.startAdvertising(LocalAdvertisement(localName: "Strap"))
            var notes: [String] = []
            let begin = ContinuousClock.now
            await manager.withdrawAll(within: isHung ? .milliseconds(200) : Patience.timeout) { notes.append($0) }
            #expect(ContinuousClock.now - begin < Patience.scaled(.seconds(10)))
            #expect(notes == (isHung ? [Self.waiting, Self.gone] : []))
            #expect(manager.services.isEmpty && manager.advertisements.isEmpty)
            try await Patience.wait(for: "the calls") {
                await Self.ends(bluez) == Self.ends(2)
            }
            await manager.withdrawAll { _ in }
        }
    }

    @Test("Ctrl-C takes seconds if bluetoothd hangs, and says why", arguments: ["serve", "advertise"])
    func program(_ command: String) async throws {
        let bluez = try await Self.hung()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("served-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("strap.json").path
        try Data(Self.file.utf8).write(to: URL(fileURLWithPath: path))
        let run = try ProgramRun(
            program: "gatt", command == "serve" ? ["serve", path] : ["advertise", "--name", "Strap"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bluez.address])
        try await run.wait(for: "the offer") { run.errors.contains("Ctrl-C ends it") }
        let begin = ContinuousClock.now
        run.signal(SIGINT)
        #expect(try await run.status() == 128 + SIGINT)
        #expect(ContinuousClock.now - begin < Patience.scaled(.seconds(20)))
        #expect(run.errors.hasSuffix("\(Self.waiting)\n\(Self.gone)\n"))
        let services = command == "serve" ? 2 : 0
        #expect(
            await Self.ends(bluez) == Self.ends(services))
    }
}
