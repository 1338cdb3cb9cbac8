import BlueZClient
import BlueZDBus

extension PeripheralManager {
    /// The services that this manager offers, including those that wait for bluetoothd or the adapter, without included
    /// ones.
    public var services: [LocalService] { applications.map(\.service) }

    /// Offers a service to centrals, with the services that it includes. bluetoothd sends Service Changed to centrals
    /// that are connected.
    ///
    /// The operation fails with:
    /// - `invalidArguments` if the service cannot be published: it belongs to BlueZ (0x1800, 0x1801), is published
    ///   already, includes itself, or has equal handles, reserved descriptors, or attributes that permit nothing; and
    ///   `valueTooLong` if a value has more than 512 bytes. bluetoothd is then not asked.
    /// - `adapterOff`, `adapterGone`, `daemonUnavailable`, `busUnavailable` or `accessDenied` if Bluetooth cannot be
    ///   used, now or before bluetoothd has replied.
    /// - `notSupported` if the adapter has no LE, or bluetoothd no GATT server.
    /// - `timedOut` if bluetoothd does not reply within 25 s, `cancelled` if the manager is released or the service is
    ///   unpublished, and `failed` if bluetoothd reports another error.
    ///
    /// - Parameters:
    ///   - service: the service.
    ///   - completion: gets nil when centrals can use the service, or the error.
    public func publish(_ service: LocalService, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startPublishing(service) { completion($0.failure) }
    }

    /// Offers a service to centrals; the async form of `publish(_:completion:)`.
    public func publish(_ service: LocalService) async throws(BluetoothError) {
        try await AsyncBridge.wait { startPublishing(service, $0) }
    }

    /// Ends the offer of a service and those that it includes. Its subscriptions end, and its pending requests have no
    /// effect. bluetoothd sends Service Changed to connected centrals. Does nothing if it is not published.
    ///
    /// - Parameters:
    ///   - service: a service that was published, not one that another includes.
    ///   - completion: called when bluetoothd no longer offers the service.
    public func unpublish(_ service: LocalService, completion: @escaping @BluetoothActor () -> Void) {
        guard let index = applications.firstIndex(where: { $0.service === service }) else {
            return BluetoothActor.perform(completion)
        }
        let application = applications.remove(at: index)
        application.operation?.fail(BluetoothError.cancelled(application.title))
        application.unregister(completion)
        application.release(.serviceUnpublished)
    }

    /// Ends the offer of a service; the async form of `unpublish(_:completion:)`.
    public func unpublish(_ service: LocalService) async {
        await withCheckedContinuation { continuation in unpublish(service) { continuation.resume() } }
    }

    /// Ends the offer of all services; see `unpublish(_:completion:)`.
    public func unpublishAll(completion: @escaping @BluetoothActor () -> Void) {
        var remaining = applications.count
        if remaining == 0 { return BluetoothActor.perform(completion) }
        for service in services {
            unpublish(service) {
                remaining -= 1
                if remaining == 0 { completion() }
            }
        }
    }

    /// Ends the offer of all services; the async form of `unpublishAll(completion:)`.
    public func unpublishAll() async {
        await withCheckedContinuation { continuation in unpublishAll { continuation.resume() } }
    }

    @discardableResult
    private func startPublishing(
        _ service: LocalService, _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation = Operation<Void>(
            "Publishing \(service.uuid)", on: nil, needsConnection: false, limit: nil, in: operations,
            completion: completion)
        do throws(BluetoothError) {
            try service.check(beside: applications.flatMap(\.services))
            let application: LocalApplication
            do throws(DBusError) {
                application = try LocalApplication(service, of: self)
            } catch {
                throw BluetoothError(error, in: .other, operation.title)
            }
            applications.append(application)
            for service in application.services { service.manager = self }
            register(application, operation)
        } catch {
            BluetoothActor.perform { operation.fail(error) }
        }
        return operation
    }

    /// Registers for the first time, when the state is known. If that fails, the registration is discarded.
    func register(_ registration: LocalRegistration, _ operation: Operation<Void>) {
        registration.operation = operation
        CentralManager.keep(self)
        operation.whenEnded { [weak self, weak registration] error in
            guard let self, let registration else { return }
            registration.operation = nil
            if error != nil { discard(registration) }
        }
        let waiting = centralManager.startWaiting(.zero) { [weak self, weak registration] result in
            guard let self, let registration, operation.isPending else { return }
            if let error = result.failure { return operation.fail(error) }
            registration.prepare(operation) { [weak self, weak registration] in
                guard let self, let registration, operation.isPending else { return }
                guard let adapter = centralManager.adapterPath else {
                    return operation.fail(BluetoothError(.adapterGone, "\(operation.title): there is no adapter"))
                }
                registration.register(with: adapter) { [weak self, weak registration] error in
                    if let error { return operation.fail(error) }
                    guard let self, let registration else { return }
                    report(registration, true)
                    operation.succeed(())
                }
            }
        }
        operation.whenEnded { [weak waiting] error in
            if let error { waiting?.fail(error) }
        }
    }

    /// Forgets a registration that has failed for the first time or was cancelled.
    private func discard(_ registration: LocalRegistration) {
        applications.removeAll { $0 === registration }
        instances.removeAll { $0 === registration }
        registration.unregister()
        registration.release(.serviceUnpublished)
    }
}
