import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

/// Notes the callbacks.
@BluetoothActor final class Callbacks: CommunicationCallBack {
    var told: [String] = []
    func onSendOK() { told.append("sent") }
    func onReceive(_ data: Data) { told.append("received \(String(decoding: data, as: UTF8.self))") }
    func onTimeout() { told.append("timeout") }
    func onError(_ code: Int, message: String) { told.append("error \(code)") }
    func onProgress(_ data: Data) { told.append("progress \(String(decoding: data, as: UTF8.self))") }
}

@BluetoothActor final class Listener: DeviceSearchListener {
    var devices: [DeviceInfo] = []
    var completions = 0
    func discoverOneDevice(_ device: DeviceInfo) { devices.append(device) }
    func discoverComplete() { completions += 1 }
}

extension ExchangeDevices {
    @Suite("The MPOS interface's manager", .virtualTime) @BluetoothActor struct CommunicationManagerTests {
        private nonisolated static let address = SerialSimulator.address

        // MARK: Channels and version

        @Test("There is one manager of the Bluetooth channel, and by channel none for audio, with the reason")
        func channels() throws {
            let manager = try #require(CommunicationManagerBase.sharedInstance(.bluetooth))
            #expect(CommunicationManagerBase.sharedInstance(.bluetooth) === manager)
            #expect(BluetoothManager.sharedInstance() === manager)
            #expect(CommunicationManagerBase.sharedInstance(.audioJack) == nil)
            let error = #expect(throws: BluetoothError.self) { try CommunicationManagerBase.instance(.audioJack) }
            #expect(error?.code == .notSupported)
            #expect(error?.message.contains("audio channel") == true)
        }

        @Test("The manager of the audio channel has no device: everything is -4")
        func audio() async {
            let manager = AudioJackManager.sharedInstance()
            #expect(AudioJackManager.sharedInstance() === manager)
            #expect(await manager.openDevice("") == .notSupported)
            #expect(await manager.openDevice("", cb: Callbacks(), mode: .duplex) == .notSupported)
            #expect(manager.exchangeData(Data([1]), timeout: 100) == .noDevice)
            #expect(manager.exchangeData(Data([1]), timeout: 100, cb: Callbacks()) == .noDevice)
            #expect(manager.cancelExchange() == .noDevice)
            #expect(ExchangeOpenCode.notSupported.rawValue == -4)
            #expect([ExchangeStartCode.noDevice.rawValue, ExchangeCancelCode.noDevice.rawValue] == [-4, -4])
            #expect(!manager.isConnected)
            manager.closeDevice()
            manager.closeResource()
            manager.closeAudioResource()
        }

        @Test("The library's version is returned by the class")
        func version() {
            #expect(CommunicationManagerBase.getLibVersion() == CentralManager.version)
            #expect(BluetoothManager.getLibVersion() == CentralManager.version)
            #expect(AudioJackManager.getLibVersion() == CentralManager.version)
        }

        // MARK: Searching

        @Test("A search reports each device once, with name, identifier and channel, and then its end")
        func search() async throws {
            let fixture = try await TerminalFixture()
            BluetoothManager.use(fixture.terminal)
            let listener = Listener()
            let timeout = Int(Duration.milliseconds(700).stretched / .milliseconds(1))
            let begin = {
                CommunicationManagerBase.searchDevices(
                    listener, detectAudioDevice: true, detectBluetooth: true, timeout: timeout)
            }
            #expect(begin() == .begun)
            #expect(begin() == .cannotStart)
            try await eventually("the device", until: { !listener.devices.isEmpty })
            // What is new in an advertisement is reported again by the scan.
            await fixture.simulate { $0.peripheral.advertisement.manufacturerData = [0xFFFF: Data([1])] }
            try await eventually("the end", until: { listener.completions == 1 })
            #expect(listener.devices.map { $0.getName() } == ["UART"])
            #expect(listener.devices.map { $0.getIdentifier() } == [Self.address])
            #expect(listener.devices.map { $0.getDevChannel() } == [.bluetooth])
            #expect(begin() == .begun)
            try await eventually("the second end", until: { listener.completions == 2 })
        }

