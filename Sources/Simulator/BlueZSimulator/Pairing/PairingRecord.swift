/// A record of what pairing showed to a simulated peripheral's user, and of its result.
public struct PairingRecord: Hashable, Sendable {
    /// Whether a passkey was requested.
    public internal(set) var isAsked = false
    /// The passkey that the peripheral showed, or nil.
    public internal(set) var shown: UInt32?
    /// The number that the user was asked to compare, or nil.
    public internal(set) var compared: UInt32?
    /// The reason why the attempt failed, with the names of the Security Manager (Vol 3, Part H, 3.5.5); nil if it
    /// succeeded.
    public internal(set) var failure: String?
}

/// A device with which bluetoothd pairs.
@SimulatorActor protocol PairingPeer: AnyObject {
    var pairing: PairingBehaviour { get }
    var pairingRecord: PairingRecord { get set }
    var keys: PairingKeys? { get set }
    var procedure: PairingProcedure? { get set }
}

extension SimulatedPeripheral: PairingPeer {}
extension SimulatedCentral: PairingPeer {}

/// The keys that a pairing has generated.
public struct PairingKeys: Hashable, Sendable {
    /// Whether the keys were generated with LE Secure Connections.
    public let areSecureConnections: Bool
    /// Whether a number was compared or typed.
    public let areAuthenticated: Bool
}
