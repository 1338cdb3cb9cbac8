import BlueZSimulator
import Foundation
import TestSupport
import Testing

/// The programs in Snippets that use Apple's symbols only.
@Suite struct SnippetTests {
    private static let strap = PeripheralSpecification(
        name: "Strap", address: "C0:FF:EE:00:00:01",
        advertisement: AdvertisementData(localName: "Strap", serviceUUIDs: [0x180D]),
        services: [
            ServiceSpecification(
                0x180D,
                characteristics: [
                    CharacteristicSpecification(
                        0x2A37, .notify,
                        notifications: NotificationSeries([[0, 61], [0, 62]], every: .milliseconds(5))),
                    CharacteristicSpecification(0x2A38, .read, value: [2]),
                ]),
            ServiceSpecification(
                0x180F, characteristics: [CharacteristicSpecification(0x2A19, .read, value: [80])]),
        ])

    @Test("A heart-rate program for iPhones runs on the main queue, and connects again after a lost link")
    func heartRate() async throws {
        let simulator = try await SimulatorFixture(peripheral: Self.strap)
        let run = try ProgramRun(program: "HeartRateDelegate", [], environment: simulator.environment)
        try await run.wait(for: "values") { run.output.contains("heart rate: 62") }
        #expect(run.output.contains("found Strap -60") && run.output.contains("location: 2"))
        await simulator.disconnect()
        try await run.wait(for: "the end of the link") {
            run.output.contains("disconnected: The link to Strap was lost")
        }
        let count = run.lines.count
        try await run.wait(for: "further values") { run.lines.dropFirst(count).contains("heart rate: 61") }
        run.signal(SIGTERM)
        #expect(try await run.status() == 128 + SIGTERM)
    }

    @Test("A program for iPhones runs on a queue of its own")
    func backgroundQueue() async throws {
        let simulator = try await SimulatorFixture(peripheral: Self.strap)
        let run = try ProgramRun(program: "BackgroundQueue", [], environment: simulator.environment)
        #expect(try await run.status() == 0)
        #expect(run.lines == ["battery level: 80 %"])
        #expect(await simulator.perform { !$0.peripheral.isConnected })
    }
}
