import BlueZClient
import BlueZDBus

/// An advertisement that is being sent: `PeripheralManager.startAdvertising` returns it.
///
/// It is sent until `stop`, its timeout, or the end of the manager. If bluetoothd or the
/// adapter is gone in the meantime, it is sent again when they are back.
@BluetoothActor public final class AdvertisingInstance {
    /// The content.
    public internal(set) var advertisement: LocalAdvertisement

    /// Whether bluetoothd advertises it now. False while bluetoothd or the adapter is gone, and after the end.
    public internal(set) var isAdvertising = false

    /// The properties that are set but that this bluetoothd ignores.
    public internal(set) var ignored: LocalAdvertisement.Ignored = []

    /// The transmit power in dBm that the controller has chosen; nil if bluetoothd does not report it.
    public internal(set) var selectedTxPower: Int?

    var capabilities = AdvertisingCapabilities()
    weak var registration: AdvertisementRegistration?
    weak var manager: PeripheralManager?
    /// The time at which the advertisement ends.
    var deadline: MonotonicInstant?

    init(_ advertisement: LocalAdvertisement) {
        self.advertisement = advertisement
    }

    /// Changes what is sent. Changing whether it is connectable, its interval, transmit power, timeout or secondary
    /// channel needs another instance.
    ///
    /// The operation fails with `valueTooLong` or `invalidArguments` if the advertisement cannot be sent, and with
    /// `notSupported` if it changes what cannot be changed. It is then unchanged.
    ///
    /// - Parameters:
    ///   - advertisement: the new content.
    ///   - completion: gets nil when the change is on its way to bluetoothd, or the error.
    public func update(
        _ advertisement: LocalAdvertisement, completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        let error = change(to: advertisement)
        BluetoothActor.perform { completion(error) }
    }

    /// Changes what is sent; the async form of `update(_:completion:)`.
    public func update(_ advertisement: LocalAdvertisement) async throws(BluetoothError) {
        if let error = change(to: advertisement) { throw error }
    }

    /// Ends the advertisement. Links that came from it stay. Does nothing if it has ended.
    ///
    /// - Parameter completion: called when bluetoothd no longer advertises it.
    public func stop(completion: @escaping @BluetoothActor () -> Void) {
        guard let manager else { return BluetoothActor.perform(completion) }
        manager.end(self, completion: completion)
    }

    /// Ends the advertisement; the async form of `stop(completion:)`.
    public func stop() async {
        await withCheckedContinuation { continuation in stop { continuation.resume() } }
    }

    /// The time until the advertisement ends; nil if it does not end by itself.
    var remaining: Duration? {
        guard let timeout = advertisement.timeout else { return nil }
        guard let deadline else { return timeout }
        return max(.seconds(1), deadline - MonotonicInstant.now)
    }

    /// Whether its time is over. bluetoothd counts whole seconds.
    var isOver: Bool { deadline.map { MonotonicInstant.now.advanced(by: .seconds(1)) >= $0 } ?? false }

    private func change(to new: LocalAdvertisement) -> BluetoothError? {
        if let problem = new.problem(capabilities) { return problem }
        let old = advertisement
        guard new.isConnectable == old.isConnectable, new.interval == old.interval, new.txPower == old.txPower,
            new.secondaryChannel == old.secondaryChannel, new.timeout == old.timeout
        else {
            let what = "Whether it is connectable, its interval, power, timeout and secondary channel"
            return BluetoothError(.notSupported, "\(what) cannot be changed; start another advertisement")
        }
        advertisement = new
        registration?.contentChanged(from: old)
        return nil
    }
}

extension AdvertisingInstance: Hashable {
    /// Returns whether both are the same object.
    public nonisolated static func == (left: AdvertisingInstance, right: AdvertisingInstance) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
