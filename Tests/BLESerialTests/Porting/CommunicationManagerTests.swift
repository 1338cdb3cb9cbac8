import BLESerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import SimulatedSerial
import Testing

/// Notes the callbacks.
@BluetoothActor private final class Callbacks: CommunicationCallBack {
    var told: [String] = []
    func onSendOK() { told.append("sent") }
    func onReceive(_ data: Data) { told.append("received \(String(decoding: data, as: UTF8.self))") }
    func onTimeout() { told.append("timeout") }
    func onError(_ code: Int, message: String) { told.append("error \(code)") }
    func onProgress(_ data: Data) { told.append("progress \(String(decoding: data, as: UTF8.self))") }
}

@BluetoothActor private final class Listener: DeviceSearchListener {
    var devices: [DeviceInfo] = []
    var completions = 0
    func discoverOneDevice(_ device: DeviceInfo) { devices.append(device) }
    func discoverComplete() { completions += 1 }
}

extension ExchangeDevices {
    @Suite("The MPOS interface's manager") @BluetoothActor struct CommunicationManagerTests {
        private nonisolated static let address = "00:AA:02:00:00:77"

        /// A simulated terminal that answers lines, and a manager for it.
        @BluetoothActor final class Setup {
            let bluez: SimulatedBlueZ
            let device: SimulatedSerialDevice
            let manager: CommunicationManager

            init(_ profile: SimulatedSerialProfile = .nordic) async throws {
                let answers: [(String, [String])] = [
                    ("pay", ["MSG insert card\n", "paid\n"]), ("ping", ["pong\n"]), ("both", ["one\n", "two\n"]),
                    ("MSG", ["MSG step\n"]),
                ]
                let bus: String
                (bluez, device, bus) = try await SimulatorActor.run {
                    let bluez = try await SimulatedBlueZ(.init(timing: .instant))
                    let script = AnswerScript(
                        answers.map { .init(Array("\($0)\n".utf8), $1.map { Array($0.utf8) }) })
                    let device = try SimulatedSerialDevice(in: bluez, profile, address: address, script: script)
                    return (bluez, device, bluez.address)
                }
                var configuration = ExchangeTerminal.Configuration()
                configuration.framing = TerminatorFraming(Data("\n".utf8))
                configuration.classify = { message, _ in message.starts(with: Data("MSG".utf8)) ? .progress : .reply }
                configuration.powerOffMessage = Data("off".utf8)
                let central = CentralManager(bus: .address(bus))
                manager = CommunicationManager(ExchangeTerminal(central, configuration))
            }

            func open(_ callbacks: (any CommunicationCallBack)? = nil, _ mode: CommunicationManager.Mode) async throws {
                try #require(await manager.openDevice(address, cb: callbacks, mode: mode) == .opened)
            }

            /// What the device was sent.
            func written() async -> String {
                await SimulatorActor.run { [device] in
                    let writes = device.peripheral.log.filter { $0.uuid == device.profile.write }
                    return String(decoding: writes.flatMap(\.value), as: UTF8.self)
                }
            }
        }

        // MARK: Channels and version

        @Test("There is one manager of the Bluetooth channel, and none of the audio channel, with the reason")
        func channels() throws {
            let manager = try #require(CommunicationManager.sharedInstance(.bluetooth))
            #expect(CommunicationManager.sharedInstance(.bluetooth) === manager)
            #expect(CommunicationManager.sharedInstance(.audioJack) == nil)
            let error = #expect(throws: BluetoothError.self) { try CommunicationManager.instance(.audioJack) }
            #expect(error?.code == .notSupported)
            #expect(error?.message.contains("audio channel") == true)
            manager.closeAudioResource()
        }

        @Test("The library's version is returned")
        func version() {
            let manager = CommunicationManager(ExchangeTerminal(CentralManager()))
            #expect(manager.getLibVersion() == CentralManager.version)
        }

        // MARK: Searching

        @Test("A search reports each device once, with name, identifier and channel, and then its end")
        func search() async throws {
            let setup = try await Setup()
            let listener = Listener()
            let begin = {
                setup.manager.searchDevices(
                    listener, detectAudioDevice: true, detectBluetooth: true, timeout: 700)
            }
            #expect(begin() == .begun)
            #expect(begin() == .cannotStart)
            try await Patience.wait(for: "the device", until: { !listener.devices.isEmpty })
            // What is new in an advertisement is reported again by the scan.
            await SimulatorActor.run { [device = setup.device] in
                device.peripheral.advertisement.manufacturerData = [0xFFFF: [1]]
            }
            try await Patience.wait(for: "the end", until: { listener.completions == 1 })
            #expect(listener.devices.map { $0.getName() } == ["UART"])
            #expect(listener.devices.map { $0.getIdentifier() } == [Self.address])
            #expect(listener.devices.map { $0.getDevChannel() } == [.bluetooth])
            #expect(begin() == .begun)
            try await Patience.wait(for: "the second end", until: { listener.completions == 2 })
        }