        @Test("The timeout of a search may be absent: it then lasts ten seconds", arguments: [0, -1])
        func searchWithoutTimeout(timeout: Int) async throws {
            let fixture = try await TerminalFixture()
            let listener = Listener()
            let code = await fixture.manager.searchDevices(
                listener, detectAudioDevice: false, detectBluetooth: true, timeout: timeout)
            #expect(code == .begun)
            try await eventually("the device", until: { !listener.devices.isEmpty })
            #expect(listener.completions == 0)
            #expect(listener.devices.map { "\($0)" } == ["UART (\(Self.address))"])
            #expect(BluetoothManager.defaultSearchTime == .seconds(10))
            // This ends the search earlier.
            await SimulatorActor.run { [bluez = fixture.bluez] in bluez.adapters[0].simulatePower(false) }
            try await eventually("the end", until: { listener.completions == 1 })
        }

        @Test("A search is refused without Bluetooth, and with the adapter off")
        func searchRefused() async throws {
            let fixture = try await TerminalFixture()
            let listener = Listener()
            let search = { (manager: BluetoothManager, bluetooth: Bool) in
                manager.searchDevices(
                    listener, detectAudioDevice: true, detectBluetooth: bluetooth, timeout: 100)
            }
            #expect(search(fixture.manager, false) == .noBluetooth)
            try await fixture.terminal.central.waitUntilPoweredOn()
            await SimulatorActor.run { [bluez = fixture.bluez] in bluez.adapters[0].simulatePower(false) }
            try await eventually("the power to go") { fixture.terminal.central.state == .poweredOff }
            #expect(search(fixture.manager, true) == .poweredOff)
            #expect(await fixture.manager.openDevice(Self.address) == .poweredOff)
            let nowhere = BluetoothManager(ExchangeTerminal(CentralManager(bus: .address("unix:path=/nonexistent"))))
            #expect(await nowhere.openDevice(Self.address) == .notSupported)
            #expect(search(nowhere, true) == .noBluetooth)
        }

        @Test("While the state is unknown, a search returns 0 at once, or -1 or -2 as soon as it is known")
        func searchBeforeTheState() async throws {
            let fixture = try await TerminalFixture()
            await SimulatorActor.run { [bluez = fixture.bluez] in bluez.adapters[0].simulatePower(false) }
            let nowhere = { ExchangeTerminal(CentralManager(bus: .address("unix:path=/nonexistent"))) }
            let off = { ExchangeTerminal(CentralManager(bus: fixture.bus)) }
            for (terminal, expected) in [(nowhere, ExchangeSearchCode.noBluetooth), (off, .poweredOff)] {
                let listener = Listener()
                let first = BluetoothManager.use(terminal())
                #expect(first.terminal.central.state == .unknown)
                let atOnce = {
                    CommunicationManagerBase.searchDevices(
                        listener, detectAudioDevice: false, detectBluetooth: true, timeout: 100)
                }
                #expect(atOnce() == .begun)
                try await eventually("the end", until: { listener.completions == 1 })
                BluetoothManager.use(terminal())
                let code = await CommunicationManagerBase.searchDevices(
                    listener, detectAudioDevice: false, detectBluetooth: true, timeout: 100)
                #expect(code == expected)
                BluetoothManager.use(terminal())
                var codes: [ExchangeSearchCode] = []
                CommunicationManagerBase.searchDevices(
                    listener, detectAudioDevice: false, detectBluetooth: true, timeout: 100
                ) { codes.append($0) }
                #expect(codes.isEmpty)
                try await eventually("the code", until: { codes == [expected] })
                // A search that has not begun has no end.
                #expect(listener.completions == 1)
                #expect(listener.devices.isEmpty)
            }
        }

        @Test("A search that BlueZ refuses is -3, and another can begin after it")
        func searchFails() async throws {
            let fixture = try await TerminalFixture()
            try await fixture.terminal.central.waitUntilPoweredOn()
            await SimulatorActor.run { [bluez = fixture.bluez] in
                let answer = SimulatedReply.error(name: "org.bluez.Error.Failed", message: "Nobody knows")
                bluez.simulateReply(answer, to: "StartDiscovery", of: "org.bluez.Adapter1")
            }
            let listener = Listener()
            let code = await fixture.manager.searchDevices(
                listener, detectAudioDevice: false, detectBluetooth: true, timeout: 60_000)
            #expect(code == .cannotStart)
            #expect(listener.completions == 0)
            let next = await fixture.manager.searchDevices(
                listener, detectAudioDevice: false, detectBluetooth: true, timeout: 50)
            #expect(next == .begun)
            try await eventually("the end", until: { listener.completions == 1 })
        }

