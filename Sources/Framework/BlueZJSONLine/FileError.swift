/// An error in a text of JSON, with its place.
public struct FileError: Error, Equatable {
    /// The number of the line, from 1 on.
    public var line: Int
    /// The keys and indices that lead to the value, separated by dots; empty for the text itself.
    public private(set) var path = ""
    /// The key that is missing, if one is.
    public private(set) var missing: String?
    private let text: String

    /// Creates an error without a path.
    public init(_ line: Int, _ message: String) {
        self.line = line
        text = message
    }

    /// Creates the error of an object without a key that must be there.
    public init(_ line: Int, missing key: String) {
        self.init(line, "\"\(key)\" is missing")
        missing = key
    }

    /// The path, and what is wrong.
    public var message: String { path.isEmpty ? text : "\(path): \(text)" }

    /// The error of a value that is in another one.
    ///
    /// - Parameter step: the key or the index.
    public func inside(_ step: String) -> FileError {
        var error = self
        error.path = path.isEmpty ? step : "\(step).\(path)"
        return error
    }

    /// Whether line and message are the same.
    public static func == (left: FileError, right: FileError) -> Bool {
        left.line == right.line && left.message == right.message
    }
}
