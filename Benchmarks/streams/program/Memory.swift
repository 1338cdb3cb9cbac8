import FoundationEssentials
import Glibc

/// How much memory the process has.
enum Memory {
    /// Now and at most, in words.
    static var description: String {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let lines = status.split(separator: "\n").filter { $0.hasPrefix("VmRSS:") || $0.hasPrefix("VmHWM:") }
        return lines.map { $0.split(whereSeparator: { " \t".contains($0) }).joined(separator: " ") }
            .joined(separator: ", ")
    }
}

/// The standard output.
enum FileHandleOutput {
    /// Lets what was printed be read.
    static func flush() throws {
        guard fflush(nil) == 0 else { throw Transfer.Failure(description: "The output cannot be written") }
    }
}
