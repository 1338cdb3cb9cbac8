/// A device with which bluetoothd pairs.
@SimulatorActor protocol PairingPeer: AnyObject {
    var pairing: PairingBehaviour { get }
    var pairingRecord: PairingRecord { get set }
    var keys: PairingKeys? { get set }
    var procedure: PairingProcedure? { get set }
}

extension SimulatedPeripheral: PairingPeer {}
extension SimulatedCentral: PairingPeer {}
