import CoreBlueZ

extension BluetoothError.Code {
    /// A scan is under way, and nothing else is done meanwhile; stop it first.
    public static let scanInProgress = Self(rawValue: "scanInProgress")
    /// There is no scan to stop.
    public static let notScanning = Self(rawValue: "notScanning")
    /// The device is connected, or is being connected, already.
    public static let alreadyConnected = Self(rawValue: "alreadyConnected")
    /// No such device was found by a scan.
    public static let deviceUnknown = Self(rawValue: "deviceUnknown")
    /// The last command is being sent still.
    public static let sendInProgress = Self(rawValue: "sendInProgress")
    /// The reply to the last command has not arrived yet.
    public static let waitingForReply = Self(rawValue: "waitingForReply")
    /// There is no data to send.
    public static let emptyData = Self(rawValue: "emptyData")
}
