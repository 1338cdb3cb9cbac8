import BlueZClassic
import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension Classic {
    @Suite struct RFCOMMChannelTests {
        @Test("Bytes go through a channel in both directions, in order, more than its buffers hold")
        @BluetoothActor func bothWays() async throws {
            let fixture = try await ClassicFixture(try await ClassicSimulator())
            let channel = try await fixture.open()
            #expect(channel.isOpen && channel.uuid == 0x1101 && channel.title == "Classic")
            #expect(fixture.peripheral.isConnected)
            let bytes = pattern(1 << 20)
            try await channel.send(bytes)
            try await fixture.waitForBytes(bytes.count)
            #expect(fixture.arrived == bytes)
        }

        @Test("While nobody takes bytes the device has to wait, and then gets all of them through")
        @BluetoothActor func backPressure() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            let channel = try await fixture.peripheral.openRFCOMMChannel(.serialPort, options: .patient)
            let bytes = pattern(4 << 20)
            await simulator.perform { $0.peripheral.channels.last?.send([UInt8](bytes)) }
            let waiting = await simulator.perform { $0.peripheral.channels.last?.waitingToBeSent ?? 0 }
            #expect(waiting > 1 << 20)
            fixture.collect(channel)
            try await fixture.waitForBytes(bytes.count)
            #expect(fixture.arrived == bytes)
        }

        @Test("What a slow device does not take waits, and is counted")
        @BluetoothActor func slowDevice() async throws {
            let simulator = try await ClassicSimulator()
            await simulator.perform { $0.peripheral.channelHandler = nil }
            let fixture = try await ClassicFixture(simulator)
            let channel = try await fixture.open()
            var isSent = false
            channel.send(pattern(4 << 20)) { _ in isSent = true }
            try await eventually("a full socket") {
                (1..<4 << 20).contains(channel.waitingToBeSent)
            }
            #expect(!isSent)
            await simulator.perform { $0.peripheral.channels.last?.echo() }
            try await fixture.waitForBytes(4 << 20)
            #expect(isSent && channel.waitingToBeSent == 0)
        }

        @Test("What the device sent before it closed the channel arrives, then the end")
        @BluetoothActor func deviceCloses() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            let channel = try await fixture.open()
            await simulator.perform {
                $0.peripheral.channels.last?.send([UInt8](pattern(100_000)))
                $0.peripheral.channels.last?.closeWhenSent()
            }
            try await fixture.waitForEnd()
            #expect(fixture.arrived == pattern(100_000))
            #expect(fixture.ends.map { $0?.code } == [.disconnected])
            #expect(!channel.isOpen)
            #expect(await fixture.failureCode { try await channel.send(Data([1])) } == .notConnected)
        }

        @Test("The end of a channel is reported also if nobody takes bytes, which can be taken later")
        @BluetoothActor func untaken() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            let channel = try await fixture.peripheral.openRFCOMMChannel(.serialPort, options: .patient)
            channel.endHandler = { fixture.ends.append($0) }
            await simulator.perform {
                $0.peripheral.channels.last?.send([1, 2, 3])
                $0.peripheral.simulateDisconnection()
            }
            try await fixture.waitForEnd()
            #expect(channel.hasUntakenBytes)
            channel.receiveHandler = { fixture.arrived += $0 }
            try await fixture.waitForBytes(3)
            try await eventually("nothing left") { !channel.hasUntakenBytes }
            #expect(fixture.ends.count == 1)
        }

        @Test("Closing a channel reports no error, ends what waits, and lets the link end")
        @BluetoothActor func closing() async throws {
            let simulator = try await ClassicSimulator()
            await simulator.perform { $0.peripheral.channelHandler = nil }
            let fixture = try await ClassicFixture(simulator)
            let channel = try await fixture.open()
            var results: [BluetoothError.Code?] = []
            channel.send(pattern(4 << 20)) { results.append($0?.code) }
            try await eventually("a full socket") { channel.waitingToBeSent < 4 << 20 }
            channel.close()
            try await fixture.waitForEnd()
            #expect(fixture.ends == [nil])
            #expect(results == [.disconnected])
            try await eventually("the link's end") { !fixture.peripheral.isConnected }
            try await eventually("the device's end") {
                await simulator.perform { $0.peripheral.channels.allSatisfy { !$0.isOpen } }
            }
        }

        @Test("A channel that nobody holds any longer is closed, and its profile taken back")
        @BluetoothActor func released() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            var channel: RFCOMMChannel? = try await fixture.open()
            withExtendedLifetime(channel) {}
            #expect(await simulator.calls("UnregisterProfile").isEmpty)
            channel = nil
            try await eventually("the profile to go", within: .seconds(5)) {
                await simulator.calls("UnregisterProfile").count == 1
            }
            _ = try await fixture.open()
        }

        @Test("A lost link ends the channel, once")
        @BluetoothActor func lost() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            let channel = try await fixture.open()
            await simulator.perform { $0.peripheral.simulateDisconnection() }
            try await fixture.waitForEnd()
            try await eventually("the link's end") { !fixture.peripheral.isConnected }
            channel.close()
            #expect(fixture.ends.map { $0?.code } == [.disconnected])
        }

        @Test("A channel is not opened twice at a time, and can be opened again")
        @BluetoothActor func twice() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            let channel = try await fixture.open()
            #expect(await fixture.failureCode { try await fixture.open() } == .busy)
            let other = try await fixture.open(ClassicSimulator.classicService)
            #expect(channel.isOpen && other.isOpen)
            channel.close()
            let again = try await fixture.open()
            try await again.send(Data("again".utf8))
            try await fixture.waitForBytes(5)
        }

        @Test("A service that the device does not offer cannot be opened")
        @BluetoothActor func notOffered() async throws {
            let fixture = try await ClassicFixture(try await ClassicSimulator())
            #expect(await fixture.failureCode { try await fixture.open(0x1105) } == .notSupported)
        }

        @Test("A busy bluetoothd is asked again, and a link that does not come up tried again")
        @BluetoothActor func retries() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            let refusals = [("InProgress", "br-connection-busy"), ("Failed", "br-connection-aborted-by-remote")]
            for (name, text) in refusals {
                await simulator.perform {
                    $0.bluez.simulateReply(
                        .error(name: "org.bluez.Error.\(name)", message: text), to: "ConnectProfile",
                        of: "org.bluez.Device1")
                }
            }
            _ = try await fixture.open()
            #expect(await simulator.calls("ConnectProfile").count == 3)
        }

        @Test("A device that cannot be reached is a timeout, and nothing is left behind")
        @BluetoothActor func unreachable() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            await simulator.perform { $0.peripheral.simulateRangeLoss() }
            let options = ConnectOptions(timeout: .milliseconds(200), transport: .bredr)
            let code = await fixture.failureCode {
                try await fixture.peripheral.openRFCOMMChannel(.serialPort, options: options)
            }
            #expect(code == .connectionTimedOut)
            try await eventually("the profile to be taken back") {
                await simulator.calls("UnregisterProfile").count == 1
            }
        }

        @Test("Cancelling the task that waits ends the opening")
        @BluetoothActor func cancelling() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            await simulator.perform { $0.peripheral.simulateRangeLoss() }
            let task = Task { await fixture.failureCode { try await fixture.open() } }
            try await eventually("the call") { await simulator.calls("ConnectProfile").count == 1 }
            task.cancel()
            #expect(await task.value == .cancelled)
        }

        @Test("An opening that has ended keeps no object, even if bluetoothd never replies")
        @BluetoothActor func endedWithoutReply() async throws {
            let fixture = try await ClassicFixture(try await ClassicSimulator())
            await fixture.simulator.perform {
                $0.bluez.simulateReply(.silence, to: "ConnectProfile", of: "org.bluez.Device1")
            }
            let central = try await ClassicFixture.poweredOn(fixture.simulator)
            weak var gone: Peripheral?
            var code: BluetoothError.Code?
            do {
                let peripheral = try await central.firstPeripheral(timeout: .ample, transport: .bredr)
                gone = peripheral
                peripheral.openRFCOMMChannel(.serialPort, options: .patient) { code = $1?.code }
                try await eventually("the call") {
                    await fixture.simulator.perform { $0.calls("ConnectProfile").count } == 1
                }
                central.removePeripheral(peripheral)
            }
            try await eventually("the end of the peripheral") { gone == nil }
            #expect(code == .cancelled)
        }

        @Test("A yes of bluetoothd's without a channel is asked for again")
        @BluetoothActor func emptyYes() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            await simulator.perform {
                $0.bluez.simulateReply(.success, to: "ConnectProfile", of: "org.bluez.Device1")
            }
            let channel = try await fixture.open()
            #expect(channel.isOpen)
            #expect(await simulator.calls("ConnectProfile").count == 2)
        }
    }
}
