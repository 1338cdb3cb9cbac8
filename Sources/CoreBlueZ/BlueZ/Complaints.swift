import Logging

/// Warns of messages that make no sense: once a minute for each kind and sender, and then with the number of further
/// ones. A sender of one wrong message sends thousands.
@BluetoothActor final class Complaints {
    static let shared = Complaints()

    private struct Kind: Hashable {
        let message: String
        let what: String
        let sender: String
    }

    private let period: Duration
    private let logger: Logger
    private var suppressed: [Kind: Int] = [:]

    init(period: Duration = .seconds(60), logger: Logger = log) {
        self.period = period
        self.logger = logger
    }

    /// - Parameters:
    ///   - message: what is wrong.
    ///   - what: the property or signal that is wrong.
    ///   - sender: the sender of the message.
    func warn(_ message: String, of what: String, from sender: String, _ metadata: @autoclosure () -> Logger.Metadata) {
        let kind = Kind(message: message, what: what, sender: sender)
        if let count = suppressed[kind] { return suppressed[kind] = count + 1 }
        // A sender that invents names must not fill the memory instead of the log.
        guard suppressed.count < 256 else { return }
        suppressed[kind] = 0
        var details = metadata()
        details["what"] = "\(what)"
        details["sender"] = "\(sender)"
        logger.warning("\(message)", metadata: details)
        _ = BluetoothActor.after(period) { [weak self] in self?.sumUp(kind) }
    }

    private func sumUp(_ kind: Kind) {
        guard let count = suppressed.removeValue(forKey: kind), count > 0 else { return }
        logger.warning(
            "\(kind.message), again",
            metadata: ["what": "\(kind.what)", "sender": "\(kind.sender)", "times": "\(count)"])
    }
}
