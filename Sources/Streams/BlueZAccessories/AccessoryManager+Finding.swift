import BlueZSerial
import CoreBlueZ

extension AccessoryManager {
    /// Waits until `connectedAccessories` contains the accessories that were connected before this manager was created.
    ///
    /// The operation fails with `timedOut` if a device does not report its services in time, with `cancelled` if the
    /// manager is released, and with the codes of `CentralManager.waitUntilPoweredOn(timeout:completion:)`.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait until Bluetooth is on and the devices have reported their services. With zero, the
    ///     operation fails if that has not happened yet.
    ///   - completion: gets nil when the accessories are listed, which may be immediately, or the error.
    public func ready(
        timeout: Duration = .seconds(30), completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startWaiting(timeout) { completion($0.failure) }
    }

    /// Waits until the accessories that were already connected are listed; the async form of
    /// `ready(timeout:completion:)`.
    public func ready(timeout: Duration = .seconds(30)) async throws(BluetoothError) {
        try await AsyncBridge.wait { startWaiting(timeout, $0) }
    }

    /// Waits for an accessory that speaks a protocol and has no session for it: one that is listed, or the next that
    /// connects.
    ///
    /// The operation fails with `timedOut` if there is none in time, with `sessionExists` if the accessories that speak
    /// the protocol have sessions for it, with `invalidArguments` if the protocol is not declared, and with `cancelled`
    /// if the manager is released.
    ///
    /// - Parameters:
    ///   - protocolString: the name of the protocol, as declared.
    ///   - timeout: how long to wait. With zero, only `connectedAccessories` counts. Call `ready(timeout:completion:)`
    ///     before, because it is empty at first.
    ///   - isWanted: returns whether an accessory matches; by default, every accessory does. It may be called more than
    ///     once per accessory.
    ///   - completion: gets the accessory, or the error.
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

    /// Opens a session with the first accessory that speaks a protocol and has no session for it: one that is listed,
    /// or the next that connects. It fails with the codes of `firstAccessory(speaking:timeout:where:completion:)` and
    /// `Accessory.openSession(for:completion:)`.
    ///
    /// - Parameters:
    ///   - protocolString: the name of the protocol, as declared.
    ///   - timeout: how long to wait for an accessory. With zero, the operation fails immediately if none is listed.
    ///     Call `ready(timeout:completion:)` before, because `connectedAccessories` is empty at first.
    ///   - isWanted: returns whether an accessory matches; by default, every accessory does. It may be called more than
    ///     once per accessory.
    ///   - completion: gets the session, or the error.
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
                // Another call may have opened a session in the meantime.
                guard error.code == .sessionExists, accessory.isInUse(for: protocolString) else { throw error }
            }
        }
    }

    /// Searches for devices, lets the application choose one, and connects it, like Apple's accessory picker. An
    /// accessory that speaks one of the protocols is listed, and notified, when its services are resolved. Pairing is
    /// the task of `choose` and a `PairingAgent`.
    ///
    /// The operation fails with `alreadyConnected` if the device is already connected, with `timedOut` if none was
    /// chosen in time, and with the codes of
    /// `CentralManager.scanForPeripherals(withServices:options:found:completion:)` and
    /// `Peripheral.connect(options:completion:)`.
    ///
    /// - Parameters:
    ///   - transport: the kind of devices to search for; both by default.
    ///   - timeout: how long to search, and also how long to connect.
    ///   - choose: returns whether to connect a device. It is called with each device that is found until it returns
    ///     true. A filter can use the device's name.
    ///   - completion: gets nil when the device is connected, or the error.
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

    /// Searches for devices, lets the application choose one, and connects it; the async form of
    /// `pickAccessory(transport:timeout:choose:completion:)`. Cancelling the task ends the search or the attempt.
    public func pickAccessory(
        transport: BluetoothTransport = .auto,
        timeout: Duration = .seconds(30),
        choose: @escaping @BluetoothActor (Peripheral) -> Bool
    ) async throws(BluetoothError) {
        try await central.waitUntilPoweredOn()
        // Connected devices do not advertise.
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
                    .timedOut, "The connected devices did not tell within \(timeout.roundedText) what they are")
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
            let time = timeout > .zero ? "was connected within \(timeout.roundedText)" : "is connected"
            return BluetoothError(.timedOut, "No accessory that speaks \(protocolString) \(time)")
        } completion: {
            completion($0)
        }
        if protocols.contains(where: { $0.name == protocolString }) {
            wait.begin(timeout)
        } else {
            let error = BluetoothError(
                .invalidArguments, "The protocol \(protocolString) is not declared; give it to AccessoryManager")
            BluetoothActor.perform { wait.fail(error) }
        }
        return wait
    }
}
