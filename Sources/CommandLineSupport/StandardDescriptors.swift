import Glibc
import SystemPackage

/// The standard input, output and error.
public enum StandardDescriptors {
    /// Takes the numbers of those that are closed, so that no socket or file gets them and with them what was for the
    /// user. Reading and writing go on failing. Call it first of all.
    public static func keepClosed() {
        for (number, mode) in [(0, .writeOnly), (1, .readOnly), (2, .writeOnly)] as [(Int32, FileDescriptor.AccessMode)]
        where fcntl(number, F_GETFD) < 0 {
            // The lowest number that is free: this one.
            _ = try? FileDescriptor.open("/dev/null", mode)
        }
    }
}
