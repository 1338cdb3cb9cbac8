import BlueZDBus
import BlueZServer
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import BlueZSimulator
@testable import CoreBlueZ

/// Beside another program: its links and attempts stay, and this program's end.
@Suite(.virtualTime) struct OwnLinkTests {
    /// A fixture with a peripheral that is found, out of range, and that the other program is connecting or pairing.
    private func run(
        _ version: BlueZVersion, otherCalls member: String? = "Connect",
        _ body: @BluetoothActor (PeripheralFixture, Peripheral, Stranger) async throws -> Void
    ) async throws {
        var configuration = SimulatedBlueZ.Configuration(timing: .instant)
        configuration.version = version
        try await PeripheralFixture.run(configuration) { fixture in
            let peripheral = try await fixture.find()
            let other = try await Stranger(fixture.simulator.bus)
            await fixture.simulator.vanish()
            await fixture.simulator.keepCalls()
            if let member { try await Self.begin(member, other, fixture) }
            try await body(fixture, peripheral, other)
        }
    }

    /// Begins a call of the other program, and waits until bluetoothd has it.
    private static func begin(_ member: String, _ other: Stranger, _ fixture: PeripheralFixture) async throws {
        Task {
            _ = try await other.call("org.bluez", member, of: BlueZ.device, at: SimulatorFixture.device, [])
        }
        try await eventually("the other program's \(member)") {
            await fixture.simulator.calls(member).contains { $0.sender == other.name }
        }
    }

    /// The calls of this program.
    private static func members(_ fixture: PeripheralFixture, _ other: Stranger) async -> [String] {
        await fixture.simulator.bluez.calls.filter { $0.sender != other.name }.map(\.member)
    }

    private static func expectNoEnd(_ fixture: PeripheralFixture, _ other: Stranger) async throws {
        try await fixture.central.barrier()
        let members = await members(fixture, other)
        #expect(!members.contains("Disconnect") && !members.contains("CancelPairing"))
    }

    @Test(
        "A timeout leaves another program's attempt, and says that it connects",
        arguments: [false, true])
    func timeout(isNew: Bool) async throws {
        try await run(isNew ? .v5_82 : .v5_66) { fixture, peripheral, other in
            let options = ConnectOptions(timeout: .milliseconds(50).stretched)
            let error = await fixture.failure { try await peripheral.connect(options: options) }
            #expect(error?.code == .connectionTimedOut)
            #expect(error?.message.contains("another program is connecting it") == true)
            #expect(peripheral.state == .disconnected)
            try await Self.expectNoEnd(fixture, other)
            await fixture.simulator.peripheral.simulateReturn()
            try await eventually("its link") { peripheral.isConnected }
            #expect(!peripheral.hasOwnLink)
        }
    }

