import Glibc
import SystemPackage

/// The standard input, output and error.
public enum StandardDescriptors {
    /// Reserves the numbers of closed standard descriptors, so that no socket or file gets one and receives the user's
    /// output. Reading and writing still fail. Call it before anything else.
    public static func keepClosed() {
        for (number, mode) in [(0, .writeOnly), (1, .readOnly), (2, .writeOnly)] as [(Int32, FileDescriptor.AccessMode)]
        where fcntl(number, F_GETFD) < 0 {
            // Opens the lowest free number, which is this one.
            _ = try? FileDescriptor.open("/dev/null", mode)
        }
    }
}