        // MARK: Opening and closing

        @Test("A device is opened by its identifier, without a search, and closed")
        func opening() async throws {
            let fixture = try await TerminalFixture()
            let terminal = fixture.terminal
            #expect(!fixture.manager.isConnected)
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            #expect(fixture.manager.isConnected)
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            #expect(fixture.manager.isConnected)
            fixture.manager.closeResource()
            #expect(!fixture.manager.isConnected)
            try await eventually("the link to end") {
                terminal.central.peripherals.allSatisfy { !$0.isConnected }
            }
            #expect(await fixture.written().isEmpty)
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
        }

        @Test("While it is being opened, the device is ready as soon as there is a link")
        func readyWhileOpening() async throws {
            let fixture = try await TerminalFixture()
            let terminal = fixture.terminal
            var states: [ExchangeDeviceState] = []
            var hosts: [ExchangeHostState] = []
            terminal.central.eventHandler = { _ in
                states.append(terminal.deviceState)
                hosts.append(terminal.hostState)
            }
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            terminal.central.eventHandler = nil
            #expect(states.contains(.ready))
            #expect(hosts.contains(.deviceDetected))
            #expect(!states.contains(.processing))
        }

        @Test("A device that another part of the program uses fails to open, and keeps its link")
        func openFailsLate() async throws {
            let fixture = try await TerminalFixture()
            let central = fixture.terminal.central
            let service = try await SerialFinder(central).find()
            try await service.open()
            #expect(await fixture.manager.openDevice(Self.address) == .unknown)
            #expect(service.isOpen)
            #expect(!fixture.manager.isConnected)
        }

