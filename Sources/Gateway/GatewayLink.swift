import CoreBlueZ
import GatewayProtocol

/// A link that is leased to a client: its attributes by handle, and the number of its latest event.
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
    /// The properties that the client knows.
    var state = DeviceState()
    var observation: PeripheralObservation?
    /// How many requests for values are under way, and what has to wait until they are answered.
    private var unanswered = 0
    private var afterAnswers: [@BluetoothActor () -> Void] = []
    /// The latest request to pair; cancelling it ends pairing in bluetoothd.
    var pairing: Task<Void, Never>?

    init(_ reference: LinkReference, _ client: GatewayName, _ peripheral: Peripheral) {
        self.reference = reference
        self.client = client
        self.peripheral = peripheral
    }

    /// A request for a value begins.
    func began() { unanswered += 1 }

    /// A request for a value is answered.
    func answered() {
        unanswered -= 1
        guard unanswered == 0 else { return }
        let bodies = afterAnswers
        afterAnswers = []
        for body in bodies { body() }
    }

    /// Runs `body` once the requests for values are answered.
    func whenAnswered(_ body: @escaping @BluetoothActor () -> Void) {
        if unanswered == 0 { body() } else { afterAnswers.append(body) }
    }

    /// The properties of the device now.
    var currentState: DeviceState {
        DeviceState(
            name: peripheral.name?.prefix(bytes: GatewayLimits.name), paired: peripheral.isPaired,
            bonded: peripheral.isBonded,
            trusted: peripheral.isTrusted, appearance: peripheral.advertisement.appearance,
            battery: peripheral.batteryLevel.map { min(max($0, 0), 100) })
    }
}
