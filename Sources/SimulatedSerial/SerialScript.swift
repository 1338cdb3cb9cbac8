import BlueZSimulator

/// What a simulated serial device answers.
@SimulatorActor public protocol SerialScript: AnyObject {
    /// Takes the bytes of one write, in order, and returns the pieces to be notified now, one notification each.
    func received(_ bytes: [UInt8]) -> [[UInt8]]
}
