import BlueZDBus
import BlueZServer

/// Requests to a peripheral.
typealias PeripheralRequests = ATTRequests<SimulatedPeripheral>

/// A connection between a peripheral and a device of bluetoothd.
@SimulatorActor final class SimulatedLink {
    let peripheral: SimulatedPeripheral
    let mtu: Int
    let medium: RadioMedium
    let requests: PeripheralRequests
    private weak var host: (any LinkHost)?

    init(to peripheral: SimulatedPeripheral, from host: any LinkHost, in medium: RadioMedium) {
        self.peripheral = peripheral
        self.host = host
        self.medium = medium
        mtu = Int(min(max(peripheral.specification.maximumMTU, 23), 517))
        requests = PeripheralRequests(to: peripheral, timeout: medium.timing.attTransaction) { [weak host] in
            host?.linkLost(.local)
        }
        requests.elevation = { [weak self] error, completion in self?.elevate(error, completion) ?? false }
        peripheral.connected(by: self)
    }

    /// Sends a request when all earlier ones have their responses.
    func request(_ completion: @escaping Completion, _ work: @escaping PeripheralRequests.Work)
        -> PeripheralRequests.Request
    {
        requests.send({ result in completion(result.mapError { .attribute($0.rawValue) }) }, work)
    }

    /// Whether the other side no longer receives anything, but the link has not ended yet.
    var isSilent: Bool {
        get { requests.isSilent }
        set { requests.isSilent = newValue }
    }

    private var isReachable: Bool { requests.isOpen && !isSilent }

    /// Whether the device is paired, which encrypts the link.
    var isEncrypted: Bool { host?.isPaired == true }

    /// Whether a number was compared or typed during pairing.
    var isAuthenticated: Bool { isEncrypted && host?.isAuthenticated == true }

    /// Raises the security if an error requires more than the link has, and sends the request again. If pairing fails,
    /// the request never gets a response, and a device that is not paired becomes temporary (seen with bluetoothd 5.66).
    private func elevate(_ error: ATTError, _ completion: @escaping @SimulatorActor (Bool) -> Void) -> Bool {
        guard error.needsMore(than: isAuthenticated ? .authenticated : isEncrypted ? .encrypted : .none) else {
            return false
        }
        host?.secure(needsAuthentication: isEncrypted, completion)
        return true
    }

    /// Handles the peripheral's Security Request.
    func requestSecurity() {
        guard isReachable, !isEncrypted else { return }
        host?.secure(needsAuthentication: false) { _ in }
    }

    /// Delivers a notification or indication.
    func deliver(_ value: [UInt8], from characteristic: SimulatedCharacteristic) {
        guard isReachable else { return }
        host?.received(value, from: characteristic.handle)
    }

    func servicesChanged() {
        guard isReachable else { return }
        host?.servicesChanged(peripheral.discovery)
    }

    /// Loses the link, which bluetoothd notices.
    func drop(_ end: LinkEnd) {
        if requests.isOpen { host?.linkLost(end) }
    }

    /// Ends the link.
    func close() { requests.close { peripheral.disconnected() } }
}

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
