import CBlueZDBus
import Glibc

/// The bytes of a message in the layout of the D-Bus specification, in this machine's order. All reads are checked
/// against the bounds. `MessageContents` owns the bytes, and does not pass this structure on.
@safe struct WireBytes {
    /// A range of the bytes.
    struct Text {
        var start = 0
        var count = 0
    }

    static let nativeOrder = UInt8(ascii: 1.littleEndian == 1 ? "l" : "B")

    let count: Int
    private let start: UnsafeRawPointer?

    init(_ start: UnsafeRawPointer?, count: Int) {
        unsafe self.start = unsafe start
        self.count = unsafe start == nil ? 0 : count
    }

    /// Returns a number of `T`'s size, or nil outside of the bytes.
    @inline(__always) func load<T: BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T? {
        guard let start = unsafe start, offset >= 0, offset <= count - MemoryLayout<T>.size else { return nil }
        return unsafe start.loadUnaligned(fromByteOffset: offset, as: type)
    }

    /// Returns one byte. Outside of the bytes, it is 0, which is not the code of any type.
    @inline(__always) func byte(at offset: Int) -> UInt8 {
        guard let start = unsafe start, offset >= 0, offset < count else { return 0 }
        return unsafe start.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// Passes the range to `body`, or nothing if it is incomplete.
    @inline(__always) func withBytes<R>(_ text: Text, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        guard let start = unsafe start, text.start >= 0, text.count > 0, text.start <= count - text.count else {
            return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return unsafe body(UnsafeRawBufferPointer(start: start + text.start, count: text.count))
    }

    /// Returns whether the range has these bytes. False if it is incomplete.
    @inline(__always) func isEqual(_ text: Text, _ other: UnsafePointer<UInt8>, count otherCount: Int) -> Bool {
        guard text.count == otherCount else { return false }
        guard text.count > 0 else { return true }
        guard let start = unsafe start, text.start >= 0, text.start <= count - text.count else { return false }
        return unsafe memcmp(start + text.start, other, otherCount) == 0
    }

    func begins(at address: UnsafeRawPointer) -> Bool { unsafe start == address }

    /// Returns a copy of the bytes, which the caller frees with `free`, or nil without memory.
    func copied() -> UnsafeMutableRawPointer? {
        guard let start = unsafe start, let copy = unsafe malloc(max(count, 1)) else { return nil }
        unsafe memcpy(copy, start, count)
        return unsafe copy
    }

    // MARK: Types

    static func alignment(_ type: UInt8) -> Int {
        switch type {
        case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
        default: 4
        }
    }

    @inline(__always) static func align(_ offset: Int, to alignment: Int) -> Int {
        (offset + alignment - 1) & ~(alignment - 1)
    }

    /// Returns whether a structure or an entry of a dictionary ends here.
    @inline(__always) func isEndOfGroup(at position: Int) -> Bool {
        let code = byte(at: position)
        return code == UInt8(ascii: ")") || code == UInt8(ascii: "}")
    }

    /// Returns the end of the complete type that begins here.
    func endOfType(at position: Int) -> Int {
        var position = position
        var depth = 0
        while position < count {
            switch byte(at: position) {
            case UInt8(ascii: "a"):
                position += 1
                continue
            case UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            position += 1
            if depth <= 0 { break }
        }
        return position
    }

    // MARK: Values

    /// Returns the text of a string or path, or nil if it is incomplete.
    @inline(__always) func text(at offset: Int) -> Text? {
        let start = Self.align(offset, to: 4) + 4
        guard let size = load(UInt32.self, at: start - 4), start + Int(size) < count else { return nil }
        return Text(start: start, count: Int(size))
    }

    /// Returns the text of a string or path, and its end. If it is incomplete, returns nil and the end of all bytes.
    @inline(__always) func text(at offset: Int, _ end: inout Int) -> Text? {
        let text = text(at: offset)
        end = text.map { $0.start + $0.count + 1 } ?? count
        return text
    }

    /// Returns the text of a signature, or nil if it is incomplete.
    @inline(__always) func signature(at offset: Int) -> Text? {
        guard let size = load(UInt8.self, at: offset), offset + 1 + Int(size) < count else { return nil }
        return Text(start: offset + 1, count: Int(size))
    }

    /// Returns the range of an array's elements, or nil if it is incomplete.
    @inline(__always) func elements(at offset: Int, type: UInt8) -> Text? {
        let start = Self.align(offset, to: 4) + 4
        guard let size = load(UInt32.self, at: start - 4) else { return nil }
        let elements = Text(start: Self.align(start, to: Self.alignment(type)), count: Int(size))
        return elements.start + elements.count <= count ? elements : nil
    }

    /// Returns the end of the value that begins, after its padding, at the offset, or nil if it is incomplete.
    ///
    /// - Parameter type: the position of its type.
    func endOfValue(type: Int, at offset: Int) -> Int? {
        let code = byte(at: type)
        switch code {
        case UInt8(ascii: "s"), UInt8(ascii: "o"): return text(at: offset).map { $0.start + $0.count + 1 }
        case UInt8(ascii: "g"): return signature(at: offset).map { $0.start + $0.count + 1 }
        case UInt8(ascii: "a"): return elements(at: offset, type: byte(at: type + 1)).map { $0.start + $0.count }
        case UInt8(ascii: "v"):
            return signature(at: offset).flatMap { endOfValue(type: $0.start, at: $0.start + $0.count + 1) }
        case UInt8(ascii: "("), UInt8(ascii: "{"):
            var (field, end) = (type + 1, Self.align(offset, to: 8))
            while field < count, !isEndOfGroup(at: field) {
                guard let next = endOfValue(type: field, at: end) else { return nil }
                (field, end) = (endOfType(at: field), next)
            }
            return end
        case UInt8(ascii: "y"): return offset < count ? offset + 1 : nil
        case UInt8(ascii: "b"), UInt8(ascii: "n"), UInt8(ascii: "q"), UInt8(ascii: "i"), UInt8(ascii: "u"),
            UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "h"):
            let size = Self.alignment(code)
            let end = Self.align(offset, to: size) + size
            return end <= count ? end : nil
        default: return nil
        }
    }
}
