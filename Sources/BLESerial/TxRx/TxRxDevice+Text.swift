import CoreBlueZ
import FoundationEssentials
import PrintableText

extension TxRxDevice {
    /// Sends a command as UTF-8, and waits for the reply as text; see `TxRxSession.send(_:completion:)`.
    ///
    /// - Parameters:
    ///   - command: one character or more; the terminator is added.
    ///   - completion: gets the reply, with the device's own terminator. If it is not valid UTF-8, the error is
    ///     `notText`, and has the bytes in hexadecimal; the event `received` has them all. Such a device needs the form
    ///     with `Data`.
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
