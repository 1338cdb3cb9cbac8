import PrintableText

extension Peripheral {
    /// Connects and discovers: the services, their characteristics, and the descriptors of these, within one time. What
    /// YmsCoreBluetooth's `connect` does.
    ///
    /// ```swift
    /// tag.connectAndDiscover(timeout: .seconds(5)) { services, error in … }
    /// ```
    ///
    /// If it fails, a link that it has made is ended before the completion runs, so that all can begin anew.
    ///
    /// - Parameters:
    ///   - services: which services the completion shall get, and the characteristics of which shall be discovered; nil
    ///     means all.
    ///   - timeout: how long all of it may take. A peripheral that was not connected before needs some seconds.
    ///   - options: how to connect; the shorter of both timeouts holds.
    ///   - completion: gets the services by handle when all is discovered; or the error of the step that failed, or
    ///     `BluetoothError.Code.connectionTimedOut` with the step that was under way.
    public func connectAndDiscover(
        _ services: [BluetoothUUID]? = nil,
        timeout: Duration = .seconds(60),
        options: ConnectOptions = ConnectOptions(),
        completion: @escaping @BluetoothActor ([Service]?, BluetoothError?) -> Void
    ) {
        startPreparing(services, timeout, options) { $0.split(completion) }
    }

    /// Connects and discovers; the async form of `connectAndDiscover(_:timeout:options:completion:)`.
    @discardableResult
    public func connectAndDiscover(
        _ services: [BluetoothUUID]? = nil,
        timeout: Duration = .seconds(60),
        options: ConnectOptions = ConnectOptions()
    ) async throws(BluetoothError) -> [Service] {
        try await AsyncBridge.wait { startPreparing(services, timeout, options, $0) }
    }

    @discardableResult
    private func startPreparing(
        _ services: [BluetoothUUID]?,
        _ timeout: Duration,
        _ options: ConnectOptions,
        _ completion: @escaping @BluetoothActor (Result<[Service], BluetoothError>) -> Void
    ) -> Operation<[Service]> {
        let operation: Operation<[Service]> = begin(
            "Connecting and discovering", needsConnection: false, limit: nil, completion)
        Preparation(self, operation, services).begin(timeout, options)
        return operation
    }
}

/// Connecting and discovering as one operation. It reads from top to bottom.
@BluetoothActor private final class Preparation {
    private let peripheral: Peripheral
    private let operation: Operation<[Service]>
    private let uuids: [BluetoothUUID]?
    private let hadLink: Bool
    /// The step that is under way.
    private var current: AnyOperation?
    private var step = "connecting"

    init(_ peripheral: Peripheral, _ operation: Operation<[Service]>, _ uuids: [BluetoothUUID]?) {
        self.peripheral = peripheral
        self.operation = operation
        self.uuids = uuids
        hadLink = peripheral.isConnected
    }

    func begin(_ timeout: Duration, _ options: ConnectOptions) {
        let watchdog = BluetoothActor.after(timeout) { [self] in
            let text = "\(operation.title): not done within \(timeout.inSeconds), but still \(step)"
            current?.fail(BluetoothError(.connectionTimedOut, text))
        }
        operation.whenEnded { [self] error in
            watchdog.cancel()
            // From outside: the steps know of it here only.
            if let error { takeBack(error) }
        }
        current = peripheral.startConnecting(options) { [self] in go(on: $0) { _ in discoverServices() } }
    }

    private func discoverServices() {
        step = "discovering its services"
        current = peripheral.startDiscoveringServices(uuids) { [self] in
            go(on: $0) { services in
                step = "discovering its characteristics"
                discoverCharacteristics(of: services[...], of: services)
            }
        }
    }

    private func discoverCharacteristics(of left: ArraySlice<Service>, of all: [Service]) {
        guard let service = left.first else { return operation.succeed(all) }
        current = service.startDiscovering(nil) { [self] in
            go(on: $0) { characteristics in
                discoverDescriptors(of: characteristics[...]) {
                    self.discoverCharacteristics(of: left.dropFirst(), of: all)
                }
            }
        }
    }

    private func discoverDescriptors(
        of left: ArraySlice<Characteristic>, _ next: @escaping @BluetoothActor () -> Void
    ) {
        guard let characteristic = left.first else { return next() }
        current = characteristic.startDiscoveringDescriptors { [self] in
            go(on: $0) { _ in discoverDescriptors(of: left.dropFirst(), next) }
        }
    }

    private func go<Value>(on result: Result<Value, BluetoothError>, _ next: (Value) -> Void) {
        guard operation.isPending else { return }
        current = nil
        switch result {
        case .success(let value): next(value)
        case .failure(let error): fail(error)
        }
    }

    private func fail(_ error: BluetoothError) {
        guard !hadLink, peripheral.isConnected else { return operation.fail(error) }
        peripheral.startDisconnecting { [operation] _ in operation.fail(error) }
    }

    private func takeBack(_ error: BluetoothError) {
        let step = current
        current = nil
        step?.fail(error)
        guard step != nil, !hadLink, peripheral.isConnected, peripheral.central != nil else { return }
        peripheral.startDisconnecting { _ in }
    }
}
