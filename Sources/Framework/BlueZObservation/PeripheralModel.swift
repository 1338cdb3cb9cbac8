import BlueZPrintableText
import CoreBlueZ
import Observation

/// A peripheral for a user interface. Its properties are isolated to the main actor, are updated automatically, and can
/// be observed.
///
/// ```swift
/// let model = PeripheralModel(tag)
/// model.connect()
/// ```
///
/// The properties get their first values soon after the model is created. Changes arrive in order, and changes at the
/// same time arrive together.
@MainActor @Observable public final class PeripheralModel: Identifiable {
    /// The observed peripheral.
    public nonisolated let peripheral: Peripheral
    /// The identifier of the device; see `Peripheral.id`.
    public nonisolated let id: String

    /// The device's name as the device sends it, or nil if it is not known yet.
    public private(set) var name: String?
    /// The name that the user gave the device in BlueZ, otherwise the device's own name, otherwise its address.
    public private(set) var alias: String?
    /// The device's address, or nil if bluetoothd no longer knows the device.
    public private(set) var address: BluetoothAddress?
    /// The state of the link; see `Peripheral.state`.
    public private(set) var state = PeripheralState.disconnected
    /// Whether `Peripheral.reconnectPolicy` is restoring a lost link.
    public private(set) var isReconnecting = false
    /// Whether the device is paired, by this program or another.
    public private(set) var isPaired = false
    /// The signal strength of the last advertisement in dBm, while scanning.
    public private(set) var rssi: Int?
    /// The battery charge in percent, if bluetoothd reports it; see `Peripheral.batteryLevel`.
    public private(set) var batteryLevel: Int?
    /// The data that the device has advertised so far.
    public private(set) var advertisement = AdvertisementData()
    /// The UUIDs of the discovered services, in the order of `Peripheral.services`.
    public private(set) var services: [BluetoothUUID] = []
    /// Why the last operation of this model failed. Nil while one is in progress, and after it has succeeded.
    public private(set) var error: BluetoothError?

    @ObservationIgnored private var observation: EventObservation?

    /// Creates a model, which observes the peripheral for as long as the model exists.
    public init(_ peripheral: Peripheral) {
        self.peripheral = peripheral
        id = peripheral.id
        observation = peripheral.observe(BluetoothActor.onMainActor { [weak self] in self?.apply($0) })
    }

    /// Whether the device is connected, by this program or another.
    public var isConnected: Bool { state == .connected }

    /// The name, or the address if there is no name, for display. It is escaped like `Peripheral.displayName`.
    public var displayName: String { name?.escapedForTerminal() ?? address?.description ?? id }

    /// Connects, and discovers everything; see `Peripheral.connectAndDiscover`. `state` and `error` report the
    /// progress.
    public func connect(timeout: Duration = .seconds(60)) {
        error = nil
        let completion = BluetoothActor.onMainActor { [weak self] (_: [Service]?, error) in self?.error = error }
        BluetoothActor.perform { [peripheral] in
            peripheral.connectAndDiscover(timeout: timeout, completion: completion)
        }
    }

    /// Connects, and restores the link each time it is lost; see `Peripheral.keepConnected(_:)`.
    public func keepConnected(_ policy: ReconnectPolicy = ReconnectPolicy()) {
        error = nil
        BluetoothActor.perform { [peripheral] in peripheral.keepConnected(policy) }
    }

    /// Ends the link, or the attempts to make one.
    public func disconnect() {
        error = nil
        let completion = BluetoothActor.onMainActor { [weak self] error in self?.error = error }
        BluetoothActor.perform { [peripheral] in peripheral.disconnect(completion: completion) }
    }

    private func apply(_ snapshot: PeripheralSnapshot) {
        set(\.name, snapshot.name)
        set(\.alias, snapshot.alias)
        set(\.address, snapshot.address)
        set(\.state, snapshot.state)
        set(\.isReconnecting, snapshot.isReconnecting)
        set(\.isPaired, snapshot.isPaired)
        set(\.rssi, snapshot.rssi)
        set(\.batteryLevel, snapshot.batteryLevel)
        set(\.advertisement, snapshot.advertisement)
        set(\.services, snapshot.services)
    }

    /// Sets a property only if its value differs, so that observers are notified only of changes.
    private func set<Value: Equatable>(_ property: ReferenceWritableKeyPath<PeripheralModel, Value>, _ value: Value) {
        if self[keyPath: property] != value { self[keyPath: property] = value }
    }
}
