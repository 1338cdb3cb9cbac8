import Foundation
import TestSupport
import Testing

typealias Run = ProgramRun

extension ProgramRun {
    /// The built `sensortag`.
    static var executable: String { get throws { try executable("sensortag") } }

    /// Starts `sensortag`.
    convenience init(
        _ arguments: [String],
        environment: [String: String] = [:],
        output: FileHandle? = nil,
        through wrapper: [String] = []
    ) throws {
        try self.init(
            program: "sensortag", arguments, environment: environment, output: output, through: wrapper)
    }
}

extension [Substring] {
    /// The lines as JSON objects.
    func objects() throws -> [[String: Any]] {
        try map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(object as? [String: Any], "\(line)")
        }
    }
}
