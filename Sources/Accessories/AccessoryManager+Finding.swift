import BLESerial
import CoreBlueZ
import PrintableText

extension AccessoryManager {
    /// Waits until the accessories that were connected before this manager was made are in `connectedAccessories`.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait until Bluetooth is on and the devices have told what they are. With zero, it is an
    ///     error if that is not known yet.
    ///   - completion: gets nil, at once if they are listed already; or what Bluetooth lacks, `timedOut` if a device did not
    ///     tell in time, `cancelled` if the manager is released.
    public func ready(
        timeout: Duration = .seconds(30), completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startWaiting(timeout) { completion($0.failure) }
    }

    /// Waits until the accessories that were connected before are listed; the async form of `ready(timeout:completion:)`.
    public func ready(timeout: Duration = .seconds(30)) async throws(BluetoothError) {
        try await AsyncBridge.wait { startWaiting(timeout, $0) }
    }

    /// Waits for an accessory that speaks a protocol and has no session for it: one that is listed, or the next that
    /// connects.
    ///
    /// - Parameters:
    ///   - protocolString: the protocol's name.
    ///   - timeout: how long to wait. With zero, one of `connectedAccessories` or none; call `ready(timeout:completion:)`
    ///     before, because that is empty at first.
    ///   - isWanted: whether it may be this one; by default each may. An accessory may be asked about more than once.
    ///   - completion: gets the accessory; or `timedOut`, `sessionExists` if those that speak it have sessions for it, or
    ///     `invalidArguments` if the protocol is not declared.
    public func firstAccessory(
        speaking protocolString: String,
        timeout: Duration = .seconds(30),
        where isWanted: @escaping @BluetoothActor (Accessory) -> Bool = { _ in true },
        completion: @escaping @BluetoothActor (Accessory?, BluetoothError?) -> Void
    ) {
        startWaiting(protocolString, timeout, isWanted) { $0.split(completion) }
    }

    /// Waits for an accessory; the async form of `firstAccessory(speaking:timeout:where:completion:)`.
    public func firstAccessory(
        speaking protocolString: String, timeout: Duration = .seconds(30),
        where isWanted: @escaping @BluetoothActor (Accessory) -> Bool = { _ in true }
    ) async throws(BluetoothError) -> Accessory {
        try await AsyncBridge.wait { startWaiting(protocolString, timeout, isWanted, $0) }
    }

    /// Opens a session with the first accessory that speaks a protocol and has no session for it: one that is listed, or
    /// the next that connects.
    ///
    /// - Parameters:
    ///   - protocolString: the protocol's name.
    ///   - timeout: how long to wait for an accessory. With zero, it fails at once if none is listed; call
    ///     `ready(timeout:completion:)` before, because `connectedAccessories` is empty at first.
    ///   - isWanted: whether it may be this one; by default each may. An accessory may be asked about more than once.
    ///   - completion: gets the session, or why there is none: `timedOut`, `sessionExists`, or an error of
    ///     `Accessory.openSession(for:completion:)`.
    public func openFirstSession(
        for protocolString: String,
        timeout: Duration = .seconds(30),
        where isWanted: @escaping @BluetoothActor (Accessory) -> Bool = { _ in true },
        completion: @escaping @BluetoothActor (AccessorySession?, BluetoothError?) -> Void
    ) {
        Task {
            do throws(BluetoothError) {
                completion(try await openFirstSession(for: protocolString, timeout: timeout, where: isWanted), nil)
            } catch {
                completion(nil, error)
            }
        }
    }

    /// Opens a session with the first accessory that speaks a protocol; the async form of
    /// `openFirstSession(for:timeout:where:completion:)`.
    public func openFirstSession(
        for protocolString: String, timeout: Duration = .seconds(30),
        where isWanted: @escaping @BluetoothActor (Accessory) -> Bool = { _ in true }
    ) async throws(BluetoothError) -> AccessorySession {
        let end = ContinuousClock.now + timeout
        while true {
            let accessory = try await firstAccessory(
                speaking: protocolString, timeout: max(.zero, end - .now), where: isWanted)
            do throws(BluetoothError) {
                return try await accessory.openSession(for: protocolString)
            } catch {
                // Another call may have taken it in between.
                guard error.code == .sessionExists, accessory.isInUse(for: protocolString) else { throw error }
            }
        }
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

    /// Looks for devices, lets the application choose one, and connects it; the async form of
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
        _ timeout: Duration, _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> AccessoryWait<Void> {
        let wait = AccessoryWait<Void>(self) {
            $0.isReady ? () : nil
        } late: {
            $0.central.stateError
                ?? BluetoothError(
                    .timedOut, "The connected devices did not tell within \(timeout.inSeconds) what they are")
        } completion: {
            completion($0)
        }
        wait.begin(timeout)
        return wait
    }

    @discardableResult
    private func startWaiting(
        _ protocolString: String, _ timeout: Duration, _ isWanted: @escaping @BluetoothActor (Accessory) -> Bool,
        _ completion: @escaping @BluetoothActor (Result<Accessory, BluetoothError>) -> Void
    ) -> AccessoryWait<Accessory> {
        let candidates: @BluetoothActor (AccessoryManager) -> [Accessory] = {
            $0.connectedAccessories.filter { $0.protocolStrings.contains(protocolString) && isWanted($0) }
        }
        let wait = AccessoryWait<Accessory>(self) {
            candidates($0).first { !$0.isInUse(for: protocolString) }
        } late: {
            if let name = candidates($0).first?.name {
                return BluetoothError(
                    .sessionExists, "There is a session for \(protocolString) of \(name) already; close it first")
            }
            let time = timeout > .zero ? "was connected within \(timeout.inSeconds)" : "is connected"
            return BluetoothError(.timedOut, "No accessory that speaks \(protocolString) \(time)")
        } completion: {
            completion($0)
        }
        if protocols.contains(where: { $0.name == protocolString }) {
            wait.begin(timeout)
        } else {
            let error = BluetoothError(
                .invalidArguments, "The protocol \(protocolString) is not declared; give it to AccessoryManager")
            BluetoothActor.later { wait.fail(error) }
        }
        return wait
    }
}
