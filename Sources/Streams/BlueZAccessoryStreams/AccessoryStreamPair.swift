import BlueZAccessories
import CoreBlueZ
import Foundation

/// The two ends of a session as Foundation streams.
public struct AccessoryStreamPair {
    /// The stream of the bytes that the accessory sends.
    public let input: AccessoryInputStream
    /// The stream of the bytes that are sent to the accessory.
    public let output: AccessoryOutputStream
}

extension AccessoryStreamPair {
    /// Creates streams for a session's ends. Do this once per session. From then on, the streams own the session's
    /// `input` and `output`. They retain the session while they are open, and belong to the thread that creates them.
    ///
    /// - Throws: `busy` if the session already has streams or descriptors, `notConnected` if it is closed.
    public init(_ session: AccessorySession) async throws(BluetoothError) {
        let descriptors = try await session.makeDescriptors()
        self.init(descriptors, of: session)
    }

    /// Creates streams from descriptors of `AccessorySession.makeDescriptors`, and takes these over. For code on the
    /// main actor or any other thread that cannot wait.
    public init(_ descriptors: AccessoryDescriptors, of session: AccessorySession) {
        let keeper = RetainedSession(session: session)
        input = AccessoryInputStream(StreamCore(descriptors.input, .input, keeper))
        output = AccessoryOutputStream(StreamCore(descriptors.output, .output, keeper))
    }
}

/// Retains a session for as long as its streams exist.
struct RetainedSession: Sendable {
    let session: AccessorySession
}
