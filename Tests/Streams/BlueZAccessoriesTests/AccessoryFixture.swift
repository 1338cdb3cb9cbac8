import BlueZAccessories
import BlueZClassic
import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// The tests that have a simulator of their own: a few at a time, so that they do not wait for one another.
@Suite(.serialized) struct AccessoryPorts {}

enum Name {
    static let uart = "com.example.uart"
    static let twin = "com.example.twin"
    static let port = "com.example.port"
    static let meter = "com.example.meter"
    static let meterUUID: BluetoothUUID = "C1A50000-7A6B-4D5E-8F90-1A2B3C4D5E6F"

    static let all = [
        AccessoryProtocol(uart, over: .serial(.nordic)),
        AccessoryProtocol(twin, over: .serial(.nordic)),
        AccessoryProtocol(port, over: .rfcomm(uuid: .serialPort)),
        AccessoryProtocol(
            meter,
            over: .rfcomm(
                RFCOMMProfile(meterUUID, role: .both, requiresAuthorization: false, connectsAutomatically: false))),
    ]
}

/// A simulated bluetoothd with a serial device over GATT that says who it is, a classic device with two RFCOMM services, and a
/// device that speaks nothing of this. All send back what they get.
@SimulatorActor final class AccessorySimulator: SimulatorFixture {
    let uart: SimulatedSerialDevice
    let classic: SimulatedPeripheral

    nonisolated static let uartAddress = BluetoothAddress("00:AA:02:00:00:77")
    nonisolated static let classicAddress = BluetoothAddress("00:AA:02:00:00:01")
    nonisolated static let strangerAddress = BluetoothAddress("00:AA:02:00:00:99")

    init(timing: Timing = .instant, saysWhoItIs: Bool = true) async throws {
        var timing = timing
        timing.idleLink = .seconds(60)
        let bluez = try await Self.start(.init(timing: timing))
        bluez.keepsCalls = true
        let information = ServiceSpecification.deviceInformation(
            manufacturer: "Example Inc.", modelNumber: "U-1", serialNumber: "0042", firmwareRevision: "1.2",
            hardwareRevision: "B\0")
        let serial = SerialProfile.nordic.specification(writing: [.write, .writeWithoutResponse])
        let peripheral = try bluez.add(
            PeripheralSpecification(
                name: "UART", address: "00:AA:02:00:00:77", advertisingInterval: .milliseconds(100),
                services: [serial] + (saysWhoItIs ? [information] : [])))
        uart = SimulatedSerialDevice(peripheral, .nordic, script: EchoScript())
        let meter = Name.meterUUID
        classic = try bluez.add(
            PeripheralSpecification(
                name: "Classic", address: "00:AA:02:00:00:01", advertisingInterval: .milliseconds(100),
                classic: ClassicSpecification(services: [.serialPort, meter])))
        classic.channelHandler = { $0.echo() }
        try bluez.add(
            PeripheralSpecification(
                name: "Stranger", address: "00:AA:02:00:00:99", advertisingInterval: .milliseconds(100),
                services: [ServiceSpecification(0x180F)]))
        super.init(bluez, peripheral)
    }
}

/// A manager of accessories.
@BluetoothActor final class AccessoryFixture: CentralFixture<AccessorySimulator> {
    private(set) var manager: AccessoryManager
    var notified: [String] = []

    init(_ simulator: AccessorySimulator, _ protocols: [AccessoryProtocol]) async throws {
        let central = try await Self.poweredOn(simulator)
        manager = AccessoryManager(central, protocols: protocols)
        super.init(simulator, central)
    }

    required convenience init(_ simulator: AccessorySimulator) async throws {
        try await self.init(simulator, Name.all)
    }

    static func run(
        _ simulator: AccessorySimulator, _ protocols: [AccessoryProtocol],
        _ body: @BluetoothActor (AccessoryFixture) async throws -> Void
    ) async throws {
        try await BluetoothActor.run { try await body(try await AccessoryFixture(simulator, protocols)) }
    }

    /// Makes another manager in place of the first.
    func replaceManager() { manager = AccessoryManager(central, protocols: Name.all) }

    func note() {
        manager.notificationHandler = { [self] in
            switch $0 {
            case .connected(let accessory): notified.append("+\(accessory.name)")
            case .disconnected(let accessory): notified.append("-\(accessory.name)")
            }
        }
    }

    func find(_ address: BluetoothAddress?) async throws -> Peripheral {
        try await central.firstPeripheral(timeout: .ample, transport: .auto) { found, _ in
            found.address == address
        }
    }

    @discardableResult
    func connect(_ address: BluetoothAddress?) async throws -> Peripheral {
        let peripheral = try await find(address)
        let transport: BluetoothTransport = address == AccessorySimulator.classicAddress ? .bredr : .le
        try await peripheral.connect(options: ConnectOptions(timeout: .ample, transport: transport))
        return peripheral
    }

    func accessory(_ address: BluetoothAddress? = AccessorySimulator.uartAddress) async throws -> Accessory {
        try await connect(address)
        return try await listed(address)
    }

    func listed(_ address: BluetoothAddress?) async throws -> Accessory {
        try await eventually("the accessory") {
            manager.connectedAccessories.contains { $0.peripheral.address == address }
        }
        return try #require(manager.connectedAccessories.first { $0.peripheral.address == address })
    }

    func session(_ protocolString: String = Name.uart) async throws -> AccessorySession {
        let isClassic = [Name.port, Name.meter].contains(protocolString)
        let address = isClassic ? AccessorySimulator.classicAddress : AccessorySimulator.uartAddress
        return try await accessory(address).openSession(for: protocolString)
    }
}
