import BlueZDBus
import BlueZServer
import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// Notifications and indications to a central.
@Suite(.virtualTime) struct NotifyingTests {
    @Test("A subscriber gets each value, in order", arguments: [false, true])
    @BluetoothActor func values(_ isNew: Bool) async throws {
        let fixture = try await RoleFixture(isNew ? .v5_82 : .v5_66)
        try await fixture.connect()
        #expect(!fixture.updates.isNotifying)
        try await fixture.subscribe()
        try await fixture.wait(for: "the subscription") { fixture.updates.isNotifying }
        for number in 0..<300 { try await fixture.updates.notify(Data([UInt8(number & 0xFF), 1])) }
        try await fixture.wait(for: "the values") { await fixture.received().count == 300 }
        #expect(await fixture.received() == (0..<300).map { [UInt8($0 & 0xFF), 1] })
        #expect(fixture.updates.value == Data([43, 1]))
    }

    @Test("Values that are sent without waiting all arrive, in order")
    @BluetoothActor func flood() async throws {
        let fixture = try await RoleFixture()
        try await fixture.connect()
        try await fixture.subscribe()
        try await fixture.wait(for: "the subscription") { fixture.updates.isNotifying }
        var ends = 0
        for number in 0..<2000 {
            fixture.updates.notify(Data([UInt8(number & 0xFF), UInt8(number >> 8)])) { error in
                #expect(error == nil)
                ends += 1
            }
        }
        #expect(ends == 0)
        try await fixture.wait(for: "the values") { await fixture.received().count == 2000 }
        #expect(ends == 2000)
        #expect(await fixture.received() == (0..<2000).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    }

    @Test("Each confirmation ends the value that was sent for it, also behind one that nobody waits for")
    @BluetoothActor func confirmations() async throws {
        let (ours, theirs) = try PacketSocket.pair()
        let socket = SubscriberSocket(ours, mayIndicate: true)
        var ends: [String] = []
        @BluetoothActor func send(_ name: String, isIndication: Bool = true) -> Operation<Void> {
            let operation = Operation<Void>(
                name, on: nil, needsConnection: false, limit: nil, in: OperationRegistry()
            ) { ends.append($0.failure == nil ? name : "\(name) failed") }
            socket.send(Data([1]), operation, isIndication: isIndication)
            return operation
        }
        _ = send("notified", isIndication: false)
        send("cancelled").fail(BluetoothError.cancelled("It"))
        _ = send("first")
        _ = send("second")
        #expect(ends == ["notified", "cancelled failed"])
        for _ in 0..<3 { theirs.send([1]) }
        try await eventually("the bytes") { ends.count > 2 }
        #expect(ends.dropFirst(2) == ["first"])
        theirs.send([1])
        try await eventually("the last byte") { ends.count > 3 }
        #expect(ends.dropFirst(2) == ["first", "second"])
        socket.close()
    }

    @Test("From 5.71 on the subscribers are known, and one of them can get a value alone")
    @BluetoothActor func subscribers() async throws {
        let fixture = try await RoleFixture(.v5_82)
        var changes: [String] = []
        fixture.updates.subscriptionHandler = { _, change in
            switch change {
            case .subscribed(let central): changes.append("+\(central?.address?.description ?? "?")")
            case .unsubscribed(let central): changes.append("-\(central?.address?.description ?? "?")")
            }
        }
        try await fixture.connect()
        let other = await fixture.bluez.addCentral("F0:CA:FE:00:00:02")
        try await other.connect()
        _ = try await other.discover()
        try await fixture.subscribe()
        _ = try await other.configure(try #require(await other.characteristic(RoleFixture.updatesUUID)), 1).get()
        try await fixture.wait(for: "both") { fixture.updates.subscribers?.count == 2 }
        let second = try #require(
            fixture.updates.subscribers?.first { $0.address?.description == "F0:CA:FE:00:00:02" })
        try await fixture.updates.notify(Data([5]), to: second)
        try await fixture.wait(for: "the value") { await other.updates.map(\.value) == [[5]] }
        #expect(await fixture.received().isEmpty)
        await other.disconnect()
        // bluetoothd closes the socket of the first subscriber, whichever leaves.
        try await fixture.wait(for: "the end") { fixture.updates.subscribers?.count == 1 }
        try await fixture.updates.notify(Data([6]))
        try await fixture.wait(for: "the next value") { await fixture.received() == [[6]] }
        try await fixture.subscribe(0)
        try await fixture.wait(for: "the other end") { !fixture.updates.isNotifying }
        #expect(
            changes == ["+F0:CA:FE:00:00:01", "+F0:CA:FE:00:00:02", "-F0:CA:FE:00:00:02", "-F0:CA:FE:00:00:01"])
    }

