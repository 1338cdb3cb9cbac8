import BlueZClient
import BlueZDBus

extension PeripheralManager {
    static let advertisingManager = BlueZ.advertisingManager

    /// The advertisements that are sent, or that wait for bluetoothd or the adapter.
    public var advertisements: [AdvertisingInstance] { instances.map(\.instance) }

    /// Whether at least one advertisement is sent now.
    public var isAdvertising: Bool { instances.contains { $0.instance.isAdvertising } }

    /// Begins to advertise. A program can have several advertisements, as many as the controller supports; see
    /// `AdvertisingCapabilities.supportedInstances`.
    ///
    /// The operation fails with:
    /// - `valueTooLong` if the content is too large ("too large by 3 bytes"), and `invalidArguments` if it cannot be
    ///   sent. bluetoothd is then not asked to send it.
    /// - `notSupported` if the adapter does not have the secondary channel, or no LE.
    /// - `adapterOff`, `adapterGone`, `daemonUnavailable`, `busUnavailable` or `accessDenied` if Bluetooth cannot be
    ///   used, now or before bluetoothd has replied.
    /// - `busy` if the adapter has no room for another advertisement.
    /// - `timedOut` if bluetoothd does not reply within 25 s, `cancelled` if the manager is released or the
    ///   advertisement is stopped, and `failed` if bluetoothd or the kernel refuses for another reason, which may last
    ///   until bluetoothd restarts.
    ///
    /// - Parameters:
    ///   - advertisement: the content.
    ///   - completion: gets the advertisement when it is sent, or the error.
    public func startAdvertising(
        _ advertisement: LocalAdvertisement,
        completion: @escaping @BluetoothActor (AdvertisingInstance?, BluetoothError?) -> Void
    ) {
        startAdvertising(advertisement) { $0.split(completion) }
    }

    /// Begins to advertise; the async form of `startAdvertising(_:completion:)`.
    @discardableResult
    public func startAdvertising(
        _ advertisement: LocalAdvertisement
    ) async throws(BluetoothError) -> AdvertisingInstance {
        try await AsyncBridge.wait { startAdvertising(advertisement, $0) }
    }

    func end(_ instance: AdvertisingInstance, completion: @escaping @BluetoothActor () -> Void) {
        guard let index = instances.firstIndex(where: { $0.instance === instance }) else {
            return BluetoothActor.perform(completion)
        }
        let registration = instances.remove(at: index)
        instance.isAdvertising = false
        registration.operation?.fail(BluetoothError.cancelled(registration.title))
        registration.unregister(completion)
        if !centralsByPath.isEmpty { mustRefreshAdvertisements = true }
    }

    /// Asks bluetoothd what the adapter can advertise.
    ///
    /// The operation fails with `notSupported` if the adapter cannot advertise, and with the codes of
    /// `startAdvertising(_:completion:)` if Bluetooth cannot be used.
    ///
    /// - Parameter completion: gets the capabilities, or the error.
    public func readAdvertisingCapabilities(
        completion: @escaping @BluetoothActor (AdvertisingCapabilities?, BluetoothError?) -> Void
    ) {
        startReadingCapabilities { $0.split(completion) }
    }

    /// Asks bluetoothd what the adapter can advertise; the async form of `readAdvertisingCapabilities(completion:)`.
    public func readAdvertisingCapabilities() async throws(BluetoothError) -> AdvertisingCapabilities {
        try await AsyncBridge.wait { startReadingCapabilities($0) }
    }

    @discardableResult
    private func startReadingCapabilities(
        _ completion: @escaping @BluetoothActor (Result<AdvertisingCapabilities, BluetoothError>) -> Void
    ) -> Operation<AdvertisingCapabilities> {
        let operation = Operation<AdvertisingCapabilities>(
            "Asking what can be advertised", on: nil, needsConnection: false, limit: Timeouts.registration,
            in: operations, completion: completion)
        let waiting = centralManager.startWaiting(.zero) { [weak self] result in
            guard let self, operation.isPending else { return }
            if let error = result.failure { return operation.fail(error) }
            readCapabilities(operation) { operation.finish($0) }
        }
        operation.whenEnded { [weak waiting] error in
            if let error { waiting?.fail(error) }
        }
        return operation
    }

    func readCapabilities(
        _ operation: AnyOperation,
        _ done: @escaping @BluetoothActor (Result<AdvertisingCapabilities, BluetoothError>) -> Void
    ) {
        guard let adapter = centralManager.adapterPath else {
            return done(.failure(BluetoothError(.adapterGone, "\(operation.title): there is no adapter")))
        }
        client.call(adapter, BlueZ.properties, "GetAll", limit: Timeouts.registration, for: operation) {
            (writer) throws(DBusError) in
            try writer.append(Self.advertisingManager)
        } reply: { result in
            do throws(DBusError) {
                var reader = try result.get().reader
                done(.success(try AdvertisingCapabilities(&reader)))
            } catch {
                let isMissing =
                    error.name == DBusError.Name.invalidArguments || error.name == DBusError.Name.unknownInterface
                done(
                    .failure(
                        isMissing
                            ? BluetoothError(
                                .notSupported, "\(operation.title): the adapter cannot advertise", from: error)
                            : BluetoothError(error, in: .other, operation.title)))
            }
        }
    }

    @discardableResult
    private func startAdvertising(
        _ advertisement: LocalAdvertisement,
        _ completion: @escaping @BluetoothActor (Result<AdvertisingInstance, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let instance = AdvertisingInstance(advertisement)
        instance.manager = self
        let operation = Operation<Void>(
            "Advertising", on: nil, needsConnection: false, limit: nil, in: operations
        ) { completion($0.map { instance }) }
        do throws(DBusError) {
            let registration = try AdvertisementRegistration(instance, client)
            registration.released = { [weak self, weak registration] in
                if let self, let registration { wasReleased(registration) }
            }
            instances.append(registration)
            register(registration, operation)
        } catch {
            BluetoothActor.perform { operation.fail(BluetoothError(error, in: .other, operation.title)) }
        }
        return operation
    }

    /// Handles the end of an advertisement that bluetoothd reports: at its timeout, or because it stops or the adapter
    /// is gone.
    private func wasReleased(_ registration: AdvertisementRegistration) {
        let isOver = registration.instance.isOver
        if isOver { instances.removeAll { $0 === registration } }
        let error = BluetoothError(.cancelled, "Advertising was ended by bluetoothd")
        if registration.wasLost(error) { report(registration, false) }
        if !isOver { retryLater() }
    }
}
