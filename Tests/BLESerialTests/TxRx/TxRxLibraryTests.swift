import BLESerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import SimulatedSerial
import Testing

extension SerialPorts {
    /// The names of TxRxLibrary, for programs that come from it.
    @Suite struct TxRxLibraryTests {
        @Test("The core scans, connects, sends and disconnects by the names of TxRxLibrary, and reports its events")
        func core() async throws {
            let world = try await SerialWorld(script: { EchoScript() })
            try await TxRxStage.run(world) { stage in
                let core = TxRxCore(stage.central)
                var notifications: [TxRxNotification] = []
                for name in TxRxEventName.allCases { core.setListener(for: name) { notifications.append($0) } }
                core.startScan()
                #expect(core.isScanning)
                try await Patience.wait(for: "the device") { !core.getScannedDevices().isEmpty }
                core.stopScan()
                try await Patience.wait(for: "the scan's end") { !core.isScanning }
                let device = core.getScannedDevices()[0]
                core.connectDevice(device)
                try await Patience.wait(for: "readiness") { device.isReady }
                core.sendData(device, Data("hello".utf8))
                try await Patience.wait(for: "the echo") { notifications.last?.name == .deviceDataReceived }
                #expect(notifications.last?.data == Data("hello".utf8))
                #expect(notifications.last?.device === device)
                core.disconnectDevice(device)
                try await Patience.wait(for: "the end") { notifications.last?.name == .deviceDisconnected }
                #expect(
                    notifications.map(\.name.rawValue) == [
                        "TxRxScanBegan", "TxRxDeviceFound", "TxRxScanEnded", "TxRxDeviceConnected", "TxRxDeviceReady",
                        "TxRxDeviceDataSent", "TxRxDeviceDataReceived", "TxRxDeviceDisconnected",
                    ])
                core.setListener(for: .deviceError, nil)
                core.disconnectDevice(device)
                #expect(notifications.count == 8)
            }
        }

        @Test("The core reports errors by the names of TxRxLibrary")
        func errors() async throws {
            let world = try await SerialWorld(script: { SilentScript() })
            try await TxRxStage.run(world, .with { $0.firstFragment = .milliseconds(30) }) { stage in
                let core = TxRxCore(stage.central)
                var names: [String] = []
                for name in TxRxEventName.allCases { core.setListener(for: name) { names.append($0.name.rawValue) } }
                let wait = { (name: String) async throws in
                    try await Patience.wait(for: "\(name); there were \(names)") { names.last == name }
                }
                core.stopScan()
                try await wait("TxRxScanError")
                let device = try #require(try await stage.scan().first)
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
                await world.delayWrites(.milliseconds(200))
                stage.central.timeouts.write = .milliseconds(30)
                stage.central.timeouts.firstFragment = .seconds(9)
                core.sendData(device, Data([1]))
                try await wait("TxRxDeviceDataSendTimeout")
                await world.perform { $0.bluez.simulateCrash() }
                try await wait("TxRxDeviceDisconnected")
                core.startScan()
                try await Patience.wait(for: "an internal error") { names.contains("TxRxDeviceInternalError") }
            }
        }

        @Test("A device of another core is unknown")
        func unknown() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                let device = try #require(try await stage.scan().first)
                let other = TxRxCore(TxRxCentral(stage.central.central))
                var codes: [BluetoothError.Code?] = []
                other.setListener(for: .deviceError) { codes.append($0.error?.code) }
                other.connectDevice(device)
                other.sendData(device, Data([1]))
                other.disconnectDevice(device)
                #expect(codes == [.deviceUnknown, .deviceUnknown, .deviceUnknown])
                #expect(!device.isConnecting)
            }
        }

        @Test("There is one core for the program")
        func singleton() async {
            await BluetoothActor.run {
                #expect(TxRxCore.getCore() === TxRxCore.getCore())
                #expect(!TxRxCore.getCore().isScanning)
            }
        }

        @Test("The manager looks devices up by name and indexed name")
        func devices() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                let manager = TxRxManager(TxRxCore(stage.central))
                let device = try #require(try await stage.scan().first)
                #expect(manager.getDeviceName(device) == "UART")
                #expect(manager.getDeviceIndexedName(device) == "UART_0")
                #expect(manager.deviceFromDeviceName("Uart") === device)
                #expect(manager.deviceWithIndexedName("uart_0") === device)
                #expect(manager.deviceWithIndexedName("uart_1") == nil)
            }
        }

        @Test(
            "The manager's time-outs are in milliseconds, and go back to their defaults",
            arguments: [
                (TxRxTimeoutKey.connect, 20_000), (.receiveFirstPacket, 2000), (.receivePackets, 200),
                (.sendPackets, 1500),
            ])
        func timeouts(_ key: TxRxTimeoutKey, _ value: Int) async throws {
            await BluetoothActor.run {
                let manager = TxRxManager(TxRxCore(TxRxCentral(CentralManager(bus: .address("unix:path=/nowhere")))))
                #expect(manager.getTimeoutValue(key) == value)
                manager.setTimeoutValue(key, 77)
                #expect(TxRxTimeoutKey.allCases.map { manager.getTimeoutValue($0) }.filter { $0 == 77 }.count == 1)
                #expect(manager.getTimeoutValue(key) == 77)
                manager.setTimeoutValue(key, -5)
                #expect(manager.getTimeoutValue(key) == 0)
                manager.setTimeoutDefaults()
                #expect(manager.getTimeoutValue(key) == value)
            }
        }
    }
}
