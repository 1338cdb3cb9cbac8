/// The states of a manager.
public enum CBManagerState: Int, Sendable {
    /// The state is not known yet.
    case unknown = 0
    /// bluetoothd or the connection to it was lost. Another state follows within seconds.
    case resetting = 1
    /// bluetoothd is not running, or it has no adapter.
    case unsupported = 2
    /// The policy of the message bus does not let this user access bluetoothd.
    case unauthorized = 3
    /// The adapter is off, or blocked by rfkill.
    case poweredOff = 4
    /// Bluetooth can be used.
    case poweredOn = 5
}

/// The old name of the states.
@available(*, deprecated, renamed: "CBManagerState")
public typealias CBCentralManagerState = CBManagerState

/// Whether the user lets an application use Bluetooth.
public enum CBManagerAuthorization: Int, Sendable {
    /// The user has not been asked.
    case notDetermined = 0
    /// The application may not use Bluetooth, and the user cannot change that.
    case restricted = 1
    /// The user does not let the application use Bluetooth.
    case denied = 2
    /// The application may use Bluetooth.
    case allowedAlways = 3
}

/// The base class of managers.
open class CBManager: NSObject {
    @Locked var currentState = CBManagerState.unknown

    /// The state of the manager. It is `unknown` until the first call of the delegate.
    open var state: CBManagerState { currentState }

    /// Whether the program may use Bluetooth: `denied` if `state` is `unauthorized`, otherwise `allowedAlways`.
    @available(*, deprecated, message: "Use the class's authorization")
    open var authorization: CBManagerAuthorization { state == .unauthorized ? .denied : .allowedAlways }

    /// Whether programs may use Bluetooth: always `allowedAlways`. On Linux the policy of the message bus decides, which
    /// only a manager's `state` shows.
    open class var authorization: CBManagerAuthorization { .allowedAlways }

    /// Creates a manager. Subclasses do the rest.
    public override init() { super.init() }
}
