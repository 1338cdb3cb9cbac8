import BlueZDBus
import Glibc

extension Value {
    /// Whether both would be the same bytes: strings by their UTF-8, numbers by their bits, descriptors by their files.
    func isIdentical(to other: Value) -> Bool {
        switch (self, other) {
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.fileDescriptor(let left), .fileDescriptor(let right)): left.file == right.file
        case (.array(let leftType, let left), .array(let rightType, let right)):
            leftType == rightType && Self.areIdentical(left, right)
        case (.structure(let left), .structure(let right)): Self.areIdentical(left, right)
        case (.variant(let left), .variant(let right)): left.isIdentical(to: right)
        case (.dictionary(_, _, let left), .dictionary(_, _, let right)):
            signature == other.signature && left.count == right.count
                && left.allSatisfy { key, value in right[key]?.isIdentical(to: value) == true }
        default: self == other
        }
    }

    static func areIdentical(_ left: [Value], _ right: [Value]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    }

    /// How many file descriptors there are inside.
    var descriptorCount: Int {
        switch self {
        case .fileDescriptor: 1
        case .array(_, let values), .structure(let values): values.reduce(0) { $0 + $1.descriptorCount }
        case .dictionary(_, _, let entries): entries.values.reduce(0) { $0 + $1.descriptorCount }
        case .variant(let value): value.descriptorCount
        default: 0
        }
    }

    /// Whether there is a dictionary inside, whose order a `Value` does not keep.
    var hasDictionary: Bool {
        switch self {
        case .dictionary: true
        case .array(_, let values), .structure(let values): values.contains(where: \.hasDictionary)
        case .variant(let value): value.hasDictionary
        default: false
        }
    }
}

extension UnixFileDescriptor {
    /// The number of the open file; nil if the descriptor is not open.
    var file: ino_t? {
        var status = stat()
        return unsafe fstat(rawValue, &status) == 0 ? status.st_ino : nil
    }
}
