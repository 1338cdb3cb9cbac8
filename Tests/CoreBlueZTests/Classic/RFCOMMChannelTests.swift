import BlueZSimulator
import BluetoothClassic
import DBus
import Foundation
import Testing

@testable import CoreBlueZ

extension Classic {
    @Suite struct RFCOMMChannelTests {
        @Test("Bytes go through a channel in both directions, in order, more than its buffers hold")
        func bothWays() async throws {
            try await ClassicStage.run(try await ClassicWorld()) { stage in
                let channel = try await stage.open()
                #expect(channel.isOpen && channel.uuid == 0x1101 && channel.title == "Classic")
                #expect(stage.peripheral.isConnected)
                let bytes = places(1 << 20)
                try await channel.send(bytes)
                try await stage.waitForBytes(bytes.count)
                #expect(stage.arrived == bytes)
            }
        }

        @Test("While nobody takes bytes the device has to wait, and then gets all of them through")
        func backPressure() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                let channel = try await stage.peripheral.openRFCOMMChannel(.serialPort, options: .patient)
                let bytes = places(4 << 20)
                await world.perform { $0.device.channels.last?.send([UInt8](bytes)) }
                let waiting = await world.perform { $0.device.channels.last?.waitingToBeSent ?? 0 }
                #expect(waiting > 1 << 20)
                stage.collect(channel)
                try await stage.waitForBytes(bytes.count)
                #expect(stage.arrived == bytes)
            }
        }

        @Test("What a slow device does not take waits, and is counted")
        func slowDevice() async throws {
            let world = try await ClassicWorld()
            await world.perform { $0.device.channelHandler = nil }
            try await ClassicStage.run(world) { stage in
                let channel = try await stage.open()
                var isSent = false
                channel.send(places(4 << 20)) { _ in isSent = true }
                try await Patience.wait(for: "a full socket") {
                    (1..<4 << 20).contains(channel.waitingToBeSent)
                }
                #expect(!isSent)
                await world.perform { $0.device.channels.last?.echo() }
                try await stage.waitForBytes(4 << 20)
                #expect(isSent && channel.waitingToBeSent == 0)
            }
        }

        @Test("What the device sent before it closed the channel arrives, then the end")
        func deviceCloses() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                let channel = try await stage.open()
                await world.perform {
                    $0.device.channels.last?.send([UInt8](places(100_000)))
                    $0.device.channels.last?.closeWhenSent()
                }
                try await stage.waitForEnd()
                #expect(stage.arrived == places(100_000))
                #expect(stage.ends.map { $0?.code } == [.disconnected])
                #expect(!channel.isOpen)
                #expect(await stage.failure { try await channel.send(Data([1])) } == .notConnected)
            }
        }

        @Test("The end of a channel is reported also if nobody takes bytes, which can be taken later")
        func untaken() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                let channel = try await stage.peripheral.openRFCOMMChannel(.serialPort, options: .patient)
                channel.endHandler = { stage.ends.append($0) }
                await world.perform {
                    $0.device.channels.last?.send([1, 2, 3])
                    $0.device.simulateDisconnection()
                }
                try await stage.waitForEnd()
                #expect(channel.hasUntakenBytes)
                channel.receiveHandler = { stage.arrived += $0 }
                try await stage.waitForBytes(3)
                try await Patience.wait(for: "nothing left") { !channel.hasUntakenBytes }
                #expect(stage.ends.count == 1)
            }
        }

        @Test("Closing a channel reports no error, ends what waits, and lets the link end")
        func closing() async throws {
            let world = try await ClassicWorld()
            await world.perform { $0.device.channelHandler = nil }
            try await ClassicStage.run(world) { stage in
                let channel = try await stage.open()
                var results: [BluetoothError.Code?] = []
                channel.send(places(4 << 20)) { results.append($0?.code) }
                try await Patience.wait(for: "a full socket") { channel.waitingToBeSent < 4 << 20 }
                channel.close()
                try await stage.waitForEnd()
                #expect(stage.ends == [nil])
                #expect(results == [.disconnected])
                try await Patience.wait(for: "the link's end") { !stage.peripheral.isConnected }
                try await Patience.wait(for: "the device's end") {
                    await world.perform { $0.device.channels.allSatisfy { !$0.isOpen } }
                }
            }
        }

        @Test("A channel that nobody holds any longer is closed, and its profile taken back")
        func released() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                var channel: RFCOMMChannel? = try await stage.open()
                withExtendedLifetime(channel) {}
                #expect(await world.calls("UnregisterProfile").isEmpty)
                channel = nil
                try await Patience.wait(for: "the profile to go", within: .seconds(5)) {
                    await world.calls("UnregisterProfile").count == 1
                }
                _ = try await stage.open()
            }
        }

        @Test("A lost link ends the channel, once")
        func lost() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                let channel = try await stage.open()
                await world.perform { $0.device.simulateDisconnection() }
                try await stage.waitForEnd()
                try await Patience.wait(for: "the link's end") { !stage.peripheral.isConnected }
                channel.close()
                #expect(stage.ends.map { $0?.code } == [.disconnected])
            }
        }

        @Test("A channel is not opened twice at a time, and can be opened again")
        func twice() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                let channel = try await stage.open()
                #expect(await stage.failure { try await stage.open() } == .busy)
                let other = try await stage.open(ClassicWorld.service)
                #expect(channel.isOpen && other.isOpen)
                channel.close()
                let again = try await stage.open()
                try await again.send(Data("again".utf8))
                try await stage.waitForBytes(5)
            }
        }

        @Test("A service that the device does not offer cannot be opened")
        func notOffered() async throws {
            try await ClassicStage.run(try await ClassicWorld()) { stage in
                #expect(await stage.failure { try await stage.open(0x1105) } == .notSupported)
            }
        }

        @Test("A busy bluetoothd is asked again, and a link that does not come up tried again")
        func retries() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                let refusals = [("InProgress", "br-connection-busy"), ("Failed", "br-connection-aborted-by-remote")]
                for (name, text) in refusals {
                    await world.perform {
                        $0.bluez.simulateReply(
                            .error(name: "org.bluez.Error.\(name)", message: text), to: "ConnectProfile",
                            of: "org.bluez.Device1")
                    }
                }
                _ = try await stage.open()
                #expect(await world.calls("ConnectProfile").count == 3)
            }
        }

        @Test("A device that cannot be reached is a timeout, and nothing is left behind")
        func unreachable() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                await world.perform { $0.device.simulateRangeLoss() }
                let options = ConnectOptions(timeout: .milliseconds(200), transport: .bredr)
                let code = await stage.failure {
                    try await stage.peripheral.openRFCOMMChannel(.serialPort, options: options)
                }
                #expect(code == .connectionTimedOut)
                try await Patience.wait(for: "the profile to be taken back") {
                    await world.calls("UnregisterProfile").count == 1
                }
            }
        }

        @Test("Cancelling the task that waits ends the opening")
        func cancelling() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                await world.perform { $0.device.simulateRangeLoss() }
                let task = Task { await stage.failure { try await stage.open() } }
                try await Patience.wait(for: "the call") { await world.calls("ConnectProfile").count == 1 }
                task.cancel()
                #expect(await task.value == .cancelled)
            }
        }

        @Test("A yes of bluetoothd's without a channel is asked for again")
        func emptyYes() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                await world.perform {
                    $0.bluez.simulateReply(.success, to: "ConnectProfile", of: "org.bluez.Device1")
                }
                let channel = try await stage.open()
                #expect(channel.isOpen)
                #expect(await world.calls("ConnectProfile").count == 2)
            }
        }
    }
}
