import CBlueZDBus
import Glibc

extension Message {
    /// Returns the size of the message that begins with these bytes, or nil if they are fewer than 16.
    ///
    /// - Throws: `DBusError` if no message begins with them.
    package static func size(startingWith bytes: ArraySlice<UInt8>) throws(DBusError) -> Int? {
        let size: Result<Int?, DBusError> = unsafe bytes.withUnsafeBytes { bytes in
            do throws(InvalidMessage) {
                return .success(try MessageValidator.size(unsafe WireBytes(bytes.baseAddress, count: bytes.count)))
            } catch {
                return .failure(Self.invalid(error))
            }
        }
        return try size.get()
    }

    /// Creates a message from its bytes, such as those that pass between two other programs.
    ///
    /// - Parameters:
    ///   - bytes: the whole message, of the size that `size(startingWith:)` returns. They are copied.
    ///   - descriptors: its file descriptors.
    /// - Throws: `DBusError` if the bytes are no valid message, or there is no memory.
    package static func decode(
        _ bytes: ArraySlice<UInt8>, _ descriptors: [UnixFileDescriptor] = []
    ) throws(DBusError) -> Message {
        let copy = unsafe bytes.withUnsafeBytes { unsafe WireBytes($0.baseAddress, count: $0.count).copied() }
        guard let copy = unsafe copy else { throw .noMemory }
        do throws(InvalidMessage) {
            let valid = try unsafe MessageValidator(copy, count: bytes.count).validate()
            let contents = MessageContents(valid, descriptors, nil)
            unsafe contents.own(copy)
            return Message(contents)
        } catch {
            unsafe free(copy)
            throw invalid(error)
        }
    }

    /// The number of file descriptors that the header announces.
    package var descriptorCount: Int { Int(contents.header.descriptorCount) }

    /// The file descriptors of a message that was received or decoded, by the index that the arguments use.
    package var receivedDescriptors: [UnixFileDescriptor] { contents.descriptors }

    private static func invalid(_ error: InvalidMessage) -> DBusError {
        .invalidArguments("This is no D-Bus message: \(error.reason)")
    }
}
