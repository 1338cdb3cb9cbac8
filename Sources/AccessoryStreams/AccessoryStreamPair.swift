import Accessories
import CoreBlueZ
import Foundation

/// The two ends of a session as Foundation streams.
public struct AccessoryStreamPair {
    /// What the accessory sends.
    public let input: AccessoryInputStream
    /// What goes to the accessory.
    public let output: AccessoryOutputStream
}

extension AccessoryStreamPair {
    /// Makes streams of a session's ends, once; from then on they own the session's `input` and `output`. They keep the
    /// session while they are open, and belong to the thread that makes them.
    ///
    /// - Throws: `busy` if the session has streams or descriptors already, `notConnected` if it is closed.
    public init(_ session: AccessorySession) async throws(BluetoothError) {
        let descriptors = try await session.makeDescriptors()
        self.init(descriptors, of: session)
    }

    /// Makes streams of descriptors from `AccessorySession.makeDescriptors`, and takes these over. For code on the main
    /// actor or any other thread that cannot wait.
    public init(_ descriptors: AccessoryDescriptors, of session: AccessorySession) {
        let keeper = RetainedSession(session: session)
        input = AccessoryInputStream(StreamCore(descriptors.input, .readable, keeper))
        output = AccessoryOutputStream(StreamCore(descriptors.output, .writable, keeper))
    }
}

/// Keeps a session as long as its streams exist.
struct RetainedSession: Sendable {
    let session: AccessorySession
}
