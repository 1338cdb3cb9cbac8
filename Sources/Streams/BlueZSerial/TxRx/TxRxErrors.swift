import CoreBlueZ

extension BluetoothError.Code {
    /// A scan is in progress, and prevents the operation. Stop it first.
    public static let scanInProgress = Self(rawValue: "scanInProgress")
    /// There is no scan to stop.
    public static let notScanning = Self(rawValue: "notScanning")
    /// The device is already connected or being connected.
    public static let alreadyConnected = Self(rawValue: "alreadyConnected")
    /// No scan has found such a device.
    public static let deviceUnknown = Self(rawValue: "deviceUnknown")
    /// The last command is still being sent.
    public static let sendInProgress = Self(rawValue: "sendInProgress")
    /// The reply to the last command has not arrived yet.
    public static let waitingForReply = Self(rawValue: "waitingForReply")
    /// There is no data to send.
    public static let emptyData = Self(rawValue: "emptyData")
    /// A reply is not valid UTF-8, so it cannot be returned as text.
    public static let notText = Self(rawValue: "notText")
}
