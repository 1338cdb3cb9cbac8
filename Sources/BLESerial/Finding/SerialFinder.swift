import CoreBlueZ

/// Finds serial devices that do not advertise what they are: connects to one device after the other, and recognizes a
/// serial profile by its service and characteristics.
@BluetoothActor public final class SerialFinder {
    /// A step of a search.
    public enum Step {
        /// A device is being connected to, to see what it is.
        case trying(Peripheral)
        /// It is not the one; it was disconnected again, unless it was connected before.
        case rejected(Peripheral, BluetoothError)
    }

    /// The manager that finds devices.
    public let central: CentralManager
    /// The profiles to look for, in this order.
    public let profiles: [SerialProfile]
    /// Whether to connect to a device at all; by default to each.
    public var isCandidate: @BluetoothActor (Peripheral) -> Bool = { _ in true }
    /// How long connecting to one may take.
    public var connectTimeout = Duration.seconds(5)
    /// Gets the steps.
    public var stepHandler: (@BluetoothActor (Step) -> Void)?
    /// The device that is being tried, or was found.
    public private(set) var peripheral: Peripheral?
    /// Whether there was no link to `peripheral` before.
    public private(set) var hasMadeLink = false

    /// How often to try a device to which no link comes up. A device that 1,000 others have followed counts as new.
    private static let attempts = 3

    /// A finder of devices with one of the profiles.
    public init(_ central: CentralManager, profiles: [SerialProfile] = SerialProfile.recognizable) {
        self.central = central
        self.profiles = profiles
    }

    /// Finds a device: first among those that are connected, which do not advertise, then among those that advertise.
    ///
    /// - Parameters:
    ///   - timeout: how long to look.
    ///   - completion: gets the serial service of the connected device, ready to be opened; or
    ///     `BluetoothError.Code.timedOut`, or why there can be none.
    public func find(
        timeout: Duration = .seconds(30),
        completion: @escaping @BluetoothActor (SerialService?, BluetoothError?) -> Void
    ) {
        Task {
            do throws(BluetoothError) {
                completion(try await find(timeout: timeout), nil)
            } catch {
                completion(nil, error)
            }
        }
    }

    /// Finds a device; the async form of `find(timeout:completion:)`. Cancelling the task ends it.
    public func find(timeout: Duration = .seconds(30)) async throws(BluetoothError) -> SerialService {
        try await central.waitUntilPoweredOn()
        let end = ContinuousClock.now + timeout
        var attempts = AddressTable<Int>()
        for peripheral in central.retrieveKnownPeripherals() where peripheral.isConnected && isCandidate(peripheral) {
            if let service = try await attempt(peripheral, &attempts) { return service }
        }
        while true {
            let peripheral = try await next(until: end, attempts)
            if let service = try await attempt(peripheral, &attempts) { return service }
        }
    }

    /// Connects to the device with an address, without a search if bluetoothd knows it, and returns its serial service.
    ///
    /// - Parameters:
    ///   - address: the device's address.
    ///   - timeout: how long to wait until it advertises, if bluetoothd does not know it.
    ///   - completion: gets the serial service of the connected device, ready to be opened, or why there is none.
    public func find(
        _ address: BluetoothAddress,
        timeout: Duration = .seconds(30),
        completion: @escaping @BluetoothActor (SerialService?, BluetoothError?) -> Void
    ) {
        Task {
            do throws(BluetoothError) {
                completion(try await find(address, timeout: timeout), nil)
            } catch {
                completion(nil, error)
            }
        }
    }

    /// Connects to the device with an address; the async form of `find(_:timeout:completion:)`.
    public func find(
        _ address: BluetoothAddress, timeout: Duration = .seconds(30)
    ) async throws(BluetoothError) -> SerialService {
        try await central.waitUntilPoweredOn()
        var device = central.retrievePeripheral(withIdentifier: address)
        if device == nil {
            device = try await central.firstPeripheral(timeout: timeout) { found, _ in found.address == address }
        }
        guard let device else {
            throw BluetoothError(.peripheralGone, "The device \(address) was not found; is it on and near?")
        }
        return try await service(of: device)
    }

    // MARK: One device

    private func next(
        until end: ContinuousClock.Instant, _ attempts: AddressTable<Int>
    ) async throws(BluetoothError) -> Peripheral {
        let remaining = end - .now
        do throws(BluetoothError) {
            guard remaining > .zero else { throw BluetoothError(.timedOut, "") }
            return try await central.firstPeripheral(timeout: remaining) { [isCandidate] peripheral, _ in
                (attempts[peripheral.address] ?? 0) < Self.attempts && isCandidate(peripheral)
            }
        } catch {
            guard error.code == .timedOut else { throw error }
            let names = profiles.map(\.name).joined(separator: ", ")
            let tried = attempts.total == 1 ? "1 device was" : "\(attempts.total) devices were"
            throw BluetoothError(
                .timedOut,
                "No device with one of these profiles was found: \(names). \(tried) tried; see that it is on, near, and "
                    + "connected to nothing else")
        }
    }

    /// Nil if it is not the one.
    private func attempt(
        _ peripheral: Peripheral, _ attempts: inout AddressTable<Int>
    ) async throws(BluetoothError) -> SerialService? {
        stepHandler?(.trying(peripheral))
        do throws(BluetoothError) {
            return try await service(of: peripheral)
        } catch {
            let ends: [BluetoothError.Code] = [
                .cancelled, .adapterOff, .adapterGone, .daemonUnavailable, .busUnavailable,
            ]
            if ends.contains(error.code) { throw error }
            let isOther = error.code == .profileNotRecognized
            attempts[peripheral.address] = (attempts[peripheral.address] ?? 0) + (isOther ? Self.attempts : 1)
            stepHandler?(.rejected(peripheral, error))
            return nil
        }
    }

    private func service(of peripheral: Peripheral) async throws(BluetoothError) -> SerialService {
        hasMadeLink = !peripheral.isConnected
        self.peripheral = peripheral
        do throws(BluetoothError) {
            try await peripheral.connect(options: ConnectOptions(timeout: connectTimeout, retries: 1))
            return try await peripheral.discoverSerialService(profiles)
        } catch {
            if hasMadeLink { await withCheckedContinuation { done in peripheral.disconnect { _ in done.resume() } } }
            self.peripheral = nil
            throw error
        }
    }
}
