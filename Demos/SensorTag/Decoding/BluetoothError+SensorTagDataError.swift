import CoreBlueZ

extension BluetoothError {
    /// The error of a value that does not fit its layout: `invalidData`, or `invalidArguments` for a period that is out
    /// of range.
    init(_ error: SensorTagDataError, _ subject: String) {
        let code: Code =
            switch error {
            case .periodOutOfRange: .invalidArguments
            default: .invalidData
            }
        self.init(code, "\(subject): \(error)")
    }
}