    @Test(
        "A link that another program made while this one waited for it stays after a scope, and after the manager",
        arguments: [false, true])
    func joined(isNew: Bool) async throws {
        try await run(isNew ? .v5_82 : .v5_66) { fixture, peripheral, other in
            do {
                let manager = CentralManager(bus: fixture.simulator.bus)
                manager.disconnectsAtEnd = true
                let twin = try #require(manager.retrieveKnownPeripherals().first)
                async let connecting: Void = twin.connect()
                async let using: Void = peripheral.withConnection { #expect(!peripheral.hasOwnLink) }
                try await eventually("the refusals") { await Self.members(fixture, other).count >= 6 }
                await fixture.simulator.peripheral.simulateReturn()
                _ = try await (connecting, using)
                #expect(!twin.hasOwnLink)
                try await twin.disconnectOwnLink()
            }
            try await Self.expectNoEnd(fixture, other)
            #expect(peripheral.isConnected)
        }
    }

    @Test("Preparing that fails leaves a link that another program made meanwhile")
    func preparing() async throws {
        try await run(.v5_82) { fixture, peripheral, other in
            await fixture.simulator.perform { $0.peripheral.connectionFault = .stalledDiscovery }
            let time = Duration.milliseconds(1500).stretched
            async let failing = fixture.failure { try await peripheral.connectAndDiscover(timeout: time) }
            try await eventually("the refusal") {
                await Self.members(fixture, other).contains("Connect")
            }
            await fixture.simulator.peripheral.simulateReturn()
            #expect(await failing?.code == .connectionTimedOut)
            try await Self.expectNoEnd(fixture, other)
            #expect(peripheral.isConnected)
        }
    }

    @Test("A connect that is cancelled before bluetoothd has refused it leaves another program's attempt")
    func cancelledAtOnce() async throws {
        try await run(.v5_66) { fixture, peripheral, other in
            for _ in 1...20 {
                var ends: [BluetoothError?] = []
                let operation = peripheral.startConnecting(ConnectOptions()) { ends.append($0.failure) }
                // The call is sent by then, and its reply can't be there.
                while !fixture.central.client.isPending(.connect, at: peripheral.path), ends.isEmpty {
                    await Task.yield()
                }
                operation.fail(.cancelled("Connecting"))
                #expect(ends.map { $0?.code } == [.cancelled])
                try await Self.expectNoEnd(fixture, other)
                #expect(peripheral.state == .disconnected)
            }
        }
    }

    @Test("A disconnect right after a connect cancels it", arguments: [false, true])
    func disconnectedAtOnce(ownOnly: Bool) async throws {
        try await run(.v5_66, otherCalls: nil) { fixture, peripheral, other in
            var ends: [BluetoothError.Code?] = []
            peripheral.connect { ends.append($0?.code) }
            #expect(peripheral.state == .connecting)
            if ownOnly {
                peripheral.disconnectOwnLink { ends.append($0?.code) }
            } else {
                peripheral.disconnect { ends.append($0?.code) }
            }
            try await eventually("both completions") { ends.count == 2 }
            #expect(ends == [.cancelled, nil])
            #expect(peripheral.state == .disconnected)
            try await fixture.central.barrier()
            #expect(await !Self.members(fixture, other).contains("Connect"))
        }
    }

    @Test(
        "A connect that is cancelled or times out returns when bluetoothd has ended the attempt",
        arguments: [false, true])
    func endedAtReturn(isCancelled: Bool) async throws {
        try await run(.v5_66, otherCalls: nil) { fixture, peripheral, _ in
            for count in 1...5 {
                let timeout = isCancelled ? Duration.ample : .milliseconds(50).stretched
                let task = Task { @BluetoothActor in
                    await fixture.failure { try await peripheral.connect(options: ConnectOptions(timeout: timeout)) }
                }
                if isCancelled {
                    // The call is sent by then, and its reply can't be there.
                    while !fixture.central.client.isPending(.connect, at: peripheral.path) { await Task.yield() }
                    task.cancel()
                }
                #expect(await task.value?.code == (isCancelled ? .cancelled : .connectionTimedOut))
                #expect(peripheral.link.state == .down)
                #expect(await fixture.simulator.calls("Disconnect").count == count)
            }
        }
    }

    @Test("An attempt that bluetoothd accepts after refusals makes a link of this program, and a scope ends it")
    func acceptedLater() async throws {
        try await run(.v5_66, otherCalls: nil) { fixture, peripheral, _ in
            await fixture.simulator.refuse("Connect", of: BlueZ.device, "org.bluez.Error.InProgress", "In Progress")
            await fixture.simulator.peripheral.simulateReturn()
            try await peripheral.withConnection { #expect(peripheral.hasOwnLink) }
            #expect(!peripheral.isConnected)
            #expect(await fixture.simulator.calls("Connect").count == 2)
        }
    }

    @Test("If an earlier attempt of this program keeps bluetoothd busy, the link is this program's, and so is its end")
    func ownEarlierAttempt() async throws {
        try await run(.v5_82, otherCalls: nil) { fixture, peripheral, _ in
            let client = fixture.central.client
            let first = peripheral.startConnecting(ConnectOptions()) { _ in }
            try await eventually("the first call") { await fixture.simulator.calls("Connect").count == 1 }
            let time = Duration.milliseconds(400).stretched
            var errors: [BluetoothError?] = []
            peripheral.connect(options: ConnectOptions(timeout: time)) { errors.append($0) }
            try await eventually("the second call") { await fixture.simulator.calls("Connect").count >= 2 }
            first.fail(.cancelled("Connecting"))
            #expect(client.isPending(.connect, at: peripheral.path))
            #expect(await fixture.simulator.calls("Disconnect").isEmpty)
            try await eventually("the second attempt's end") { errors.count == 1 }
            #expect(errors.first??.message.contains("is it in range and on?") == true)
            try await eventually("the end in bluetoothd") {
                await fixture.simulator.calls("Disconnect").count == 1
            }

            // The second attempt may have repeated its call.
            let count = await fixture.simulator.calls("Connect").count
            let third = peripheral.startConnecting(ConnectOptions()) { _ in }
            try await eventually("the third attempt") {
                await fixture.simulator.calls("Connect").count > count
            }
            var ends = 0
            peripheral.connect { error in
                #expect(error == nil)
                ends += 1
            }
            try await eventually("the fourth attempt") {
                await fixture.simulator.calls("Connect").count > count + 1
            }
            third.fail(.cancelled("Connecting"))
            await fixture.simulator.peripheral.simulateReturn()
            try await eventually("the link") { ends == 1 }
            #expect(peripheral.hasOwnLink)
        }
    }

    @Test(
        "A link is this program's even if its Connect gets no reply, or the link is not signalled",
        arguments: [ConnectionFault.lostReply, .unsignalledLink])
    @BluetoothActor func faults(_ fault: ConnectionFault) async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.perform { $0.peripheral.connectionFault = fault }
        try await peripheral.withConnection { #expect(peripheral.hasOwnLink) }
        #expect(!peripheral.isConnected)
        // What was lost says nothing of the next link.
        await fixture.simulator.perform { $0.peripheral.connectionFault = nil }
        let other = try await Stranger(fixture.simulator.bus)
        await fixture.simulator.keepCalls()
        try await Self.begin("Connect", other, fixture)
        try await eventually("its link") { peripheral.isConnected }
        try await peripheral.connect()
        #expect(!peripheral.hasOwnLink && !fixture.central.client.isLinkOwn(peripheral.path))
    }

    @Test("An attempt that succeeds before bluetoothd has received its Connect makes no link after a loss")
    func resolvedBeforeConnect() async throws {
        try await run(.v5_66, otherCalls: nil) { fixture, peripheral, other in
            await fixture.simulator.peripheral.simulateReturn()
            try await Self.begin("Connect", other, fixture)
            try await eventually("its link") { peripheral.isConnected }
            // The call stays in bluetoothd's socket.
            await fixture.simulator.perform { $0.bluez.daemon.server.connection?.suspend() }
            var ends: [BluetoothError?] = []
            peripheral.connect { ends.append($0) }
            try await eventually("the call") {
                fixture.central.client.isPending(.connect, at: peripheral.path)
            }
            peripheral.link.report(.resolved)
            await fixture.simulator.perform {
                $0.disconnect()
                $0.vanish()
                $0.bluez.daemon.server.connection?.resume()
            }
            #expect(ends == [nil])
            try await eventually("the end of the attempt") {
                await fixture.simulator.calls("Disconnect").count == 1
            }
            #expect(await fixture.simulator.bluez.linkMaker(at: peripheral.path) == nil)
            #expect(peripheral.state == .disconnected)
        }
    }

    @Test("The link that an attempt makes after the loss of an earlier one is withdrawn if the attempt is cancelled")
    func lostDuringAttempt() async throws {
        try await run(.v5_66, otherCalls: nil) { _, peripheral, _ in
            let link = Link(isUp: true)
            let attempt = peripheral.startConnecting(ConnectOptions()) { _ in }
            link.begin(attempt)
            link.handle(.loss)
            #expect(link.state == .connecting)
            link.handle(.link)
            #expect(link.end(attempt, .cancelled("Connecting"), mayConnect: true, isLinkOwn: true))
            #expect(link.state == .abandoned)
            attempt.fail(.cancelled("Connecting"))
        }
    }

    @Test("A lost link of this program that another program makes again is the other one's")
    @BluetoothActor func taken() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        #expect(peripheral.hasOwnLink)
        await fixture.simulator.keepCalls()
        let other = try await Stranger(fixture.simulator.bus)
        await fixture.simulator.disconnect()
        try await eventually("the loss") { !peripheral.isConnected }
        try await Self.begin("Connect", other, fixture)
        try await eventually("its link") { peripheral.isConnected }
        try await peripheral.withConnection {}
        try await peripheral.disconnectOwnLink()
        try await Self.expectNoEnd(fixture, other)
        #expect(peripheral.isConnected)
        try await peripheral.disconnect()
        #expect(!peripheral.isConnected)
    }

    @Test("A pairing that is cancelled before bluetoothd has refused it leaves another program's pairing")
    func pairing() async throws {
        try await run(.v5_82, otherCalls: "Pair") { fixture, peripheral, other in
            for _ in 1...10 {
                var hasEnded = false
                let task = Task { @BluetoothActor in
                    defer { hasEnded = true }
                    try await peripheral.pair()
                }
                while !fixture.central.client.isPending(.pair, at: peripheral.path), !hasEnded { await Task.yield() }
                task.cancel()
                let code = await fixture.failure { try await task.value }?.code
                #expect(code == .cancelled || code == .busy)
                try await Self.expectNoEnd(fixture, other)
            }
        }
    }

    @Test("A script's end leaves the links and attempts of other programs")
    func scriptEnd() async throws {
        try await run(.v5_66) { fixture, peripheral, other in
            peripheral.connect { _ in }
            try await eventually("the refusal") {
                await Self.members(fixture, other).contains("Connect")
            }
            try await peripheral.disconnectOwnLink()
            #expect(peripheral.state == .disconnected)
            try await Self.expectNoEnd(fixture, other)
        }
    }
}
