/// An error in a text of JSON, with its place.
package struct FileError: Error, Equatable {
    package var line: Int
    /// The keys and indices that lead to the value, separated by dots; empty for the text itself.
    package private(set) var path = ""
    private let text: String

    package init(_ line: Int, _ message: String) {
        self.line = line
        text = message
    }

    /// The path, and what is wrong.
    package var message: String { path.isEmpty ? text : "\(path): \(text)" }

    /// The error of a value that is in another one.
    ///
    /// - Parameter step: the key or the index.
    package func inside(_ step: String) -> FileError {
        var error = self
        error.path = path.isEmpty ? step : "\(step).\(path)"
        return error
    }

    package static func == (left: FileError, right: FileError) -> Bool {
        left.line == right.line && left.message == right.message
    }
}
