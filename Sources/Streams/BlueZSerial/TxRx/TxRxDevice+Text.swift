import CoreBlueZ
import FoundationEssentials

extension TxRxDevice {
    /// Sends a command as UTF-8, and waits for the reply as text. It fails with the codes of
    /// `TxRxSession.send(_:completion:)`, and with `notText` if the reply is not valid UTF-8. The message of that error
    /// contains the bytes in hexadecimal, and the event `received` contains all of them. For such a device, use the
    /// form with `Data`.
    ///
    /// - Parameters:
    ///   - command: one character or more. The terminator is added.
    ///   - completion: gets the reply, including the device's own terminator, or the error.
    public func send(_ command: String, completion: @escaping @BluetoothActor (String?, BluetoothError?) -> Void) {
        send(Data(command.utf8)) { [self] reply, error in
            guard let reply else { return completion(nil, error) }
            do throws(BluetoothError) {
                completion(try text(of: reply), nil)
            } catch {
                completion(nil, error)
            }
        }
    }

    /// Sends a command as UTF-8, and waits for the reply as text; the async form of `send(_:completion:)`.
    public func send(_ command: String) async throws(BluetoothError) -> String {
        try text(of: try await send(Data(command.utf8)))
    }

    private func text(of reply: Data) throws(BluetoothError) -> String {
        if let text = String(validating: reply, as: UTF8.self) { return text }
        let isLong = reply.count > 32
        throw BluetoothError(
            .notText,
            "The reply of \(name) is not UTF-8 text: \(String(hexadecimal: reply.prefix(32)))\(isLong ? "..." : ""); "
                + "send the command as Data")
    }
}