        @Test("A search is refused without Bluetooth, and with the adapter off")
        func searchRefused() async throws {
            let setup = try await Setup()
            let listener = Listener()
            let search = { (bluetooth: Bool) in
                setup.manager.searchDevices(
                    listener, detectAudioDevice: true, detectBluetooth: bluetooth, timeout: 100)
            }
            #expect(search(false) == .noBluetooth)
            try await setup.manager.terminal.central.waitUntilPoweredOn()
            await SimulatorActor.run { [bluez = setup.bluez] in bluez.adapters[0].simulatePower(false) }
            try await Patience.wait(for: "the power to go") { setup.manager.terminal.central.state == .poweredOff }
            #expect(search(true) == .poweredOff)
            #expect(await setup.manager.openDevice(Self.address) == .poweredOff)
            let nowhere = CommunicationManager(
                ExchangeTerminal(CentralManager(bus: .address("unix:path=/nonexistent"))))
            #expect(await nowhere.openDevice(Self.address) == .notSupported)
            #expect(
                nowhere.searchDevices(listener, detectAudioDevice: false, detectBluetooth: true, timeout: 100)
                    == .noBluetooth)
        }

        // MARK: Opening and closing

        @Test("A device is opened by its identifier, without a search, and closed")
        func opening() async throws {
            let setup = try await Setup()
            let terminal = setup.manager.terminal
            #expect(!setup.manager.isConnected)
            #expect(terminal.hostState == .waitingForDevice)
            #expect(terminal.deviceState == .notReady)
            #expect(await setup.manager.openDevice(Self.address) == .opened)
            #expect(setup.manager.isConnected)
            #expect(terminal.hostState == .idle)
            #expect(terminal.deviceState == .idle)
            #expect(await setup.manager.openDevice(Self.address) == .failed)
            setup.manager.closeResource()
            #expect(!setup.manager.isConnected)
            try await Patience.wait(for: "the link to end") {
                terminal.central.peripherals.allSatisfy { !$0.isConnected }
            }
            #expect(await setup.written().isEmpty)
            #expect(terminal.hostState == .deviceDetected)
            #expect(await setup.manager.openDevice(Self.address) == .opened)
        }

        @Test("While it is being opened, the device is ready as soon as there is a link")
        func readyWhileOpening() async throws {
            let setup = try await Setup()
            let terminal = setup.manager.terminal
            var states: [ExchangeDeviceState] = []
            var hosts: [ExchangeHostState] = []
            terminal.central.eventHandler = { _ in
                states.append(terminal.deviceState)
                hosts.append(terminal.hostState)
            }
            #expect(await setup.manager.openDevice(Self.address) == .opened)
            terminal.central.eventHandler = nil
            #expect(states.contains(.ready))
            #expect(hosts.contains(.deviceDetected))
            #expect(!states.contains(.processing))
        }

        @Test("A device that another part of the program uses fails to open, and keeps its link")
        func openFailsLate() async throws {
            let setup = try await Setup()
            let central = setup.manager.terminal.central
            let service = try await SerialFinder(central).find()
            try await service.open()
            #expect(await setup.manager.openDevice(Self.address) == .unknown)
            #expect(service.isOpen)
            #expect(!setup.manager.isConnected)
        }

