import CoreBlueZ
import Observation
import PrintableText

/// A peripheral for a user interface: its properties live on the main actor, are updated automatically, and can be
/// observed.
///
/// ```swift
/// let model = PeripheralModel(tag)
/// model.connect()
/// ```
///
/// They get their first values soon after it is made. Changes arrive in order; simultaneous ones arrive together.
@MainActor @Observable public final class PeripheralModel: Identifiable {
    /// The observed peripheral.
    public nonisolated let peripheral: Peripheral
    /// What stays the same for a device; see `Peripheral.id`.
    public nonisolated let id: String

    /// The device's name, if known.
    public private(set) var name: String?
    /// The name that the user gave the device in BlueZ, otherwise its own.
    public private(set) var alias: String?
    /// The device's address.
    public private(set) var address: BluetoothAddress?
    /// The state of its connection.
    public private(set) var state = PeripheralState.disconnected
    /// Whether a lost link is being brought back.
    public private(set) var isReconnecting = false
    /// Whether it is paired.
    public private(set) var isPaired = false
    /// The signal strength of the last advertisement in dBm, while scanning.
    public private(set) var rssi: Int?
    /// The charge in percent, if bluetoothd reports it.
    public private(set) var batteryLevel: Int?
    /// The data advertised so far.
    public private(set) var advertisement = AdvertisementData()
    /// The UUIDs of the services that were discovered.
    public private(set) var services: [BluetoothUUID] = []
    /// Why the last operation started here failed; nil while one is in progress and after a success.
    public private(set) var error: BluetoothError?

    @ObservationIgnored private var observation: PeripheralObservation?

    /// Observes a peripheral as long as this object exists.
    public init(_ peripheral: Peripheral) {
        self.peripheral = peripheral
        id = peripheral.id
        observation = peripheral.observe(BluetoothActor.onMainActor { [weak self] in self?.take($0) })
    }

    /// Whether there is a link.
    public var isConnected: Bool { state == .connected }

    /// Name or address for display; escaped like `Peripheral.displayName`.
    public var displayName: String { name?.escapedForTerminal() ?? address?.description ?? id }

    /// Connects and discovers; see `Peripheral.connectAndDiscover`. `state` and `error` show the progress.
    public func connect(timeout: Duration = .seconds(60)) {
        error = nil
        let completion = BluetoothActor.onMainActor { [weak self] (_: [Service]?, error) in self?.error = error }
        BluetoothActor.perform { [peripheral] in
            peripheral.connectAndDiscover(timeout: timeout, completion: completion)
        }
    }

    /// Connects, and brings the link back whenever it is lost; see `Peripheral.keepConnected(_:)`.
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

    private func take(_ snapshot: PeripheralSnapshot) {
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

    /// Observers are notified of real changes only.
    private func set<Value: Equatable>(_ property: ReferenceWritableKeyPath<PeripheralModel, Value>, _ value: Value) {
        if self[keyPath: property] != value { self[keyPath: property] = value }
    }
}
