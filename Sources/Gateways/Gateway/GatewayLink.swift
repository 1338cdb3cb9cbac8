import CoreBlueZ
import GatewayProtocol

/// A link that is leased to a client, with its attributes by handle and the number of its latest event.
@BluetoothActor final class GatewayLink {
    let reference: LinkReference
    let client: GatewayName
    let peripheral: Peripheral
    /// The number of the latest event.
    var sequence: UInt64 = 0
    /// Whether Connect has succeeded and the link has not ended since.
    var isUp = false
    var characteristics: [UInt16: Characteristic] = [:]
    var descriptors: [UInt16: Descriptor] = [:]
    /// The properties that were last sent to the client.
    var state = DeviceState()
    var observation: EventObservation?
    /// The number of pending requests for values, and the work that waits for their responses.
    private var pendingRequests = 0
    private var afterRequests: [@BluetoothActor () -> Void] = []
    /// The latest request to pair. Cancelling it ends pairing in bluetoothd.
    var pairing: Task<Void, Never>?

    init(_ reference: LinkReference, _ client: GatewayName, _ peripheral: Peripheral) {
        self.reference = reference
        self.client = client
        self.peripheral = peripheral
    }

    /// Notes that a request for a value begins.
    func requestBegan() { pendingRequests += 1 }

    /// Notes that a request for a value has its response.
    func requestEnded() {
        pendingRequests -= 1
        guard pendingRequests == 0 else { return }
        let bodies = afterRequests
        afterRequests = []
        for body in bodies { body() }
    }

    /// Runs `body` when the pending requests for values have their responses.
    func afterPendingRequests(_ body: @escaping @BluetoothActor () -> Void) {
        if pendingRequests == 0 { body() } else { afterRequests.append(body) }
    }

    /// The device's current properties.
    var currentState: DeviceState {
        DeviceState(
            name: peripheral.name?.prefix(bytes: GatewayLimits.name), paired: peripheral.isPaired,
            bonded: peripheral.isBonded,
            trusted: peripheral.isTrusted, appearance: peripheral.advertisement.appearance,
            battery: peripheral.batteryLevel.map { min(max($0, 0), 100) })
    }
}
