import TestSupport

@testable import CoreBlueZ

typealias Patience = TestSupport.Patience
typealias SplitMix64 = TestSupport.SplitMix64

extension Limits {
    /// From here on, clients wait for the bus and for bluetoothd as long as a slow machine needs.
    @BluetoothActor static func allowForSlowness() {
        let deadline = Patience.deadline
        initial.bus = deadline
        initial.snapshot = deadline
        initial.discovery = deadline
        initial.activation = deadline
        initial.services = deadline
    }
}
