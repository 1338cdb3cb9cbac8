import CoreBlueZ

/// Finds serial devices that do not advertise what they are. Connects to one device after another, and recognizes a
/// serial profile by its service and characteristics.
///
/// Keep the finder, or its manager, for as long as you use the service that it found: a service has weak references to
/// its peripheral and its manager. Without them, `SerialService.open` fails with `notConnected`.
@BluetoothActor public final class SerialFinder {
    /// A step of a search, for programs that show the progress.
    public enum Step {
        /// The finder is connecting to a device to determine its profile.
        case trying(Peripheral)
        /// The device does not match, for this reason. It was disconnected, unless it was already connected.
        case rejected(Peripheral, BluetoothError)
    }

    /// The manager that finds devices.
    public let central: CentralManager
    /// The profiles to look for, in this order.
    public let profiles: [SerialProfile]
    /// Returns whether to connect to a device; by default, always true.
    public var isCandidate: @BluetoothActor (Peripheral) -> Bool = { _ in true }
    /// The timeout for connecting to each device; 5 s by default.
    public var connectTimeout = Duration.seconds(5)
    /// Called with each step of a search.
    public var stepHandler: (@BluetoothActor (Step) -> Void)?
    /// The device that is being tried, or that was found.
    public private(set) var peripheral: Peripheral?
    /// Whether this search made the link to `peripheral`, or is making it.
    public private(set) var hasMadeLink = false

    /// How often to try a device that cannot be connected. After 1,000 other devices, it counts as new.
    private static let attempts = 3

    /// Creates a finder of devices with one of the profiles.
    public init(_ central: CentralManager, profiles: [SerialProfile] = SerialProfile.recognizable) {
        self.central = central
        self.profiles = profiles
    }

    /// Finds a device: first among connected devices, which do not advertise, then among those that advertise.
    ///
    /// The operation fails with `timedOut` if no device matches in time, and with the codes of
    /// `CentralManager.scanForPeripherals(withServices:options:found:completion:)`. A device that cannot be connected
    /// is skipped.
    ///
    /// - Parameters:
    ///   - timeout: how long to search; 30 s by default.
    ///   - completion: gets the serial service of the connected device, ready to be opened, or the error.
    public func find(
        timeout: Duration = .seconds(30),
        completion: @escaping @BluetoothActor (SerialService?, BluetoothError?) -> Void
    ) {
        answer(completion) { () async throws(BluetoothError) in try await self.find(timeout: timeout) }
    }

    /// Finds a device; the async form of `find(timeout:completion:)`. Cancelling the task ends the search.
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

    /// Connects to the device with a name, the first one if several have it, and finds its serial service. A connected
    /// device comes before those that advertise.
    ///
    /// The operation fails with `timedOut` if no such device advertises in time, and otherwise with the codes of
    /// `find(_:timeout:completion:)`.
    ///
    /// - Parameters:
    ///   - name: the device's whole name.
    ///   - timeout: how long to wait for an advertisement; 30 s by default.
    ///   - completion: gets the serial service of the connected device, ready to be opened, or the error.
    public func find(
        named name: String,
        timeout: Duration = .seconds(30),
        completion: @escaping @BluetoothActor (SerialService?, BluetoothError?) -> Void
    ) {
        answer(completion) { () async throws(BluetoothError) in try await self.find(named: name, timeout: timeout) }
    }

    /// Connects to the device with a name; the async form of `find(named:timeout:completion:)`.
    public func find(named name: String, timeout: Duration = .seconds(30)) async throws(BluetoothError) -> SerialService
    {
        try await central.waitUntilPoweredOn()
        let known = central.retrieveKnownPeripherals().first { $0.isConnected && $0.name == name }
        if let known { return try await service(of: known) }
        let found: Peripheral
        do throws(BluetoothError) {
            found = try await central.firstPeripheral(timeout: timeout) { peripheral, _ in peripheral.name == name }
        } catch {
            guard error.code == .timedOut else { throw error }
            throw notFound(0)
        }
        return try await service(of: found)
    }

    /// Connects to the device with an address, without a scan if bluetoothd knows it, and finds its serial service.
    ///
    /// The operation fails with `timedOut` if the device does not advertise in time, with `profileNotRecognized` if it
    /// has none of the profiles, and with the codes of `CentralManager.waitUntilPoweredOn(timeout:completion:)`,
    /// `Peripheral.connect(options:completion:)` and `Peripheral.discoverServices(_:completion:)`.
    ///
    /// - Parameters:
    ///   - address: the device's address.
    ///   - timeout: how long to wait for an advertisement, if bluetoothd does not know the device.
    ///   - completion: gets the serial service of the connected device, ready to be opened, or the error.
    public func find(
        _ address: BluetoothAddress,
        timeout: Duration = .seconds(30),
        completion: @escaping @BluetoothActor (SerialService?, BluetoothError?) -> Void
    ) {
        answer(completion) { () async throws(BluetoothError) in try await self.find(address, timeout: timeout) }
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
            throw notFound(attempts.total)
        }
    }

    /// Runs the async form of a search.
    private func answer(
        _ completion: @escaping @BluetoothActor (SerialService?, BluetoothError?) -> Void,
        with find: @escaping @BluetoothActor () async throws(BluetoothError) -> SerialService
    ) {
        Task {
            do throws(BluetoothError) {
                completion(try await find(), nil)
            } catch {
                completion(nil, error)
            }
        }
    }

    /// The error of a search that has tried some devices.
    private func notFound(_ total: Int) -> BluetoothError {
        let names = profiles.map(\.name).joined(separator: ", ")
        let tried = total == 1 ? "1 device was" : "\(total) devices were"
        return BluetoothError(
            .timedOut,
            "No device with one of these profiles was found: \(names). \(tried) tried; see that it is on, near, and "
                + "connected to nothing else")
    }

    /// Returns the serial service of a device, or nil if the device does not match.
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
            if !peripheral.hasOwnLink { hasMadeLink = false }
            return try await peripheral.discoverSerialService(profiles)
        } catch {
            if hasMadeLink { try? await peripheral.disconnectOwnLink() }
            self.peripheral = nil
            throw error
        }
    }
}
