import BLESerial
import CoreBlueZ
import PrintableText

extension AccessoryManager {
    /// Waits for an accessory that speaks a protocol: one that is connected, or the next that connects.
    ///
    /// - Parameters:
    ///   - protocolString: the protocol's name.
    ///   - timeout: how long to wait.
    ///   - completion: gets the accessory; or `timedOut`, or `invalidArguments` if the protocol is not declared.
    public func firstAccessory(
        speaking protocolString: String,
        timeout: Duration = .seconds(30),
        completion: @escaping @BluetoothActor (Accessory?, BluetoothError?) -> Void
    ) {
        startWaiting(protocolString, timeout) { $0.split(completion) }
    }

    /// Waits for an accessory; the async twin of `firstAccessory(speaking:timeout:completion:)`.
    public func firstAccessory(
        speaking protocolString: String, timeout: Duration = .seconds(30)
    ) async throws(BluetoothError) -> Accessory {
        try await AsyncBridge.wait { startWaiting(protocolString, timeout, $0) }
    }

    /// Opens a session with the first accessory that speaks a protocol and has no session for it: one that is connected, or
    /// the next that connects. If several speak it and it matters which, choose among `connectedAccessories` instead.
    ///
    /// - Parameters:
    ///   - protocolString: the protocol's name.
    ///   - timeout: how long to wait for an accessory.
    ///   - completion: gets the session, or why there is none.
    public func openFirstSession(
        for protocolString: String,
        timeout: Duration = .seconds(30),
        completion: @escaping @BluetoothActor (AccessorySession?, BluetoothError?) -> Void
    ) {
        Task {
            do throws(BluetoothError) {
                completion(try await openFirstSession(for: protocolString, timeout: timeout), nil)
            } catch {
                completion(nil, error)
            }
        }
    }

    /// Opens a session with the first accessory that speaks a protocol; the async twin of
    /// `openFirstSession(for:timeout:completion:)`.
    public func openFirstSession(
        for protocolString: String, timeout: Duration = .seconds(30)
    ) async throws(BluetoothError) -> AccessorySession {
        try await firstAccessory(speaking: protocolString, timeout: timeout).openSession(for: protocolString)
    }

    /// Looks for devices, lets the application choose one, and connects it: what Apple's picker does. An accessory that
    /// speaks one of the protocols is listed, and notified of, when its services are resolved.
    ///
    /// - Parameters:
    ///   - transport: which kind of devices to look for.
    ///   - timeout: how long to look, and how long to connect.
    ///   - choose: whether it is this device; called with each that is found, whose name a filter may look at, until it
    ///     returns true.
    ///   - completion: gets nil when the device is connected; `alreadyConnected`, `timedOut` if none was chosen in time,
    ///     or why it cannot be connected. Pairing is up to `choose` and a `PairingAgent`.
    public func pickAccessory(
        transport: BluetoothTransport = .auto,
        timeout: Duration = .seconds(30),
        choose: @escaping @BluetoothActor (Peripheral) -> Bool,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        Task {
            do throws(BluetoothError) {
                try await pickAccessory(transport: transport, timeout: timeout, choose: choose)
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }

    /// Looks for devices, lets the application choose one, and connects it; the async twin of
    /// `pickAccessory(transport:timeout:choose:completion:)`. The task's cancellation ends it.
    public func pickAccessory(
        transport: BluetoothTransport = .auto,
        timeout: Duration = .seconds(30),
        choose: @escaping @BluetoothActor (Peripheral) -> Bool
    ) async throws(BluetoothError) {
        try await central.waitUntilPoweredOn()
        // What is connected does not advertise.
        for peripheral in central.retrieveKnownPeripherals() where peripheral.isConnected && choose(peripheral) {
            throw BluetoothError(.alreadyConnected, "\(peripheral.displayName) is connected already")
        }
        let chosen = try await central.firstPeripheral(timeout: timeout, transport: transport) { found, _ in
            choose(found)
        }
        let kind: BluetoothTransport = chosen.deviceClass == nil ? .le : .auto
        try await chosen.connect(options: ConnectOptions(timeout: timeout, transport: kind))
    }

    @discardableResult
    private func startWaiting(
        _ protocolString: String, _ timeout: Duration,
        _ completion: @escaping @BluetoothActor (Result<Accessory, BluetoothError>) -> Void
    ) -> AccessoryWait {
        let wait = AccessoryWait(self, protocolString, completion)
        wait.begin(timeout)
        return wait
    }
}

/// Somebody who waits for an accessory.
@BluetoothActor private final class AccessoryWait: Cancellable {
    private weak var manager: AccessoryManager?
    private let protocolString: String
    private var completion: (@BluetoothActor (Result<Accessory, BluetoothError>) -> Void)?
    private var timer: ScheduledCall?

    init(
        _ manager: AccessoryManager, _ protocolString: String,
        _ completion: @escaping @BluetoothActor (Result<Accessory, BluetoothError>) -> Void
    ) {
        self.manager = manager
        self.protocolString = protocolString
        self.completion = completion
    }

    func begin(_ timeout: Duration) {
        guard let manager, manager.protocols.contains(where: { $0.name == protocolString }) else {
            let error = BluetoothError(
                .invalidArguments, "The protocol \(protocolString) is not declared; give it to AccessoryManager")
            return BluetoothActor.later { self.fail(error) }
        }
        manager.addObserver(ObjectIdentifier(self)) { accessory in
            if let accessory { return self.look(at: accessory) }
            self.fail(BluetoothError(.cancelled, "The manager of accessories is gone"))
        }
        timer = BluetoothActor.after(timeout) {
            self.fail(
                BluetoothError(
                    .timedOut,
                    "No accessory that speaks \(self.protocolString) was connected within \(timeout.inSeconds)"))
        }
        BluetoothActor.later {
            for accessory in self.manager?.connectedAccessories ?? [] { self.look(at: accessory) }
        }
    }

    private func look(at accessory: Accessory) {
        guard accessory.protocolStrings.contains(protocolString),
            !accessory.sessions.contains(where: { $0.protocolString == protocolString })
        else { return }
        finish(.success(accessory))
    }

    func fail(_ error: BluetoothError) { finish(.failure(error)) }

    private func finish(_ result: Result<Accessory, BluetoothError>) {
        guard let completion else { return }
        self.completion = nil
        timer?.cancel()
        manager?.removeObserver(ObjectIdentifier(self))
        completion(result)
    }
}
