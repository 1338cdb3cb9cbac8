/// A peripheral's link to whoever uses it: a device of the simulated bluetoothd, or the centrals of a real one.
@SimulatorActor package protocol PeripheralLink: AnyObject {
    /// The ATT MTU in bytes. Notifications have at most 3 bytes less.
    var mtu: Int { get }
    /// Whether the link is encrypted.
    var isEncrypted: Bool { get }
    /// Whether a number was compared or typed during pairing.
    var isAuthenticated: Bool { get }
    /// Whether the other side no longer receives anything, but the link has not ended yet.
    var isSilent: Bool { get set }
    /// Delivers a notification or indication.
    func deliver(_ value: [UInt8], from characteristic: SimulatedCharacteristic)
    /// Handles the peripheral's Security Request.
    func requestSecurity()
    /// Reports that the peripheral has other services.
    func servicesChanged()
    /// Ends the link, or loses it.
    func drop(_ end: LinkEnd)
}

extension SimulatedLink: PeripheralLink {}