    @Test("Subscriptions end with their manager", arguments: [false, true])
    @BluetoothActor func released(_ isNew: Bool) async throws {
        let fixture = try await RoleFixture(isNew ? .v5_82 : .v5_66)
        var manager: PeripheralManager? = PeripheralManager(bus: .address(fixture.bluez.address))
        let level = LocalCharacteristic(0x2A19, properties: .notify)
        var changes: [Central?] = []
        level.subscriptionHandler = { _, change in
            switch change {
            case .subscribed(let central), .unsubscribed(let central): changes.append(central)
            }
        }
        try await manager?.publish(LocalService(0x180F, characteristics: [level]))
        try await fixture.central.connect()
        try await fixture.central.discover()
        _ = try await fixture.central.configure(try await fixture.find(level.uuid), 1).get()
        try await fixture.wait(for: "the subscription") { level.isNotifying }
        manager = nil
        try await fixture.wait(for: "the end") { changes.count == 2 }
        #expect(changes[0] === changes[1] && (changes[0] != nil) == isNew)
    }

    @Test("Before 5.71 bluetoothd does not say who subscribes")
    @BluetoothActor func unnamed() async throws {
        let fixture = try await RoleFixture()
        try await fixture.connect()
        #expect(fixture.updates.subscribers == [])
        try await fixture.subscribe()
        try await fixture.wait(for: "the subscription") { fixture.updates.isNotifying }
        #expect(fixture.updates.subscribers == nil)
        await fixture.central.disconnect()
        try await fixture.wait(for: "the end") { !fixture.updates.isNotifying }
    }

    @Test("An indication ends when the central has confirmed it", arguments: [false, true])
    @BluetoothActor func indication(_ isNew: Bool) async throws {
        let fixture = try await RoleFixture(isNew ? .v5_82 : .v5_66)
        try await fixture.connect()
        try await fixture.subscribe(2)
        try await fixture.wait(for: "the subscription") { fixture.updates.isNotifying }
        await fixture.central.hold()
        var ends: [BluetoothError?] = []
        for number in 0..<3 { fixture.updates.indicate(Data([UInt8(number)])) { ends.append($0) } }
        try await fixture.wait(for: "the first") { await fixture.received() == [[0]] }
        #expect(ends.isEmpty)
        await fixture.central.release()
        try await fixture.wait(for: "all") { ends.count == 3 }
        #expect(ends == [nil, nil, nil])
        #expect(await fixture.received() == [[0], [1], [2]])
    }

    @Test("An indication that is cancelled at once is not sent while another one waits")
    @BluetoothActor func cancelled() async throws {
        let fixture = try await RoleFixture()
        try await fixture.connect()
        try await fixture.subscribe(2)
        try await fixture.wait(for: "the subscription") { fixture.updates.isNotifying }
        await fixture.central.hold()
        var ends: [BluetoothError?] = []
        fixture.updates.indicate(Data([0])) { ends.append($0) }
        try await fixture.wait(for: "the first") { await fixture.received() == [[0]] }
        let first = try #require(fixture.updates.indications.first?.operation)
        for number in 1...2 {
            fixture.updates.indicate(Data([UInt8(number)])) { ends.append($0) }
            fixture.manager.operations.fail { operation in
                guard operation !== first, operation.title.hasPrefix("Indicating") else { return nil }
                return BluetoothError(.cancelled, "The test has cancelled it")
            }
        }
        #expect(ends.map { $0?.code } == [.cancelled, .cancelled])
        await fixture.central.release()
        try await fixture.wait(for: "the confirmation") { ends.count == 3 }
        try await fixture.updates.indicate(Data([3]))
        #expect(ends.map { $0?.code } == [.cancelled, .cancelled, nil])
        #expect(await fixture.received() == [[0], [3]])
    }

