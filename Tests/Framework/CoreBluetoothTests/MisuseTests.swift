import CoreBluetooth
import TestSupport
import Testing

/// What is called in a wrong state, each in a process of its own, whose log is read.
@Suite struct MisuseTests {
    @Test("A manager that is not powered on does nothing, and says so")
    func notPoweredOn() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Self.usePoweredOff()
        }
        let sentence = "can only accept this command while in the powered on state"
        #expect(result?.errors.contains("API MISUSE: <CBCentralManager: 0x") == true)
        #expect((result?.errors.components(separatedBy: sentence).count ?? 0) == 3)
    }

    @MainActor private static func usePoweredOff() async throws {
        let central = CBCentralManager()
        central.scanForPeripherals(withServices: nil)
        guard !central.isScanning, central.retrievePeripherals(withIdentifiers: [UUID()]).isEmpty else {
            throw Failure(description: "The manager does something")
        }
    }

    @Test("A peripheral that is not connected does nothing, and says so")
    func notConnected() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Self.useUnconnected()
        }
        let sentence = "name = Watch, mtu = 23, state = disconnected> can only accept commands while in the connected"
        #expect(result?.errors.contains(sentence) == true)
    }

    @MainActor private static func useUnconnected() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.find()
        peripheral.discoverServices(nil)
        try await stand.next("connected") { stand.central.connect(peripheral) }
        if stand.recorder.count("services") > 0 { throw Failure(description: "There are services") }
    }

    @Test("A write without response to a characteristic that takes none is ignored, and the log says so")
    func ignoredCommand() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Self.sendIgnored()
        }
        let sentence = #"does not specify the "Write Without Response" property - ignoring response-less write"#
        #expect(result?.errors.contains(sentence) == true)
    }

    @MainActor private static func sendIgnored() async throws {
        let stand = try await Stand()
        let (peripheral, value) = try await stand.discover(Stand.value)
        peripheral.writeValue(Data([1]), for: value, type: .withoutResponse)
        try await stand.next("written") { peripheral.writeValue(Data([2]), for: value, type: .withResponse) }
        if await stand.simulator.writes != [[2]] { throw Failure(description: "The write is not ignored") }
    }

    @Test("A client's configuration that is written stops the program with Apple's sentence")
    func configuration() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            expectStop()
            try await Self.writeConfiguration()
        }
        let sentence =
            "Client Characteristic Configuration descriptors must be configured using setNotifyValue:forCharacteristic:"
        #expect(result?.errors.contains(sentence) == true)
    }

    @MainActor private static func writeConfiguration() async throws {
        let stand = try await Stand()
        let (peripheral, updates) = try await stand.discover(Stand.updates)
        try await stand.next("descriptors") { peripheral.discoverDescriptors(for: updates) }
        if let configuration = updates.descriptors?.first { peripheral.writeValue(Data([1, 0]), for: configuration) }
    }

    @Test("A peripheral that is released while it is connected is reported as unused")
    func unused() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Self.connectUnused()
        }
        #expect(result?.errors.contains("API MISUSE: Cancelling connection for unused peripheral <CBPeriph") == true)
        #expect(result?.errors.contains("Did you forget to keep a reference to it?") == true)
    }

    @MainActor private static func connectUnused() async throws {
        let simulator = try await SimulatorFixture()
        let central = try await { @MainActor in
            let stand = try await Stand(simulator)
            _ = try await stand.connect()
            return stand.central
        }()
        try await eventually("the end") { await simulator.perform { !$0.peripheral.isConnected } }
        withExtendedLifetime(central) {}
    }
}
