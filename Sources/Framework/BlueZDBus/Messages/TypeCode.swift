/// The type codes of the D-Bus specification.
enum TypeCode {
    static let invalid: CInt = 0
    static let byte = code("y")
    static let boolean = code("b")
    static let int16 = code("n")
    static let uint16 = code("q")
    static let int32 = code("i")
    static let uint32 = code("u")
    static let int64 = code("x")
    static let uint64 = code("t")
    static let double = code("d")
    static let string = code("s")
    static let objectPath = code("o")
    static let signature = code("g")
    static let fileDescriptor = code("h")
    static let array = code("a")
    static let variant = code("v")
    static let structure = code("r")
    static let dictionaryEntry = code("e")

    private static func code(_ character: Unicode.Scalar) -> CInt { CInt(character.value) }

    /// A type code as text, for error messages.
    static func name(_ code: CInt) -> String {
        guard code != invalid, let byte = UInt8(exactly: code) else { return "nothing" }
        return "'\(Character(Unicode.Scalar(byte)))'"
    }
}