        @Test(
            "Opening fails with the matching code", arguments: ["", "77", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"])
        func illegalAddress(identifier: String) async throws {
            let fixture = try await TerminalFixture()
            #expect(await fixture.manager.openDevice(identifier) == .illegalAddress)
        }

        @Test("A device that is not there, or has none of the profiles, fails to open")
        func openFails() async throws {
            let fixture = try await TerminalFixture(.hm10)
            fixture.terminal.configuration.connectTimeout = .milliseconds(300)
            #expect(await fixture.manager.openDevice("00:AA:02:00:00:01") == .failed)
            var codes: [ExchangeOpenCode] = []
            fixture.manager.openDevice(Self.address) { codes.append($0) }
            try await eventually("the code", until: { !codes.isEmpty })
            #expect(codes == [.failed])
        }

        @Test("Closing the device switches it off, if the application gave the command for it")
        func powerOff() async throws {
            let fixture = try await TerminalFixture()
            let central = fixture.terminal.central
            for isKnown in [true, false] {
                if !isKnown { fixture.terminal.configuration.powerOffMessage = nil }
                #expect(await fixture.manager.openDevice(Self.address) == .opened)
                fixture.manager.closeDevice()
                try await eventually("the link to end") { central.peripherals.allSatisfy { !$0.isConnected } }
                #expect(await fixture.written() == "off\n")
            }
        }

        // MARK: Exchanging

        @Test("An exchange reports that it was sent, its progress and its reply")
        func exchange() async throws {
            let fixture = try await TerminalFixture()
            try await fixture.open(nil, .masterSlave)
            let callbacks = Callbacks()
            #expect(fixture.manager.exchangeData(Data("pay".utf8), timeout: 30_000, cb: callbacks) == .accepted)
            #expect(fixture.terminal.hostState == .exchanging)
            #expect(fixture.terminal.deviceState == .processing)
            #expect(fixture.manager.exchangeData(Data("ping".utf8), timeout: 30_000, cb: callbacks) == .notFinished)
            try await eventually("the reply", until: { callbacks.told.count == 3 })
            #expect(callbacks.told == ["sent", "progress MSG insert card", "received paid"])
        }

        @Test("Timeouts may be as long as a number can be")
        func longTimeouts() async throws {
            let fixture = try await TerminalFixture()
            let listener = Listener()
            let code = await fixture.manager.searchDevices(
                listener, detectAudioDevice: false, detectBluetooth: true, timeout: .max)
            #expect(code == .begun)
            try await eventually("the device", until: { !listener.devices.isEmpty })
            try await fixture.open(nil, .masterSlave)
            let callbacks = Callbacks()
            #expect(fixture.manager.exchangeData(Data("pay".utf8), timeout: .max, cb: callbacks) == .accepted)
            try await eventually("the reply", until: { callbacks.told.last == "received paid" })
        }

        @Test("Without callbacks of its own, an exchange uses those of the opening")
        func exchangeWithOpenedCallbacks() async throws {
            let fixture = try await TerminalFixture()
            let callbacks = Callbacks()
            var codes: [ExchangeOpenCode] = []
            fixture.manager.openDevice(Self.address, cb: callbacks, mode: .masterSlave) { codes.append($0) }
            try await eventually("the device", until: { codes == [.opened] })
            #expect(fixture.manager.exchangeData(Data("both".utf8), timeout: 30_000) == .accepted)
            #expect(fixture.terminal.hostState == .exchanging)
            try await eventually("both replies", until: { callbacks.told.count == 3 })
            #expect(callbacks.told == ["sent", "received one", "received two"])
        }

        @Test("A timeout comes by onTimeout and not by onError too; cancelling by onError")
        func timeoutAndCancelling() async throws {
            let fixture = try await TerminalFixture()
            #expect(fixture.manager.cancelExchange() == .notOpened)
            #expect(fixture.manager.exchangeData(Data("x".utf8), timeout: 20) == .notOpened)
            try await fixture.open(nil, .masterSlave)
            fixture.terminal.exchange?.lateReplyWindow = .zero
            #expect(fixture.manager.cancelExchange() == .nothingToCancel)
            let callbacks = Callbacks()
            // Long enough for the sending.
            let timeout = Int(Duration.milliseconds(300).stretched / .milliseconds(1))
            #expect(fixture.manager.exchangeData(Data("silence".utf8), timeout: timeout, cb: callbacks) == .accepted)
            try await eventually("the timeout", until: { callbacks.told.count == 2 })
            #expect(callbacks.told == ["sent", "timeout"])
            #expect(fixture.manager.exchangeData(Data("silence".utf8), timeout: 30_000, cb: callbacks) == .accepted)
            try await eventually("the sending", until: { callbacks.told.count == 3 })
            #expect(fixture.manager.cancelExchange() == .accepted)
            try await eventually("the cancelling", until: { callbacks.told.count == 4 })
            #expect(callbacks.told == ["sent", "timeout", "sent", "error 12"])
        }

        @Test("In duplex mode data is sent without a timeout, and all that arrives goes to the opening's callbacks")
        func duplex() async throws {
            let fixture = try await TerminalFixture()
            let callbacks = Callbacks()
            try await fixture.open(callbacks, .duplex)
            #expect(fixture.terminal.exchange?.mode == .duplex)
            #expect(fixture.manager.exchangeData(Data("ping".utf8), timeout: 0) == .accepted)
            try await eventually("the pong", until: { callbacks.told.count == 2 })
            await fixture.simulate { $0.send(Array("MSG hello\nnews\n".utf8)) }
            try await eventually("the news", until: { callbacks.told.count == 4 })
            #expect(callbacks.told.sorted() == ["progress MSG hello", "received news", "received pong", "sent"])
            await fixture.simulate { $0.peripheral.simulateDisconnection() }
            try await eventually("the lost link", until: { callbacks.told.count == 5 })
            #expect(callbacks.told.last == "error 20")
            #expect(fixture.manager.exchangeData(Data("ping".utf8), timeout: 0) == .noDevice)
        }

        @Test("The link's end is error 20 of the exchange that waits, once")
        func linkLost() async throws {
            let fixture = try await TerminalFixture()
            let callbacks = Callbacks()
            try await fixture.open(callbacks, .masterSlave)
            #expect(fixture.manager.exchangeData(Data("silence".utf8), timeout: 30_000) == .accepted)
            try await eventually("the sending", until: { callbacks.told == ["sent"] })
            await fixture.simulate { $0.peripheral.simulateDisconnection() }
            try await eventually("the error", until: { callbacks.told.count == 2 })
            #expect(callbacks.told.last == "error 20")
            #expect(!fixture.manager.isConnected)
            #expect(fixture.terminal.deviceState == .notReady)
        }
    }
}