    @Test("An indication without a subscriber fails, and so does one whose subscriber leaves")
    @BluetoothActor func unconfirmed() async throws {
        let fixture = try await RoleFixture()
        try await fixture.connect()
        var error = await #expect(throws: BluetoothError.self) { try await fixture.updates.indicate(Data([1])) }
        #expect(error?.code == .notConnected)
        try await fixture.subscribe(2)
        try await fixture.wait(for: "the subscription") { fixture.updates.isNotifying }
        await fixture.central.hold()
        var ends: [BluetoothError?] = []
        for _ in 0..<2 { fixture.updates.indicate(Data([1])) { ends.append($0) } }
        try await fixture.wait(for: "the first") { await fixture.received().count == 1 }
        await fixture.central.disconnect()
        try await fixture.wait(for: "the end") { ends.count == 2 }
        #expect(ends.map { $0?.code } == [.notConnected, .notConnected])
        error = await #expect(throws: BluetoothError.self) { try await fixture.value.notify(Data([1])) }
        #expect(error?.code == .notSupported)
    }

    @Test(
        "An indication that waits fails with the reason if its service is unpublished or bluetoothd ends",
        arguments: [(false, false), (true, false), (false, true)])
    @BluetoothActor func unpublished(_ isNew: Bool, _ isCrash: Bool) async throws {
        let fixture = try await RoleFixture(isNew ? .v5_82 : .v5_66)
        try await fixture.connect()
        try await fixture.subscribe(2)
        try await fixture.wait(for: "the subscription") { fixture.updates.isNotifying }
        await fixture.central.hold()
        var ends: [BluetoothError.Code?] = []
        if isNew {
            let central = try #require(fixture.updates.subscribers?.first)
            fixture.updates.indicate(Data([0]), to: central) { ends.append($0?.code) }
        } else {
            fixture.updates.indicate(Data([0])) { ends.append($0?.code) }
        }
        try await fixture.wait(for: "the value") { await fixture.received() == [[0]] }
        #expect(ends.isEmpty)
        if isCrash {
            await fixture.bluez.simulateCrash()
        } else {
            await fixture.manager.unpublish(fixture.service)
        }
        try await fixture.wait(for: "the end") { !ends.isEmpty }
        let expected: BluetoothError.Code = isCrash ? .daemonUnavailable : .attributeGone
        #expect(ends == [expected])
    }

    @Test("A notification fails without a published service, and with more than 512 bytes")
    @BluetoothActor func refused() async throws {
        let fixture = try await RoleFixture()
        var error = await #expect(throws: BluetoothError.self) { try await fixture.updates.notify(Data([1])) }
        #expect(error?.code == .attributeGone)
        try await fixture.manager.publish(fixture.service)
        error = await #expect(throws: BluetoothError.self) {
            try await fixture.updates.notify(Data(count: 513))
        }
        #expect(error?.code == .valueTooLong)
    }

    @Test("Writes by a socket arrive in order, and are acknowledged before")
    @BluetoothActor func socketWrites() async throws {
        let fixture = try await RoleFixture(.v5_82)
        let sink = LocalCharacteristic("C0B10103-7A6B-4D5E-8F90-1A2B3C4D5E6F", properties: .writeWithoutResponse)
        sink.acquiresWrites = true
        var values: [[UInt8]] = []
        sink.writeHandler = { request in
            values.append([UInt8](request.value))
            #expect(!request.isPending && request.central != nil)
        }
        try await fixture.manager.publish(LocalService(0x1819, characteristics: [sink]))
        try await fixture.connect()
        let handle = try await fixture.find(sink.uuid).handle
        for number in 0..<100 { try await fixture.central.command([UInt8(number)], to: handle) }
        try await fixture.wait(for: "the writes") { values.count == 100 }
        #expect(values == (0..<100).map { [UInt8($0)] })
    }
}

extension SimulatedCentral {
    fileprivate func hold() { confirmsIndications = false }
    fileprivate func release() { confirmsIndications = true }
}
