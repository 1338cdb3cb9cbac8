import BlueZDBus
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import GatewayProtocol
import TestSupport
import Testing

@testable import Gateway

extension Gateways {
    @Suite("Leases")
    struct LeaseTests {
        @Test("A device belongs to one client; the other is told so and gets it when the lease ends")
        func exclusive() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let other = try await fixture.remote("attic")
                let connected = try await remote.connect()
                let operation = GatewayOperation.connect(GatewaySimulator.device, nil, lease: 60_000, timeout: 45_000)
                #expect(try await other.failure(operation)?.code == .leased)
                let read = GatewayOperation.read(connected.link, handle: try connected.value, offset: 0)
                #expect(try await other.failure(read)?.code == .notConnected)
                #expect(try await other.failure(.disconnect(connected.link))?.code == .notConnected)
                _ = try await remote.succeed(.disconnect(connected.link), EmptyResult.self)
                _ = try await other.connect()
            }
        }

        @Test("A lease that is not renewed ends the link")
        func expiry() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect(lease: 60_000)
                let kept = try await remote.connect(GatewaySimulator.second, lease: 60_000)
                try fixture.endLease(of: GatewaySimulator.device)
                try await Patience.wait(for: "the end of the link") { await !fixture.simulator.peripheral.isConnected }
                try await Patience.wait(for: "the event") {
                    remote.events.contains { $0.device == GatewaySimulator.device && $0.content == .disconnected }
                }
                #expect(await fixture.simulator.other.isConnected)
                let renewed = try await remote.succeed(
                    .renew([connected.link, kept.link], lease: 60_000), RenewResult.self)
                #expect(renewed.links.map(\.device) == [GatewaySimulator.second])
            }
        }

        @Test("A lease that is renewed lasts")
        func renewal() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect(lease: 60_000)
                let first = try #require(fixture.gateway?.leases[GatewaySimulator.device]?.expiry)
                #expect(first <= BootInstant.now.advanced(by: .seconds(60)))
                let renew = GatewayOperation.renew([connected.link], lease: 600_000)
                #expect(try await remote.succeed(renew, RenewResult.self).links.count == 1)
                let renewed = try #require(fixture.gateway?.leases[GatewaySimulator.device]?.expiry)
                #expect(renewed > first.advanced(by: .seconds(500)))
                // What the first lease's timer does.
                fixture.gateway?.endExpiredLeases()
                #expect(try await remote.succeed(renew, RenewResult.self).links.count == 1)
                #expect(await fixture.simulator.peripheral.isConnected)
            }
        }

        @Test("The same client that connects again gets a new link without subscriptions")
        func again() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let first = try await remote.connect()
                _ = try await remote.succeed(.subscribe(first.link, handle: try first.updates), EmptyResult.self)
                let second = try await remote.connect()
                #expect(second.link.link > first.link.link)
                let read = GatewayOperation.read(first.link, handle: try first.value, offset: 0)
                #expect(try await remote.failure(read)?.code == .notConnected)
                try await Patience.wait(for: "the end of the subscription") {
                    await fixture.simulator.characteristic(GatewaySimulator.updates)?.clientConfiguration == 0
                }
                #expect(await fixture.simulator.peripheral.isConnected)
            }
        }

        @Test("All links in use: the next device is refused")
        func slots() async throws {
            try await GatewayFixture.run { configuration in
                configuration.slots = 1
            } _: { fixture in
                let remote = try await fixture.remote()
                _ = try await remote.connect()
                let operation = GatewayOperation.connect(GatewaySimulator.second, nil, lease: 60_000, timeout: 45_000)
                #expect(try await remote.failure(operation)?.code == .busy)
            }
        }

        @Test("The file of leases is private, and written before the link is up")
        func file() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                await fixture.simulator.bluez.simulateReply(.silence, to: "Connect", of: "org.bluez.Device1")
                try await remote.greet()
                remote.send(remote.request(.connect(GatewaySimulator.device, nil, lease: 60_000, timeout: 45_000)))
                let path = fixture.configuration.stateFile
                let file = LeaseFile(path: path)
                try await Patience.wait(for: "the lease") {
                    file.read(at: .now).map(\.device) == [GatewaySimulator.device]
                }
                #expect(await !fixture.simulator.peripheral.isConnected)
                let manager = FileManager.default
                let mode = { (path: String) in
                    try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                }
                #expect(try mode(path) == 0o600)
                #expect(try mode(fixture.directory) == 0o700)
            }
        }

        @Test("A gateway that ends asks for the end of all links at the same time")
        func end() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                _ = try await remote.connect()
                _ = try await remote.connect(GatewaySimulator.second)
                await fixture.ignoreDisconnect(times: 2)
                fixture.gateway?.end()
                // Each of them waits for 15 s.
                try await Patience.wait(for: "both calls", within: .seconds(10)) {
                    await fixture.calls.count { $0 == "Disconnect" } == 2
                }
                await fixture.simulator.bluez.simulateCrash()
            }
        }

        @Test("A link whose lease cannot be written any longer is ended")
        func unwritable() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                _ = try await remote.connect()
                try FileManager.default.removeItem(atPath: fixture.directory)
                #expect(FileManager.default.createFile(atPath: fixture.directory, contents: nil))
                let operation = GatewayOperation.connect(GatewaySimulator.device, nil, lease: 60_000, timeout: 45_000)
                #expect(try await remote.failure(operation)?.code == .busy)
                try await Patience.wait(for: "the end of the link") { await !fixture.simulator.peripheral.isConnected }
            }
        }

        @Test("After a kill, a link whose lease has expired is ended, and one whose lease has not is kept until then")
        @BluetoothActor func kill() async throws {
            let simulator = try await GatewaySimulator()
            let fixture = GatewayFixture(simulator)
            defer { try? FileManager.default.removeItem(atPath: fixture.directory) }
            try await fixture.leaveLinks([
                (GatewaySimulator.device, .seconds(-1)), (GatewaySimulator.second, .seconds(60)),
            ])
            try fixture.start()
            try await fixture.isOnline()
            try await Patience.wait(for: "the end of the first") { await !simulator.peripheral.isConnected }
            #expect(await simulator.other.isConnected)
            let remote = try Remote(fixture.broker, "hall")
            let operation = GatewayOperation.connect(GatewaySimulator.second, nil, lease: 60_000, timeout: 45_000)
            #expect(try await remote.failure(operation)?.code == .leased)
            try fixture.endLease(of: GatewaySimulator.second)
            try await Patience.wait(for: "the end of the second") { await !simulator.other.isConnected }
            await fixture.end()
        }

        @Test("After a kill, the client that had the lease claims its link")
        @BluetoothActor func claim() async throws {
            let simulator = try await GatewaySimulator()
            let fixture = GatewayFixture(simulator)
            defer { try? FileManager.default.removeItem(atPath: fixture.directory) }
            let remote = try Remote(fixture.broker, "hall")
            try await fixture.leaveLinks([(GatewaySimulator.device, .seconds(600))], to: remote.name)
            try fixture.start()
            try await fixture.isOnline()
            let connected = try await remote.connect()
            #expect(connected.services.count > 0)
            await fixture.end()
            #expect(await !simulator.peripheral.isConnected)
        }

        @Test("Leases of before the machine's start, and files that make no sense, count nothing")
        func foreignFiles() throws {
            let directory = "/tmp/corebluez-gateway-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: directory) }
            let file = LeaseFile(path: "\(directory)/leases.json")
            let lease = LeaseTable.Lease(
                device: GatewaySimulator.device, client: GatewayFixture.name, link: 3,
                expiry: BootInstant.now.advanced(by: .seconds(5)))
            try file.write([lease])
            #expect(file.read(at: .now).map(\.device) == [GatewaySimulator.device])
            #expect(file.read(at: .now).first?.link == nil)
            let boot = PrivateFile.read("/proc/sys/kernel/random/boot_id", limit: 64) ?? ""
            let text = try #require(PrivateFile.read(file.path, limit: 65_536))
            for wrong in [
                "", "{", text.replacing(boot.prefix(8), with: "00000000"),
                text.replacing("BC:6A", with: "XX:6A"),
            ] {
                try PrivateFile.replace(file.path, with: wrong)
                #expect(file.read(at: .now) == [])
            }
            let forever = text.replacing(#/"expiry":[0-9]+/#, with: "\"expiry\":9223372036854775807")
            try PrivateFile.replace(file.path, with: forever)
            #expect(file.read(at: .now).allSatisfy { $0.expiry < BootInstant.now.advanced(by: .seconds(2000)) })
        }
    }
}

extension GatewayFixture {
    /// Lets a lease end now instead of later.
    func endLease(of device: BluetoothAddress) throws {
        let gateway = try #require(gateway)
        var lease = try #require(gateway.leases[device])
        #expect(lease.expiry > .now)
        lease.expiry = .now
        gateway.leases = LeaseTable(gateway.leases.leases.filter { $0.device != device } + [lease])
        gateway.awaitExpiry()
    }

    /// Leaves links up in bluetoothd with leases in the file, as a gateway does that was killed.
    func leaveLinks(_ links: [(BluetoothAddress, Duration)], to client: GatewayName = GatewayFixture.name) async throws
    {
        let central = try await CentralFixture.poweredOn(simulator)
        var leases: [LeaseTable.Lease] = []
        for (device, remaining) in links {
            let peripheral = try await central.firstPeripheral(timeout: Patience.timeout) { peripheral, _ in
                peripheral.address?.description == device.description
            }
            try await peripheral.connect()
            leases.append(
                LeaseTable.Lease(
                    device: device, client: client, link: 1, expiry: BootInstant.now.advanced(by: remaining)))
        }
        try LeaseFile(path: configuration.stateFile).write(leases)
    }
}
