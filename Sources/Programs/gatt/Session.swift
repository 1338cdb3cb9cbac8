import BlueZPrintableText
import BlueZScript
import CoreBlueZ

/// The state that the commands of a process share: the managers, and the links that they made.
@BluetoothActor final class Session {
    let output = Output()
    /// That of the current command, since it began to look for its device.
    var deadline = Deadline(.zero)
    private var centrals: [String?: CentralManager] = [:]
    private var connectedByUs: [Peripheral] = []
    private var notifying: [Characteristic] = []
    /// The devices that the commands have connected, by DEVICE: bluetoothd may have replaced their names since.
    var connected: [String: Peripheral] = [:]

    /// - Parameter connects: whether to open the connection to BlueZ, which all managers share, right now. Connecting
    ///   to a socket never waits.
    init(connects: Bool) {
        if connects, BusAddress.system.description.hasPrefix("unix:") { centrals[nil] = CentralManager() }
    }

    /// The manager of an adapter, once Bluetooth can be used.
    func central(_ options: AdapterOptions) async throws -> CentralManager {
        let adapter = options.adapter.map { BluetoothAddress(typed: $0)?.description ?? $0 }
        let central = centrals[adapter] ?? CentralManager(adapter: adapter)
        centrals[adapter] = central
        do {
            try await central.waitUntilPoweredOn()
        } catch {
            guard [.busUnavailable, .daemonUnavailable, .adapterGone].contains(error.code) else { throw error }
            throw CommandFailure(.unavailable, "\(error)\nTo try gatt without Bluetooth, see: gatt simulate --help")
        }
        return central
    }

    // MARK: Connecting

    /// Finds and connects the device. An existing link is used and stays.
    ///
    /// - Parameter found: called with the device before it is connected. Then BlueZ knows less of it, but what it
    ///   advertises.
    func connect(
        _ text: String, _ options: ConnectionOptions, found: @BluetoothActor (Peripheral) -> Void = { _ in }
    ) async throws -> Peripheral {
        var peripheral = try await find(text, options.adapter, within: options.timeout)
        found(peripheral)
        do {
            try await link(peripheral, options)
        } catch let error as BluetoothError where error.code == .peripheralGone {
            // BlueZ forgets a device half a minute after its last advertisement, so perhaps since it was found.
            peripheral = try await find(text, options.adapter)
            found(peripheral)
            do {
                try await link(peripheral, options)
            } catch let error as BluetoothError where error.code == .peripheralGone {
                throw CommandFailure.onlyAdvertises(peripheral)
            }
        }
        connected[text] = peripheral
        try await pairIfWanted(peripheral, options)
        return peripheral
    }

    /// Prepares a device that is connected again, with a deadline of its own: pairs if that is wanted, and discovers.
    func prepare(_ peripheral: Peripheral, _ options: ConnectionOptions) async throws {
        deadline = Deadline(options.timeout)
        try await pairIfWanted(peripheral, options)
        try await discover(peripheral)
    }

    private func pairIfWanted(_ peripheral: Peripheral, _ options: ConnectionOptions) async throws {
        if options.pair, !peripheral.isPaired { try await pair(peripheral) }
    }

    private func link(_ peripheral: Peripheral, _ options: ConnectionOptions) async throws {
        guard !peripheral.isConnected else { return }
        if !connectedByUs.contains(where: { $0 === peripheral }) { connectedByUs.append(peripheral) }
        try await Progress.during("Connecting to \(peripheral.displayName)") {
            try await peripheral.connect(options: ConnectOptions(timeout: deadline.remaining, retries: options.retries))
        }
    }

    /// Pairs. Asks the user at the terminal; without a terminal, only "Just Works" is accepted.
    private func pair(_ peripheral: Peripheral) async throws {
        guard TerminalInput.isAvailable, let central = peripheral.central else {
            return try await peripheral.pair(timeout: deadline.remaining)
        }
        let questions = PairingQuestions()
        try await central.registerPairingAgent(questions.agent)
        do {
            try await peripheral.pair(timeout: deadline.remaining)
        } catch {
            try? await central.unregisterPairingAgent()
            throw error
        }
        try await central.unregisterPairingAgent()
    }

