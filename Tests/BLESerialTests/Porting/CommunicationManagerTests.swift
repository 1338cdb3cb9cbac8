import BLESerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import SimulatedSerial
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
    @Suite("The MPOS interface's manager") @BluetoothActor struct CommunicationManagerTests {
        private nonisolated static let address = TerminalStage.address

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
            let stage = try await TerminalStage()
            BluetoothManager.use(stage.terminal)
            let listener = Listener()
            let begin = {
                CommunicationManagerBase.searchDevices(
                    listener, detectAudioDevice: true, detectBluetooth: true, timeout: 700)
            }
            #expect(begin() == .begun)
            #expect(begin() == .cannotStart)
            try await Patience.wait(for: "the device", until: { !listener.devices.isEmpty })
            // What is new in an advertisement is reported again by the scan.
            await stage.simulate { $0.peripheral.advertisement.manufacturerData = [0xFFFF: [1]] }
            try await Patience.wait(for: "the end", until: { listener.completions == 1 })
            #expect(listener.devices.map { $0.getName() } == ["UART"])
            #expect(listener.devices.map { $0.getIdentifier() } == [Self.address])
            #expect(listener.devices.map { $0.getDevChannel() } == [.bluetooth])
            #expect(begin() == .begun)
            try await Patience.wait(for: "the second end", until: { listener.completions == 2 })
        }

        @Test("The timeout of a search may be absent: it then lasts ten seconds", arguments: [0, -1])
        func searchWithoutTimeout(timeout: Int) async throws {
            let stage = try await TerminalStage()
            let listener = Listener()
            let code = await stage.manager.searchDevices(
                listener, detectAudioDevice: false, detectBluetooth: true, timeout: timeout)
            #expect(code == .begun)
            try await Patience.wait(for: "the device", until: { !listener.devices.isEmpty })
            #expect(listener.completions == 0)
            #expect(BluetoothManager.defaultSearchTime == .seconds(10))
            // This ends the search earlier.
            await SimulatorActor.run { [bluez = stage.bluez] in bluez.adapters[0].simulatePower(false) }
            try await Patience.wait(for: "the end", until: { listener.completions == 1 })
        }

        @Test("A search is refused without Bluetooth, and with the adapter off")
        func searchRefused() async throws {
            let stage = try await TerminalStage()
            let listener = Listener()
            let search = { (manager: BluetoothManager, bluetooth: Bool) in
                manager.searchDevices(
                    listener, detectAudioDevice: true, detectBluetooth: bluetooth, timeout: 100)
            }
            #expect(search(stage.manager, false) == .noBluetooth)
            try await stage.terminal.central.waitUntilPoweredOn()
            await SimulatorActor.run { [bluez = stage.bluez] in bluez.adapters[0].simulatePower(false) }
            try await Patience.wait(for: "the power to go") { stage.terminal.central.state == .poweredOff }
            #expect(search(stage.manager, true) == .poweredOff)
            #expect(await stage.manager.openDevice(Self.address) == .poweredOff)
            let nowhere = BluetoothManager(ExchangeTerminal(CentralManager(bus: .address("unix:path=/nonexistent"))))
            #expect(await nowhere.openDevice(Self.address) == .notSupported)
            #expect(search(nowhere, true) == .noBluetooth)
        }

        @Test("While the state is unknown, a search returns 0 at once, or -1 or -2 as soon as it is known")
        func searchBeforeTheState() async throws {
            let stage = try await TerminalStage()
            await SimulatorActor.run { [bluez = stage.bluez] in bluez.adapters[0].simulatePower(false) }
            let nowhere = { ExchangeTerminal(CentralManager(bus: .address("unix:path=/nonexistent"))) }
            let off = { ExchangeTerminal(CentralManager(bus: stage.bus)) }
            for (terminal, expected) in [(nowhere, ExchangeSearchCode.noBluetooth), (off, .poweredOff)] {
                let listener = Listener()
                let first = BluetoothManager.use(terminal())
                #expect(first.terminal.central.state == .unknown)
                let atOnce = {
                    CommunicationManagerBase.searchDevices(
                        listener, detectAudioDevice: false, detectBluetooth: true, timeout: 100)
                }
                #expect(atOnce() == .begun)
                try await Patience.wait(for: "the end", until: { listener.completions == 1 })
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
                try await Patience.wait(for: "the code", until: { codes == [expected] })
                // A search that has not begun has no end.
                #expect(listener.completions == 1)
                #expect(listener.devices.isEmpty)
            }
        }

        @Test("A search that BlueZ refuses is -3, and another can begin after it")
        func searchFails() async throws {
            let stage = try await TerminalStage()
            try await stage.terminal.central.waitUntilPoweredOn()
            await SimulatorActor.run { [bluez = stage.bluez] in
                let answer = SimulatedReply.error(name: "org.bluez.Error.Failed", message: "Nobody knows")
                bluez.simulateReply(answer, to: "StartDiscovery", of: "org.bluez.Adapter1")
            }
            let listener = Listener()
            let code = await stage.manager.searchDevices(
                listener, detectAudioDevice: false, detectBluetooth: true, timeout: 60_000)
            #expect(code == .cannotStart)
            #expect(listener.completions == 0)
            let next = await stage.manager.searchDevices(
                listener, detectAudioDevice: false, detectBluetooth: true, timeout: 50)
            #expect(next == .begun)
            try await Patience.wait(for: "the end", until: { listener.completions == 1 })
        }

        // MARK: Opening and closing

        @Test("A device is opened by its identifier, without a search, and closed")
        func opening() async throws {
            let stage = try await TerminalStage()
            let terminal = stage.terminal
            #expect(!stage.manager.isConnected)
            #expect(await stage.manager.openDevice(Self.address) == .opened)
            #expect(stage.manager.isConnected)
            #expect(await stage.manager.openDevice(Self.address) == .opened)
            #expect(stage.manager.isConnected)
            stage.manager.closeResource()
            #expect(!stage.manager.isConnected)
            try await Patience.wait(for: "the link to end") {
                terminal.central.peripherals.allSatisfy { !$0.isConnected }
            }
            #expect(await stage.written().isEmpty)
            #expect(await stage.manager.openDevice(Self.address) == .opened)
        }

        @Test("While it is being opened, the device is ready as soon as there is a link")
        func readyWhileOpening() async throws {
            let stage = try await TerminalStage()
            let terminal = stage.terminal
            var states: [ExchangeDeviceState] = []
            var hosts: [ExchangeHostState] = []
            terminal.central.eventHandler = { _ in
                states.append(terminal.deviceState)
                hosts.append(terminal.hostState)
            }
            #expect(await stage.manager.openDevice(Self.address) == .opened)
            terminal.central.eventHandler = nil
            #expect(states.contains(.ready))
            #expect(hosts.contains(.deviceDetected))
            #expect(!states.contains(.processing))
        }

        @Test("A device that another part of the program uses fails to open, and keeps its link")
        func openFailsLate() async throws {
            let stage = try await TerminalStage()
            let central = stage.terminal.central
            let service = try await SerialFinder(central).find()
            try await service.open()
            #expect(await stage.manager.openDevice(Self.address) == .unknown)
            #expect(service.isOpen)
            #expect(!stage.manager.isConnected)
        }

        @Test(
            "Opening fails with the matching code", arguments: ["", "77", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"])
        func illegalAddress(identifier: String) async throws {
            let stage = try await TerminalStage()
            #expect(await stage.manager.openDevice(identifier) == .illegalAddress)
        }

        @Test("A device that is not there, or has none of the profiles, fails to open")
        func openFails() async throws {
            let stage = try await TerminalStage(.hm10)
            stage.terminal.configuration.connectTimeout = .milliseconds(300)
            #expect(await stage.manager.openDevice("00:AA:02:00:00:01") == .failed)
            var codes: [ExchangeOpenCode] = []
            stage.manager.openDevice(Self.address) { codes.append($0) }
            try await Patience.wait(for: "the code", until: { !codes.isEmpty })
            #expect(codes == [.failed])
        }

        @Test("Closing the device switches it off, if the application gave the command for it")
        func powerOff() async throws {
            let stage = try await TerminalStage()
            let central = stage.terminal.central
            for isKnown in [true, false] {
                if !isKnown { stage.terminal.configuration.powerOffMessage = nil }
                #expect(await stage.manager.openDevice(Self.address) == .opened)
                stage.manager.closeDevice()
                try await Patience.wait(for: "the link to end") { central.peripherals.allSatisfy { !$0.isConnected } }
                #expect(await stage.written() == "off\n")
            }
        }

        // MARK: Exchanging

        @Test("An exchange reports that it was sent, its progress and its reply")
        func exchange() async throws {
            let stage = try await TerminalStage()
            try await stage.open(nil, .masterSlave)
            let callbacks = Callbacks()
            #expect(stage.manager.exchangeData(Data("pay".utf8), timeout: 30_000, cb: callbacks) == .accepted)
            #expect(stage.terminal.hostState == .exchanging)
            #expect(stage.terminal.deviceState == .processing)
            #expect(stage.manager.exchangeData(Data("ping".utf8), timeout: 30_000, cb: callbacks) == .notFinished)
            try await Patience.wait(for: "the reply", until: { callbacks.told.count == 3 })
            #expect(callbacks.told == ["sent", "progress MSG insert card", "received paid"])
        }

        @Test("Timeouts may be as long as a number can be")
        func longTimeouts() async throws {
            let stage = try await TerminalStage()
            let listener = Listener()
            let code = await stage.manager.searchDevices(
                listener, detectAudioDevice: false, detectBluetooth: true, timeout: .max)
            #expect(code == .begun)
            try await Patience.wait(for: "the device", until: { !listener.devices.isEmpty })
            try await stage.open(nil, .masterSlave)
            let callbacks = Callbacks()
            #expect(stage.manager.exchangeData(Data("pay".utf8), timeout: .max, cb: callbacks) == .accepted)
            try await Patience.wait(for: "the reply", until: { callbacks.told.last == "received paid" })
        }

        @Test("Without callbacks of its own, an exchange uses those of the opening")
        func exchangeWithOpenedCallbacks() async throws {
            let stage = try await TerminalStage()
            let callbacks = Callbacks()
            var codes: [ExchangeOpenCode] = []
            stage.manager.openDevice(Self.address, cb: callbacks, mode: .masterSlave) { codes.append($0) }
            try await Patience.wait(for: "the device", until: { codes == [.opened] })
            #expect(stage.manager.exchangeData(Data("both".utf8), timeout: 30_000) == .accepted)
            #expect(stage.terminal.hostState == .exchanging)
            try await Patience.wait(for: "both replies", until: { callbacks.told.count == 3 })
            #expect(callbacks.told == ["sent", "received one", "received two"])
        }

        @Test("A timeout comes by onTimeout and not by onError too; cancelling by onError")
        func timeoutAndCancelling() async throws {
            let stage = try await TerminalStage()
            #expect(stage.manager.cancelExchange() == .notOpened)
            #expect(stage.manager.exchangeData(Data("x".utf8), timeout: 20) == .notOpened)
            try await stage.open(nil, .masterSlave)
            stage.terminal.exchange?.lateReplyWindow = .zero
            #expect(stage.manager.cancelExchange() == .nothingToCancel)
            let callbacks = Callbacks()
            #expect(stage.manager.exchangeData(Data("silence".utf8), timeout: 100, cb: callbacks) == .accepted)
            try await Patience.wait(for: "the timeout", until: { callbacks.told.count == 2 })
            #expect(callbacks.told == ["sent", "timeout"])
            #expect(stage.manager.exchangeData(Data("silence".utf8), timeout: 30_000, cb: callbacks) == .accepted)
            try await Patience.wait(for: "the sending", until: { callbacks.told.count == 3 })
            #expect(stage.manager.cancelExchange() == .accepted)
            try await Patience.wait(for: "the cancelling", until: { callbacks.told.count == 4 })
            #expect(callbacks.told == ["sent", "timeout", "sent", "error 12"])
        }

        @Test("In duplex mode data is sent without a timeout, and all that arrives goes to the opening's callbacks")
        func duplex() async throws {
            let stage = try await TerminalStage()
            let callbacks = Callbacks()
            try await stage.open(callbacks, .duplex)
            #expect(stage.terminal.exchange?.mode == .duplex)
            #expect(stage.manager.exchangeData(Data("ping".utf8), timeout: 0) == .accepted)
            try await Patience.wait(for: "the pong", until: { callbacks.told.count == 2 })
            await stage.simulate { $0.send(Array("MSG hello\nnews\n".utf8)) }
            try await Patience.wait(for: "the news", until: { callbacks.told.count == 4 })
            #expect(callbacks.told.sorted() == ["progress MSG hello", "received news", "received pong", "sent"])
            await stage.simulate { $0.peripheral.simulateDisconnection() }
            try await Patience.wait(for: "the lost link", until: { callbacks.told.count == 5 })
            #expect(callbacks.told.last == "error 20")
            #expect(stage.manager.exchangeData(Data("ping".utf8), timeout: 0) == .noDevice)
        }

        @Test("The link's end is error 20 of the exchange that waits, once")
        func linkLost() async throws {
            let stage = try await TerminalStage()
            let callbacks = Callbacks()
            try await stage.open(callbacks, .masterSlave)
            #expect(stage.manager.exchangeData(Data("silence".utf8), timeout: 30_000) == .accepted)
            try await Patience.wait(for: "the sending", until: { callbacks.told == ["sent"] })
            await stage.simulate { $0.peripheral.simulateDisconnection() }
            try await Patience.wait(for: "the error", until: { callbacks.told.count == 2 })
            #expect(callbacks.told.last == "error 20")
            #expect(!stage.manager.isConnected)
            #expect(stage.terminal.deviceState == .notReady)
        }
    }
}