        @Test(
            "Opening fails with the matching code", arguments: ["", "77", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"])
        func illegalAddress(identifier: String) async throws {
            let setup = try await Setup()
            #expect(await setup.manager.openDevice(identifier) == .illegalAddress)
        }

        @Test("A device that is not there, or has none of the profiles, fails to open")
        func openFails() async throws {
            let setup = try await Setup(.hm10)
            setup.manager.terminal.configuration.connectTimeout = .milliseconds(300)
            #expect(await setup.manager.openDevice("00:AA:02:00:00:01") == .failed)
            var codes: [ExchangeOpenCode] = []
            setup.manager.openDevice(Self.address) { codes.append($0) }
            try await Patience.wait(for: "the code", until: { !codes.isEmpty })
            #expect(codes == [.failed])
        }

        @Test("Closing the device switches it off, if the application gave the command for it")
        func powerOff() async throws {
            let setup = try await Setup()
            let central = setup.manager.terminal.central
            for isKnown in [true, false] {
                if !isKnown { setup.manager.terminal.configuration.powerOffMessage = nil }
                #expect(await setup.manager.openDevice(Self.address) == .opened)
                setup.manager.closeDevice()
                try await Patience.wait(for: "the link to end") { central.peripherals.allSatisfy { !$0.isConnected } }
                #expect(await setup.written() == "off\n")
            }
        }

        // MARK: Exchanging

        @Test("An exchange reports that it was sent, its progress and its reply")
        func exchange() async throws {
            let setup = try await Setup()
            try await setup.open(nil, .masterSlave)
            let callbacks = Callbacks()
            #expect(setup.manager.exchangeData(Data("pay".utf8), timeout: 30_000, cb: callbacks) == .accepted)
            #expect(setup.manager.terminal.hostState == .exchanging)
            #expect(setup.manager.terminal.deviceState == .processing)
            #expect(setup.manager.exchangeData(Data("ping".utf8), timeout: 30_000, cb: callbacks) == .notFinished)
            try await Patience.wait(for: "the reply", until: { callbacks.told.count == 3 })
            #expect(callbacks.told == ["sent", "progress MSG insert card", "received paid"])
        }

        @Test("Without callbacks of its own, an exchange uses those of the opening")
        func exchangeWithOpenedCallbacks() async throws {
            let setup = try await Setup()
            let callbacks = Callbacks()
            var codes: [ExchangeOpenCode] = []
            setup.manager.openDevice(Self.address, cb: callbacks, mode: .masterSlave) { codes.append($0) }
            try await Patience.wait(for: "the device", until: { codes == [.opened] })
            #expect(setup.manager.exchangeData(Data("both".utf8), timeout: 30_000) == .accepted)
            #expect(setup.manager.terminal.hostState == .exchanging)
            try await Patience.wait(for: "both replies", until: { callbacks.told.count == 3 })
            #expect(callbacks.told == ["sent", "received one", "received two"])
        }

        @Test("A time-out comes by onTimeout and not by onError too; cancelling by onError")
        func timeoutAndCancelling() async throws {
            let setup = try await Setup()
            #expect(setup.manager.cancelExchange() == .notOpened)
            #expect(setup.manager.exchangeData(Data("x".utf8), timeout: 20) == .notOpened)
            try await setup.open(nil, .masterSlave)
            setup.manager.terminal.exchange?.lateReplyWindow = .zero
            #expect(setup.manager.cancelExchange() == .nothingToCancel)
            let callbacks = Callbacks()
            #expect(setup.manager.exchangeData(Data("silence".utf8), timeout: 100, cb: callbacks) == .accepted)
            try await Patience.wait(for: "the time-out", until: { callbacks.told.count == 2 })
            #expect(callbacks.told == ["sent", "timeout"])
            #expect(setup.manager.exchangeData(Data("silence".utf8), timeout: 30_000, cb: callbacks) == .accepted)
            try await Patience.wait(for: "the sending", until: { callbacks.told.count == 3 })
            #expect(setup.manager.cancelExchange() == .accepted)
            try await Patience.wait(for: "the cancelling", until: { callbacks.told.count == 4 })
            #expect(callbacks.told == ["sent", "timeout", "sent", "error 12"])
        }

        @Test(
            "In duplex mode data is sent without a time-out, and everything that arrives goes to the opening's callbacks"
        )
        func duplex() async throws {
            let setup = try await Setup()
            let callbacks = Callbacks()
            try await setup.open(callbacks, .duplex)
            #expect(setup.manager.terminal.exchange?.mode == .duplex)
            #expect(setup.manager.exchangeData(Data("ping".utf8), timeout: 0) == .accepted)
            try await Patience.wait(for: "the pong", until: { callbacks.told.count == 2 })
            await SimulatorActor.run { [device = setup.device] in device.send(Array("MSG hello\nnews\n".utf8)) }
            try await Patience.wait(for: "the news", until: { callbacks.told.count == 4 })
            #expect(callbacks.told.sorted() == ["progress MSG hello", "received news", "received pong", "sent"])
            await SimulatorActor.run { [device = setup.device] in device.peripheral.simulateDisconnection() }
            try await Patience.wait(for: "the lost link", until: { callbacks.told.count == 5 })
            #expect(callbacks.told.last == "error 20")
            #expect(setup.manager.exchangeData(Data("ping".utf8), timeout: 0) == .noDevice)
        }

        @Test("The link's end is error 20 of the exchange that waits, once")
        func linkLost() async throws {
            let setup = try await Setup()
            let callbacks = Callbacks()
            try await setup.open(callbacks, .masterSlave)
            #expect(setup.manager.exchangeData(Data("silence".utf8), timeout: 30_000) == .accepted)
            try await Patience.wait(for: "the sending", until: { callbacks.told == ["sent"] })
            await SimulatorActor.run { [device = setup.device] in device.peripheral.simulateDisconnection() }
            try await Patience.wait(for: "the error", until: { callbacks.told.count == 2 })
            #expect(callbacks.told.last == "error 20")
            #expect(!setup.manager.isConnected)
            #expect(setup.manager.terminal.deviceState == .notReady)
        }
    }
}
