import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// What was asked of an object that nobody holds any longer ends once, and soon.
///
/// `COREBLUEZ_TEST_ROUNDS` says how often each is tried.
@Suite(.serialized, .virtualTime) struct ReleasedObjectTests {
    private static let rounds = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_ROUNDS"].flatMap(Int.init) ?? 1
    fileprivate typealias Completion = @BluetoothActor (BluetoothError?) -> Void

    enum Request: CaseIterable, Sendable {
        case connect, connectAndDiscover, discoverServices, disconnect, pair, readRSSI, trust, openChannel

        @BluetoothActor fileprivate func begin(_ peripheral: Peripheral, _ ended: @escaping Completion) {
            switch self {
            case .connect: peripheral.connect(completion: ended)
            case .connectAndDiscover: peripheral.connectAndDiscover { ended($1) }
            case .discoverServices: peripheral.discoverServices { ended($1) }
            case .disconnect: peripheral.disconnect(completion: ended)
            case .pair: peripheral.pair(completion: ended)
            case .readRSSI: peripheral.readRSSI { ended($1) }
            case .trust: peripheral.setTrusted(true, completion: ended)
            case .openChannel: peripheral.openRFCOMMChannel(.serialPort) { ended($1) }
            }
        }
    }

    enum Loss: CaseIterable, Sendable {
        /// The manager has removed the peripheral from its list.
        case removed
        /// bluetoothd has forgotten the device.
        case forgotten
    }

    @Test(
        "A request to a peripheral that is released in the same turn ends once, and soon",
        arguments: Request.allCases, Loss.allCases)
    @BluetoothActor func peripheral(request: Request, loss: Loss) async throws {
        let fixture = try await PeripheralFixture()
        var ends: [BluetoothError?] = []
        for round in 1...Self.rounds {
            var peripheral: Peripheral? = try await fixture.find()
            switch loss {
            case .removed: fixture.central.removePeripheral(try #require(peripheral))
            case .forgotten:
                try await fixture.simulator.removeAfterScan()
                try await eventually("the removal") { fixture.central.peripherals.isEmpty }
            }
            request.begin(try #require(peripheral)) { ends.append($0) }
            peripheral = nil
            #expect(ends.count == round - 1)
            try await eventually("the end of round \(round)", within: .seconds(5)) { ends.count == round }
        }
        await fixture.central.settle()
        let code: BluetoothError.Code = loss == .removed ? .cancelled : .peripheralGone
        let expected = request == .disconnect ? nil : code
        #expect(ends.map { $0?.code } == Array(repeating: expected, count: Self.rounds))
    }

    enum AttributeRequest: CaseIterable, Sendable {
        case characteristics, includedServices, descriptors, read, readPart, write, writePart, notify, acquireNotify
        case acquireWrite

        @BluetoothActor fileprivate func begin(_ service: Service, _ ended: @escaping Completion) {
            let value = service.characteristic(SimulatorFixture.value)
            let updates = service.characteristic(SimulatorFixture.updates)
            switch self {
            case .characteristics: service.discoverCharacteristics { ended($1) }
            case .includedServices: service.discoverIncludedServices { ended($1) }
            case .descriptors: value.discoverDescriptors { ended($1) }
            case .read: value.readValue { ended($1) }
            case .readPart: value.readValue(fromOffset: 1) { ended($1) }
            case .write: value.writeByte(1, completion: ended)
            case .writePart: value.writeValue(Data([1]), atOffset: 1, completion: ended)
            case .notify: updates.setNotifyValue(true, completion: ended)
            case .acquireNotify: updates.acquireNotify(received: { _ in }, ended: { _ in }) { ended($1) }
            case .acquireWrite: updates.acquireWrite(ended: { _ in }) { ended($1) }
            }
        }
    }

    @Test(
        "A request to an attribute whose peripheral is released in the same turn ends once, and soon",
        arguments: AttributeRequest.allCases)
    @BluetoothActor func attribute(request: AttributeRequest) async throws {
        let fixture = try await PeripheralFixture()
        _ = try await fixture.connect()
        var ends: [BluetoothError?] = []
        for round in 1...Self.rounds {
            var peripheral = fixture.central.retrieveKnownPeripherals().first
            try await peripheral?.connect()
            try await peripheral?.discoverServices()
            var service = peripheral?[SimulatorFixture.service]
            fixture.central.removePeripheral(try #require(peripheral))
            request.begin(try #require(service)) { ends.append($0) }
            peripheral = nil
            service = nil
            try await eventually("the end of round \(round)", within: .seconds(5)) { ends.count == round }
        }
        await fixture.central.settle()
        #expect(ends.count == Self.rounds)
        #expect(ends.allSatisfy { $0?.code == .cancelled || $0?.code == .notConnected })
    }

    @Test("Values for a socket that bluetoothd has closed end once, although nobody holds the writer any longer")
    @BluetoothActor func writer() async throws {
        for _ in 1...Self.rounds {
            let (mine, theirs) = try PacketSocket.pair()
            let message = try Message.signal(path: .root, interface: "org.bluez.Test", member: "Test")
            try message.write { (writer) throws(DBusError) in
                try writer.append(mine.descriptor)
                try writer.append(UInt16(23))
            }
            let central = CentralManager(bus: .address("unix:path=/nonexistent"))
            let life = Operation<Void>(
                "The socket", on: nil, needsConnection: false, limit: nil, in: central.operations
            ) { _ in }
            var reader = message.reader
            let socket = try AcquiredSocket(&reader, lifetime: life, client: central.client)
            let characteristic = Characteristic(name: nil, uuid: 0x2A00, service: Service(name: "S", uuid: 0x1800))
            var writer: AcquiredWriter? = AcquiredWriter(characteristic, socket, stallLimit: .seconds(60))
            theirs.shutDown()
            var ends: [BluetoothError?] = []
            writer?.writeInChunks(Data(count: 100)) { ends.append($0) }
            writer = nil
            // bluetoothd reports the reason a little later than the socket's end.
            await central.settle()
            life.fail(BluetoothError(.disconnected, "The link ended"))
            try await eventually("the end", within: .seconds(5)) { !ends.isEmpty }
            #expect(ends.map { $0?.code } == [.disconnected])
        }
    }
}
