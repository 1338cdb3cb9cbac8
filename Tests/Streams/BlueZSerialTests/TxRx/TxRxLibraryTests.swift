import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

@testable import BlueZSerial

/// What a listener removes.
@BluetoothActor private final class Removal {
    var listener: TxRxListener?
}

extension SerialPorts {
    /// The names of TxRxLibrary, for programs that come from it.
    @Suite(.virtualTime) struct TxRxLibraryTests {
        @Test("The core scans, connects, sends and disconnects by the names of TxRxLibrary, and reports its events")
        @BluetoothActor func core() async throws {
            let simulator = try await SerialSimulator(script: { EchoScript() })
            let fixture = try await TxRxFixture(simulator)
            let core = TxRxCore(fixture.txRx)
            var notifications: [TxRxNotification] = []
            for name in TxRxEventName.allCases { core.addListener(for: name) { notifications.append($0) } }
            core.startScan()
            #expect(core.isScanning)
            try await eventually("the device") { !core.getScannedDevices().isEmpty }
            core.stopScan()
            try await eventually("the scan's end") { !core.isScanning }
            let device = core.getScannedDevices()[0]
            core.connectDevice(device)
            try await eventually("readiness") { device.isReady }
            core.sendData(device, "hello")
            try await eventually("the echo") { notifications.last?.name == .deviceDataReceived }
            #expect(notifications.last?.text == "hello")
            #expect(notifications.last?.data == Data("hello".utf8))
            #expect(notifications.last?.device === device)
            core.disconnectDevice(device)
            try await eventually("the end") { notifications.last?.name == .deviceDisconnected }
            #expect(
                notifications.map(\.name.rawValue) == [
                    "TxRxScanBegan", "TxRxDeviceFound", "TxRxScanEnded", "TxRxDeviceConnected", "TxRxDeviceReady",
                    "TxRxDeviceDataSent", "TxRxDeviceDataReceived", "TxRxDeviceDisconnected",
                ])
            // The handler of the central gets the same.
            #expect(
                fixture.events.map(\.name) == [
                    "scanBegan", "found", "scanEnded", "connected", "ready", "sent", "received", "disconnected",
                ])
        }

        @Test("Several listen to one event, in their order, and each can be removed, also by another")
        @BluetoothActor func listeners() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            let core = TxRxCore(fixture.txRx)
            let other = TxRxCore(fixture.txRx)
            var calls: [String] = []
            let first = core.addListener(for: .scanError) { _ in calls.append("first") }
            core.addListener(for: .scanError) { _ in calls.append("second") }
            other.addListener(for: .scanError) { _ in calls.append("other") }
            core.stopScan()
            #expect(calls.filter { $0 != "other" } == ["first", "second"] && calls.count == 3)
            calls = []
            core.removeListener(first)
            core.removeListener(first)
            core.stopScan()
            #expect(Set(calls) == ["second", "other"] && calls.count == 2)
            // The third removes the fourth before its turn.
            let fourth = Removal()
            core.addListener(for: .scanError) { [weak core] _ in
                calls.append("third")
                fourth.listener.map { core?.removeListener($0) }
            }
            fourth.listener = core.addListener(for: .scanError) { _ in calls.append("fourth") }
            calls = []
            core.stopScan()
            #expect(calls.filter { $0 != "other" } == ["second", "third"])
            #expect(fixture.names == ["scanFailed", "scanFailed", "scanFailed"])
        }

        @Test("Commands and replies are text, in both forms; a reply that is not text is an error, and its bytes come")
        @BluetoothActor func text() async throws {
            let simulator = try await SerialSimulator(script: { EchoScript() })
            let fixture = try await TxRxFixture(simulator)
            let device = try await fixture.ready()
            #expect(try await device.send("grün") == "grün")
            var replies: [String?] = []
            device.send("AT") { reply, error in replies.append(error == nil ? reply : nil) }
            try await eventually("the reply") { !replies.isEmpty }
            #expect(replies == ["AT"])
            await simulator.perform {
                $0.device.script = ResponseScript([.init(Array("AT".utf8), [[0x4F, 0xFF]])])
            }
            let core = TxRxCore(fixture.txRx)
            var received: [TxRxNotification] = []
            core.addListener(for: .deviceDataReceived) { received.append($0) }
            let error = await fixture.failure { try await device.send("AT") }
            #expect(error?.code == .notText)
            #expect(error?.message.contains("4fff") == true)
            device.send("AT") { reply, error in replies.append(error?.code == .notText ? nil : reply) }
            try await eventually("the reply") { replies.count == 2 }
            #expect(replies[1] == nil)
            #expect(received.map(\.data) == [Data([0x4F, 0xFF]), Data([0x4F, 0xFF])])
            #expect(received.allSatisfy { $0.text == nil })
            #expect(try await device.send(Data("AT".utf8)) == Data([0x4F, 0xFF]))
        }

        @Test("Devices and notifications describe themselves in one line, with text from the air escaped")
        @BluetoothActor func descriptions() async throws {
            let simulator = try await SerialSimulator(name: "A\u{1B}", script: { EchoScript() })
            let fixture = try await TxRxFixture(simulator)
            let core = TxRxCore(fixture.txRx)
            var texts: [String] = []
            for name in TxRxEventName.allCases { core.addListener(for: name) { texts.append("\($0)") } }
            let device = try await fixture.ready()
            let address = SerialSimulator.address
            #expect("\(device)" == #"A\u{1b}_0 (\#(address)), ready"#)
            _ = try await device.send(Data("AT".utf8))
            try await device.disconnect()
            #expect("\(device)" == #"A\u{1b}_0 (\#(address)), disconnected"#)
            core.stopScan()
            #expect(texts.contains("TxRxScanBegan"))
            #expect(texts.contains(#"TxRxDeviceFound: A\u{1b}_0"#))
            #expect(texts.contains(#"TxRxDeviceDataReceived: A\u{1b}_0, AT"#))
            #expect(texts.last?.hasPrefix("TxRxScanError: ") == true)
            #expect(texts.last.map { $0.count > 20 } == true)
        }

        @Test("Each event has its name of TxRxLibrary, if that has one, with its device, data and error")
        @BluetoothActor func events() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            let device = try #require(try await fixture.scan().first)
            let core = TxRxCore(fixture.txRx)
            var notifications: [TxRxNotification] = []
            for name in TxRxEventName.allCases { core.addListener(for: name) { notifications.append($0) } }
            let error = BluetoothError(.failed, "No")
            let data = Data([1])
            let expected: [(TxRxEvent, TxRxEventName?)] = [
                (.scanBegan, .scanBegan), (.scanFailed(error), .scanError), (.scanEnded, .scanEnded),
                (.deviceFailed(error), .deviceError), (.found(device), .deviceFound),
                (.connectFailed(device, error), .deviceConnectError), (.connected(device), .deviceConnected),
                (.ready(device, .nordic), .deviceReady), (.disconnected(device, error), .deviceDisconnected),
                (.sent(device, data), .deviceDataSent), (.sendFailed(device, error), .deviceDataSendError),
                (.sendTimedOut(device, error), .deviceDataSendTimeout),
                (.received(device, data), .deviceDataReceived),
                (.receiveFailed(device, error), .deviceDataReceiveError), (.failed(error), .deviceInternalError),
                (.modeChanged(device, .stream), nil), (.modeFailed(device, error), .deviceError),
                (.event(device, data), nil), (.eventFailed(device, error), .deviceError),
            ]
            for (event, name) in expected {
                notifications = []
                fixture.txRx.report(event)
                #expect(notifications.map(\.name) == (name.map { [$0] } ?? []))
                #expect(name == nil || notifications.first?.data == event.data)
                #expect(name == nil || notifications.first?.error?.code == event.error?.code)
            }
            #expect(Set(expected.compactMap(\.1)) == Set(TxRxEventName.allCases))
        }

        @Test("Each event is a message of one line that is safe to print; data are text or hexadecimal")
        @BluetoothActor func messages() async throws {
            let simulator = try await SerialSimulator()
            await simulator.perform { $0.peripheral.isAdvertising = false }
            try await simulator.add("A\u{1B}[2J", "00:AA:02:00:00:78")
            let fixture = try await TxRxFixture(simulator)
            let device = try #require(try await fixture.scan().first)
            let error = BluetoothError(.failed, "No")
            let name = "A\\u{1b}[2J_0"
            #expect(TxRxEvent.found(device).message == "Found \(name)  00:AA:02:00:00:78")
            let reply = Data("a\r\n".utf8)
            #expect(TxRxEvent.received(device, reply).message == "Received from \(name): a\\u{d}\\u{a}")
            #expect(TxRxEvent.sent(device, Data([0x41, 0xFF])).message == "Sent to \(name): 41ff")
            #expect(TxRxEvent.disconnected(device, nil).message == "Disconnected from \(name)")
            #expect(TxRxEvent.disconnected(device, error).message == "Disconnected from \(name): No")
            let others: [TxRxEvent] = [
                .scanBegan, .scanFailed(error), .scanEnded, .connectFailed(device, error), .connected(device),
                .ready(device, .nordic), .sendFailed(device, error), .sendTimedOut(device, error),
                .receiveFailed(device, error), .modeChanged(device, .stream), .modeFailed(device, error),
                .event(device, Data([1])), .eventFailed(device, error), .deviceFailed(error), .failed(error),
            ]
            let texts = others.map(\.message)
            #expect(Set(texts).count == others.count)
            #expect(texts.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } })
        }

        @Test("The core reports errors by the names of TxRxLibrary")
        @BluetoothActor func errors() async throws {
            let simulator = try await SerialSimulator(script: { SilentScript() })
            // Long enough for the sending.
            let limit = Duration.milliseconds(100).stretched
            let fixture = try await TxRxFixture(simulator, .with { $0.firstFragment = limit })
            let core = TxRxCore(fixture.txRx)
            var names: [String] = []
            for name in TxRxEventName.allCases { core.addListener(for: name) { names.append($0.name.rawValue) } }
            let wait = { (name: String) async throws in
                try await eventually("\(name); there were \(names)") { names.last == name }
            }
            core.stopScan()
            try await wait("TxRxScanError")
            let device = try #require(try await fixture.scan().first)
            core.sendData(device, Data([1]))
            try await wait("TxRxDeviceDataSendError")
            core.disconnectDevice(device)
            try await wait("TxRxDeviceError")
            core.connectDevice(device)
            try await wait("TxRxDeviceReady")
            core.connectDevice(device)
            try await wait("TxRxDeviceConnectError")
            core.sendData(device, Data([1]))
            try await wait("TxRxDeviceDataReceiveError")
            await simulator.delayWrites(.seconds(600))
            fixture.txRx.timeouts.write = .milliseconds(30)
            fixture.txRx.timeouts.firstFragment = .seconds(9)
            core.sendData(device, Data([1]))
            try await wait("TxRxDeviceDataSendTimeout")
            await simulator.perform { $0.bluez.simulateCrash() }
            try await wait("TxRxDeviceDisconnected")
            core.startScan()
            try await eventually("an internal error") { names.contains("TxRxDeviceInternalError") }
        }

        @Test("A device of another core is unknown")
        @BluetoothActor func unknown() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            let device = try #require(try await fixture.scan().first)
            let other = TxRxCore(TxRxCentral(fixture.central))
            var codes: [BluetoothError.Code?] = []
            other.addListener(for: .deviceError) { codes.append($0.error?.code) }
            other.connectDevice(device)
            other.sendData(device, Data([1]))
            other.disconnectDevice(device)
            #expect(codes == [.deviceUnknown, .deviceUnknown, .deviceUnknown])
            #expect(!device.isConnecting)
        }

        @Test("There is one core for the program")
        @BluetoothActor func singleton() async {
            #expect(TxRxCore.getCore() === TxRxCore.getCore())
            #expect(!TxRxCore.getCore().isScanning)
        }

        @Test("The manager looks devices up by name and indexed name")
        @BluetoothActor func devices() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            let manager = TxRxManager(TxRxCore(fixture.txRx))
            let device = try #require(try await fixture.scan().first)
            #expect(manager.getDeviceName(device) == "UART")
            #expect(manager.getDeviceIndexedName(device) == "UART_0")
            #expect(manager.deviceFromDeviceName("Uart") === device)
            #expect(manager.deviceWithIndexedName("uart_0") === device)
            #expect(manager.deviceWithIndexedName("uart_1") == nil)
        }

        @Test("The manager's timeouts are in milliseconds, and go back to their defaults")
        @BluetoothActor func timeouts() async {
            let central = TxRxCentral(CentralManager(bus: .address("unix:path=/nowhere")))
            let manager = TxRxManager(TxRxCore(central))
            let defaults: [(TxRxTimeoutKey, Int)] = [
                (.connect, 20_000), (.receiveFirstPacket, 2000), (.receivePackets, 200), (.sendPackets, 1500),
            ]
            #expect(defaults.map(\.0) == TxRxTimeoutKey.allCases)
            for (key, value) in defaults {
                #expect(manager.getTimeoutValue(key) == value)
                manager.setTimeoutValue(key, 77)
                #expect(TxRxTimeoutKey.allCases.map { manager.getTimeoutValue($0) }.filter { $0 == 77 }.count == 1)
                #expect(manager.getTimeoutValue(key) == 77)
                #expect(central.timeouts != TxRxTimeouts())
                manager.setTimeoutValue(key, -5)
                #expect(manager.getTimeoutValue(key) == 0)
                manager.setTimeoutValue(key, .max)
                #expect(manager.getTimeoutValue(key) == .max)
                manager.setTimeoutDefaults()
                #expect(manager.getTimeoutValue(key) == value)
                #expect(central.timeouts == TxRxTimeouts())
            }
        }
    }
}
