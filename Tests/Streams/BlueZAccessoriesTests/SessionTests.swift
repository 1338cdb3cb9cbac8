import BlueZAccessories
import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension AccessoryPorts {
    @Suite(.virtualTime) struct SessionTests {
        @Test("Bytes go both ways through a session", arguments: [Name.uart, Name.port])
        @BluetoothActor func bothWays(_ name: String) async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(name)
            #expect(session.isOpen && session.protocolString == name)
            #expect(session.accessory.sessions.map(ObjectIdentifier.init) == [ObjectIdentifier(session)])
            try await session.output.write(pattern(5000))
            var taken = Data()
            while taken.count < 5000, let bytes = try await session.input.read() { taken += bytes }
            #expect(taken == pattern(5000))
            session.close()
        }

        @Test("There is one session for a protocol; a second is an error until the first is closed")
        @BluetoothActor func second() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session()
            let accessory = session.accessory
            #expect(await fixture.failureCode { try await accessory.openSession(for: Name.uart) } == .sessionExists)
            session.close()
            let again = try await accessory.openSession(for: Name.uart)
            #expect(again.isOpen && !session.isOpen)
            try await again.output.write(Data("again".utf8))
            #expect(try await again.input.read() == Data("again".utf8))
        }

        @Test("Two sessions for a protocol that are opened at a time: one is an error")
        @BluetoothActor func race() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let accessory = try await fixture.accessory()
            var sessions: [AccessorySession] = []
            var errors: [BluetoothError.Code?] = []
            for _ in 0..<2 {
                accessory.openSession(for: Name.uart) { session, error in
                    if let session { sessions.append(session) } else { errors.append(error?.code) }
                }
            }
            try await eventually("both") { sessions.count + errors.count == 2 }
            #expect(errors == [.sessionExists])
        }

        @Test("Sessions for several protocols of an accessory are open at a time")
        @BluetoothActor func several() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let port = try await fixture.session(Name.port)
            let meter = try await port.accessory.openSession(for: Name.meter)
            try await port.output.write(Data("port".utf8))
            try await meter.output.write(Data("meter".utf8))
            #expect(try await port.input.read() == Data("port".utf8))
            #expect(try await meter.input.read() == Data("meter".utf8))
            #expect(port.accessory.sessions.count == 2)
        }

        @Test("Protocols that share a port have one session at a time; the error names the one that has the port")
        @BluetoothActor func shared() async throws {
            let names = ["com.example.one", "com.example.two"]
            let protocols = names.map { AccessoryProtocol($0, over: .rfcomm(uuid: .serialPort)) }
            try await AccessoryFixture.run(try await AccessorySimulator()) { fixture in
                try await expectShared(Name.uart, Name.twin, of: try await fixture.accessory())
            }
            let fixture = try await AccessoryFixture(try await AccessorySimulator(), protocols)
            try await expectShared(
                names[0], names[1], of: try await fixture.accessory(AccessorySimulator.classicAddress))
        }

        @BluetoothActor private func expectShared(
            _ one: String, _ two: String, of accessory: Accessory
        ) async throws {
            var sessions: [AccessorySession] = []
            var errors: [BluetoothError] = []
            for name in [one, two] {
                accessory.openSession(for: name) { session, error in
                    if let session { sessions.append(session) }
                    if let error { errors.append(error) }
                }
            }
            try await eventually("both") { sessions.count + errors.count == 2 }
            #expect(errors.map(\.code) == [.sessionExists])
            let holder = try #require(sessions.first).protocolString
            let error = await #expect(throws: BluetoothError.self) {
                try await accessory.openSession(for: holder == one ? two : one)
            }
            #expect(error?.code == .sessionExists && error?.message.contains(holder) == true)
            #expect(accessory.sessions.count == 1 && sessions.first?.isOpen == true)
            sessions.first?.close()
            let other = try await accessory.openSession(for: holder == one ? two : one)
            try await other.output.write(Data("other".utf8))
            #expect(try await other.input.read() == Data("other".utf8))
        }

        @Test("A protocol that the accessory does not speak, and an accessory that is gone, are errors")
        @BluetoothActor func refused() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let accessory = try await fixture.accessory()
            #expect(await fixture.failureCode { try await accessory.openSession(for: Name.port) } == .notSupported)
            await simulator.perform { $0.uart.peripheral.simulateDisconnection() }
            try await eventually("the disconnection") { !accessory.isConnected }
            #expect(await fixture.failureCode { try await accessory.openSession(for: Name.uart) } == .notConnected)
        }

        @Test("The first accessory that speaks a protocol gets the session, now or when it connects")
        @BluetoothActor func first() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            async let waiting = fixture.manager.openFirstSession(for: Name.uart, timeout: .ample)
            try await fixture.connect(AccessorySimulator.uartAddress)
            let session = try await waiting
            #expect(session.accessory.name == "UART")
            session.close()
            var other: AccessorySession?
            fixture.manager.openFirstSession(for: Name.uart, timeout: .ample) { session, _ in
                other = session
            }
            try await eventually("the session") { other?.isOpen == true }
        }

        @Test("If several accessories speak a protocol, the application chooses, or each call gets another one")
        func choosing() async throws {
            let simulator = try await AccessorySimulator()
            let second = try await simulator.perform {
                try SimulatedSerialDevice(in: $0.bluez, name: "Second", address: "00:AA:02:00:00:78")
            }
            try await AccessoryFixture.run(simulator) { fixture in
                let manager = fixture.manager
                _ = try await fixture.accessory()
                _ = try await fixture.accessory(BluetoothAddress("00:AA:02:00:00:78"))
                #expect(
                    manager.connectedAccessories.map(\.protocolStrings) == [
                        [Name.uart, Name.twin], [Name.uart, Name.twin],
                    ])
                let isSecond: @BluetoothActor (Accessory) -> Bool = { $0.name == "Second" }
                #expect(try await manager.firstAccessory(speaking: Name.uart, where: isSecond).name == "Second")
                let chosen = try await manager.openFirstSession(for: Name.uart, timeout: .zero, where: isSecond)
                #expect(chosen.accessory.name == "Second")
                chosen.close()
                var sessions: [AccessorySession?] = []
                for _ in 0..<2 {
                    manager.openFirstSession(for: Name.uart, timeout: .ample) { session, error in
                        sessions.append(session)
                        #expect(error == nil)
                    }
                }
                try await eventually("both") { sessions.count == 2 }
                #expect(Set(sessions.map { $0?.accessory.name }) == ["UART", "Second"])
            }
            await simulator.perform { _ in withExtendedLifetime(second) {} }
        }

        @Test("A program that starts because of a link gets the session of its accessory, and none of a stranger")
        @BluetoothActor func started() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            try await fixture.connect(AccessorySimulator.strangerAddress)
            fixture.replaceManager()
            let code = await fixture.failureCode {
                try await fixture.manager.openFirstSession(for: Name.uart, timeout: .milliseconds(200))
            }
            #expect(code == .timedOut)
            try await fixture.connect(AccessorySimulator.uartAddress)
            fixture.replaceManager()
            let session = try await fixture.manager.openFirstSession(for: Name.uart, timeout: .ample)
            #expect(session.isOpen && session.accessory.name == "UART")
        }

        @Test("Without such an accessory, or with an undeclared protocol, waiting for the first one is an error")
        @BluetoothActor func none() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let manager = fixture.manager
            let late = await fixture.failureCode {
                try await manager.openFirstSession(for: Name.uart, timeout: .milliseconds(50))
            }
            #expect(late == .timedOut)
            let undeclared = await fixture.failureCode {
                try await manager.openFirstSession(for: "com.example.none")
            }
            #expect(undeclared == .invalidArguments)
            // Nothing is waited for; what is there counts.
            let now = await fixture.failureCode {
                try await manager.openFirstSession(for: Name.uart, timeout: .zero)
            }
            #expect(now == .timedOut)
            _ = try await fixture.accessory()
            let session = try await manager.openFirstSession(for: Name.uart, timeout: .zero)
            #expect(session.isOpen)
            let used = await fixture.failureCode {
                try await manager.openFirstSession(for: Name.uart, timeout: .zero)
            }
            #expect(used == .sessionExists)
        }

        @Test("Waiting for an accessory ends when the manager is released")
        @BluetoothActor func released() async throws {
            let central = CentralManager(bus: .address("unix:path=/nonexistent"))
            var manager: AccessoryManager? = AccessoryManager(central, protocols: Name.all)
            var ends: [BluetoothError?] = []
            manager?.firstAccessory(speaking: Name.uart, timeout: .seconds(60)) { ends.append($1) }
            manager?.ready(timeout: .seconds(60)) { ends.append($0) }
            manager = nil
            try await eventually("the end", within: .seconds(5)) { ends.count == 2 }
            #expect(ends.map { $0?.code } == [.cancelled, .cancelled])
        }

        @Test("A channel that connecting opened is the session's")
        @BluetoothActor func automatic() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session(Name.port)
            try await session.output.write(Data("hello".utf8))
            #expect(try await session.input.read() == Data("hello".utf8))
            #expect(await simulator.perform { $0.bluez.calls.filter { $0.member == "ConnectProfile" }.isEmpty })
        }

        @Test("A channel that the accessory opened waits for its session, with what came first")
        @BluetoothActor func opened() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let uuid = Name.meterUUID
            // Nobody takes the channel until bluetoothd knows the application's profile.
            try await eventually("the channel") {
                await withCheckedContinuation { continuation in
                    SimulatorActor.schedule(after: .zero) {
                        simulator.bluez.simulateRFCOMMConnection(of: simulator.classic, to: uuid) {
                            $0?.send(Array("first".utf8))
                            continuation.resume(returning: $0 != nil)
                        }
                    }
                }
            }
            let accessory = try await fixture.listed(AccessorySimulator.classicAddress)
            let session = try await accessory.openSession(for: Name.meter)
            #expect(try await session.input.read() == Data("first".utf8))
            #expect(await simulator.perform { $0.bluez.calls.filter { $0.member == "ConnectProfile" }.isEmpty })
        }

        @Test("A session that nobody has any more is closed")
        @BluetoothActor func dropped() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            var session: AccessorySession? = try await fixture.session(Name.port)
            #expect(session?.isOpen == true)
            var ends = 0
            session?.observeEnd { ends += 1 }
            session = nil
            try await eventually("the device's end") {
                await simulator.perform { $0.classic.channels.allSatisfy { !$0.isOpen } }
            }
            #expect(ends == 1)
        }

        @Test("A lost accessory ends the session, once, with the reason")
        @BluetoothActor func lost() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session()
            var ends: [BluetoothError.Code?] = []
            var observed: [String] = []
            for name in ["first", "second"] { session.observeEnd { observed.append(name) } }
            session.endHandler = { ends.append($0?.code) }
            await simulator.perform { $0.uart.peripheral.simulateDisconnection() }
            try await eventually("the end") { ends.count == 1 }
            session.close()
            session.observeEnd { observed.append("late") }
            try await eventually("the observers") { observed == ["first", "second", "late"] }
            #expect(ends == [.disconnected] && session.endError?.code == .disconnected && !session.isOpen)
            #expect(await fixture.failureCode { try await session.output.write(Data([1])) } == .notConnected)
        }
    }
}
