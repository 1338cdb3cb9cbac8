import BlueZDBus
import BlueZPrintableText

/// A passive scan: an application with one monitor object, which makes bluetoothd listen
/// (doc/org.bluez.AdvertisementMonitorManager.rst). bluetoothd refuses monitors silently, so the scan has begun only
/// when bluetoothd has called `Activate`.
@BluetoothActor package final class PassiveMonitor {
    static let interface = BlueZ.monitor
    package nonisolated static let type = "or_patterns"
    private static var lastNumber = 0

    private let patterns: [AdvertisementPattern]
    private let adapter: ObjectPath
    private weak var client: BlueZClient?
    private let found: @BluetoothActor (ObjectPath) -> Void
    private let lost: @BluetoothActor (ObjectPath) -> Void
    private var failed: (@BluetoothActor (BluetoothError) -> Void)?
    /// Called when bluetoothd has begun to listen.
    package var activated: (@BluetoothActor () -> Void)?
    private var activation: ScheduledCall?
    private var root: ObjectPath?
    private var object: ObjectPath?
    private var heard: Set<ObjectPath> = []
    private var reported: Set<ObjectPath> = []

    /// - Parameters:
    ///   - found: called for each device that is heard, once for each reported advertisement.
    ///   - lost: called for each device that is no longer heard, if the controller reports it.
    ///   - failed: called at most once, and not after `end`.
    package init(
        _ patterns: [AdvertisementPattern],
        on adapter: ObjectPath,
        _ client: BlueZClient,
        found: @escaping @BluetoothActor (ObjectPath) -> Void,
        lost: @escaping @BluetoothActor (ObjectPath) -> Void,
        failed: @escaping @BluetoothActor (BluetoothError) -> Void
    ) {
        self.patterns = patterns
        self.adapter = adapter
        self.client = client
        self.found = found
        self.lost = lost
        self.failed = failed
    }

    package func start() {
        guard let client else { return }
        client.add(self)
        guard !patterns.isEmpty, patterns.allSatisfy(\.isValid) else {
            return fail(BluetoothError(.invalidArguments, BluetoothError.patternSuggestion))
        }
        guard let types = client.mirror.adapters[adapter]?.monitorTypes else {
            return fail(BluetoothError(.notSupported, BluetoothError.monitorSuggestion))
        }
        guard types.contains(Self.type) else {
            return fail(BluetoothError(.notSupported, BluetoothError.monitorTypeSuggestion))
        }
        do throws(DBusError) {
            try register(client)
        } catch {
            fail(BluetoothError(error, in: .discovery, "Scanning passively"))
        }
    }

    private func register(_ client: BlueZClient) throws(DBusError) {
        Self.lastNumber += 1
        let root = try ObjectPath("/org/corebluez/monitors/\(Self.lastNumber)")
        self.root = root
        client.connection?.exportObjectManager(at: root)
        let limit = client.timeouts.activation
        activation = BluetoothActor.after(limit) { [weak self] in
            self?.fail(
                BluetoothError(.timedOut, "\(BluetoothError.monitorSilenceSuggestion) (waited \(limit.roundedText))"))
        }
        client.call(adapter, BlueZ.monitorManager, "RegisterMonitor", limit: limit) { (writer) throws(DBusError) in
            try writer.append(root)
        } reply: { [weak self] result in
            guard let self, self.failed != nil else { return }
            switch result {
            case .success: self.offer(root)
            case .failure(let error) where error.isUnknown:
                self.fail(BluetoothError(.notSupported, BluetoothError.monitorSuggestion, from: error))
            case .failure(let error): self.fail(BluetoothError(error, in: .discovery, "Scanning passively"))
            }
        }
    }

    /// Exports the object after the registration, with `InterfacesAdded`, because some versions do not detect an
    /// earlier one.
    private func offer(_ root: ObjectPath) {
        guard let connection = client?.connection else { return }
        do throws(DBusError) {
            let object = try root.appending("monitor")
            self.object = object
            connection.export(exported, at: object)
            try connection.emitInterfacesAdded(at: object, manager: root)
        } catch {
            fail(BluetoothError(error, in: .discovery, "Scanning passively"))
        }
    }

    private var exported: ExportedInterface {
        let patterns = Value.array(
            elements: "(yyay)",
            patterns.map { .structure([.byte($0.offset), .byte($0.type), .bytes([UInt8]($0.content))]) }
        )
        return ExportedInterface(
            Self.interface,
            methods: [
                .init("Activate") { [weak self] call in
                    self?.handle(call) { (monitor, _) throws(DBusError) in monitor.wasActivated() }
                },
                .init("Release") { [weak self] call in
                    self?.handle(call) { (monitor, _) throws(DBusError) in
                        monitor.fail(BluetoothError(.notSupported, BluetoothError.monitorReleaseSuggestion))
                    }
                },
                .init("DeviceFound", input: "o") { [weak self] call in
                    self?.handle(call) { (monitor, reader) throws(DBusError) in
                        monitor.wasFound(try reader.readObjectPath())
                    }
                },
                .init("DeviceLost", input: "o") { [weak self] call in
                    self?.handle(call) { (monitor, reader) throws(DBusError) in
                        monitor.wasLost(try reader.readObjectPath())
                    }
                },
            ],
            properties: [
                .init("Type", "s", get: { .string(Self.type) }),
                .init("Patterns", "a(yyay)", get: { patterns }),
            ]
        )
    }

    private func handle(
        _ call: IncomingCall,
        _ body: (PassiveMonitor, inout MessageReader) throws(DBusError) -> Void
    ) {
        guard call.sender == client?.owner else {
            return call.fail(DBusError.Name.accessDenied, "Only bluetoothd may call a monitor")
        }
        do throws(DBusError) {
            var reader = call.reader
            call.reply()
            try body(self, &reader)
        } catch {
            call.fail(error)
        }
    }

    private func wasActivated() {
        activation?.cancel()
        activation = nil
        activated?()
    }

    // MARK: Devices

    /// Returns whether bluetoothd has reported the device to this monitor. Reports of other devices are for other
    /// programs.
    package func hears(_ device: ObjectPath) -> Bool { heard.contains(device) }

    /// Notes that the device's changed properties were reported. `DeviceFound` for the same advertisement follows.
    package func wasReported(_ device: ObjectPath) { reported.insert(device) }

    /// Forgets a device that bluetoothd has forgotten.
    package func forget(_ device: ObjectPath) {
        heard.remove(device)
        reported.remove(device)
    }

    private func wasFound(_ device: ObjectPath) {
        guard failed != nil else { return }
        heard.insert(device)
        if reported.remove(device) == nil { found(device) }
    }

    private func wasLost(_ device: ObjectPath) {
        heard.remove(device)
        reported.remove(device)
        lost(device)
    }

    // MARK: The end

    func fail(_ error: BluetoothError) {
        let failed = failed
        end()
        failed?(error)
    }

    /// Withdraws everything. Further calls do nothing.
    package func end() {
        guard failed != nil else { return }
        failed = nil
        heard = []
        activation?.cancel()
        activation = nil
        client?.remove(self)
        guard let root, let client, let connection = client.connection else { return }
        if let object {
            connection.unexport(object)
            do throws(DBusError) {
                try connection.emitInterfacesRemoved([Self.interface], from: object, manager: root)
            } catch {
                log.debug("A monitor cannot be taken back", metadata: ["error": "\(error)"])
            }
        }
        if client.owner != nil {
            client.call(adapter, BlueZ.monitorManager, "UnregisterMonitor", limit: client.timeouts.discovery) {
                (writer) throws(DBusError) in
                try writer.append(root)
            } reply: { _ in
            }
        }
        connection.unexport(root)
    }

    /// Returns whether the monitor listens on the adapter.
    func isOn(_ adapter: ObjectPath) -> Bool { self.adapter == adapter }
}

extension DBusError {
    fileprivate var isUnknown: Bool {
        [Name.unknownMethod, Name.unknownInterface, Name.unknownObject].contains(name)
    }
}
