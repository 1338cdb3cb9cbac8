import BlueZSimulator
import CoreBlueZ

/// The link between a simulated peripheral and the centrals of bluetoothd, which are one central for the peripheral.
@SimulatorActor final class ServedLink: PeripheralLink {
    typealias Sender =
        @BluetoothActor (SimulatedCharacteristic, [UInt8], @escaping @BluetoothActor () -> Void) -> Void

    /// How many values wait for `BluetoothActor`. Further ones are dropped, like by a radio whose buffers are full.
    private static let capacity = 1024

    /// bluetoothd cuts values to the MTU of each central.
    let mtu = 517
    /// bluetoothd has checked the link before it passes on a request.
    var isEncrypted: Bool { true }
    /// Likewise.
    var isAuthenticated: Bool { true }
    var isSilent = false

    private let send: Sender
    private let end: @BluetoothActor () -> Void
    private var waiting = 0

    /// - Parameters:
    ///   - send: sends a value to the subscribers.
    ///   - end: disconnects the centrals.
    nonisolated init(send: @escaping Sender, end: @escaping @BluetoothActor () -> Void) {
        self.send = send
        self.end = end
    }

    func deliver(_ value: [UInt8], from characteristic: SimulatedCharacteristic) {
        guard !isSilent, waiting < Self.capacity else { return }
        waiting += 1
        BluetoothActor.perform { [send] in
            send(characteristic, value) { SimulatorActor.schedule(after: .zero) { self.waiting -= 1 } }
        }
    }

    /// A peripheral cannot ask bluetoothd for it: the flags of its attributes do.
    func requestSecurity() {}

    /// The services that are served do not change.
    func servicesChanged() {}

    func drop(_: LinkEnd) { BluetoothActor.perform(end) }
}