    /// Finds and connects the device, and discovers its services.
    func services(
        _ text: String, _ options: ConnectionOptions, found: @BluetoothActor (Peripheral) -> Void = { _ in }
    ) async throws -> Peripheral {
        let peripheral = try await connect(text, options, found: found)
        try await discover(peripheral)
        return peripheral
    }

    private func discover(_ peripheral: Peripheral) async throws {
        try await run("Discovering the services of \(peripheral.displayName)", peripheral) {
            for service in try await peripheral.discoverServices() {
                try await service.discoverCharacteristics()
            }
        }
    }

    /// Runs a step on a connected device. If there is no link now, it was lost.
    private func run<Value: Sendable>(
        _ what: String,
        _ peripheral: Peripheral,
        _ body: @escaping @BluetoothActor () async throws -> Value
    ) async throws -> Value {
        do {
            return try await Progress.during(what) { try await deadline.run(what, body) }
        } catch let error as BluetoothError where error.code == .notConnected {
            throw CommandFailure.linkLost(peripheral)
        }
    }

    /// Runs an operation on an attribute. If a device requires pairing and there is no agent for it, BlueZ ends
    /// the link: up to 5.66 after half a minute, with the device's removal. So such errors get a hint.
    func access<Value: Sendable>(
        _ what: String,
        _ peripheral: Peripheral,
        _ body: @escaping @BluetoothActor () async throws -> Value
    ) async throws -> Value {
        let hint = "\nPerhaps the device must be paired: try --pair"
        let isUnpaired = !peripheral.isPaired
        do {
            return try await run(what, peripheral, body)
        } catch let error as BluetoothError where isUnpaired {
            guard let status = Self.statusIfPairingIsWanted(error) else { throw error }
            throw CommandFailure(status, error.description + hint)
        } catch let failure as CommandFailure where isUnpaired && failure.status == .timedOut {
            throw CommandFailure(.timedOut, failure.message + hint)
        }
    }

    /// The status of an error that may mean that the device requires pairing; nil for other errors.
    private static func statusIfPairingIsWanted(_ error: BluetoothError) -> ExitStatus? {
        switch error.code {
        case .timedOut: .timedOut
        case .attributeGone, .peripheralGone, .insufficientSecurity: .permission
        // This process did not request the end of the link.
        case .disconnected where error.bluezName == BlueZReason.local: .permission
        // bluetoothd can lose a request that it repeats while the devices pair (src/shared/att.c: can_write_data).
        case .att where error.attError == .unlikelyError: .attError
        default: nil
        }
    }

    /// Keeps the link after the end, and what DEVICE means while there is the link.
    func keep(_ peripheral: Peripheral, as text: String) {
        connectedByUs.removeAll { $0 === peripheral }
        let name = DeviceName(text)
        guard !name.isAddress, let address = peripheral.address else { return }
        do {
            try ConnectedNames.keep(text, address)
        } catch  where name.match(peripheral) != .exact {
            Progress.report(
                "\(text) is \(peripheral.displayName) (\(address)), which later commands will not know: \(error)")
        } catch {}
    }

    // MARK: The end

    func willNotify(_ characteristic: Characteristic) {
        notifying.append(characteristic)
    }

    /// Ends the notifications and links of the commands. A failure does not keep the other links from ending.
    ///
    /// - Returns: the failure if a link made here remains. Notifications end with the process in any case.
    func finish() async -> CommandFailure? {
        for characteristic in notifying where characteristic.isNotifying {
            try? await characteristic.setNotifyValue(false)
        }
        var failure: CommandFailure?
        for peripheral in connectedByUs {
            do throws(BluetoothError) {
                try await peripheral.disconnectOwnLink()
            } catch {
                failure = failure ?? CommandFailure(error)
            }
        }
        return failure
    }
}

extension CommandFailure {
    /// The failure of a command for a device that is gone at the end of the scan that found it: discovery_cleanup() in
    /// src/adapter.c removes what can't be connected.
    @BluetoothActor static func onlyAdvertises(_ peripheral: Peripheral) -> Self {
        Self(
            .connection,
            "BlueZ forgets \(peripheral.displayName) as soon as a scan ends, so it cannot be connected: perhaps it only "
                + "advertises; see: gatt scan")
    }

    /// The failure of a command whose link is gone.
    @BluetoothActor static func linkLost(_ peripheral: Peripheral) -> Self {
        Self(.connection, "The link to \(peripheral.displayName) was lost")
    }
}
