import TestSupport

@testable import BlueZClient
@testable import CoreBlueZ

typealias Patience = TestSupport.Patience
typealias SplitMix64 = TestSupport.SplitMix64

extension Timeouts {
    /// From here on, clients wait for the bus and for bluetoothd as long as a slow machine needs.
    @BluetoothActor static func allowForSlowness() {
        let timeout = Patience.timeout
        initial.bus = timeout
        initial.snapshot = timeout
        initial.discovery = timeout
        initial.activation = timeout
        initial.services = timeout
    }
}
