import CDBus
import Glibc

/// A message's header and arguments as bytes: a copy, so that what becomes of the message changes nothing here.
///
/// Reading them costs a fraction of what libdbus's iterators take, which look every type up anew. libdbus has checked the
/// bytes of what it received.
@safe final class MessageContents {
    let wire: WireBytes
    let header: Header
    /// Where the paths of objects come from; nil makes each anew.
    let paths: PathCache?
    private let bytes: UnsafeMutablePointer<CChar>?
    /// The message, if it has file descriptors: only libdbus can hand them out.
    private let message: OpaquePointer?

    /// What has nothing to read.
    init() {
        unsafe bytes = nil
        unsafe message = nil
        wire = unsafe WireBytes(nil, count: 0)
        header = Header()
        paths = nil
    }

    /// - Returns: nil if there is no memory.
    init?(_ message: OpaquePointer, _ paths: PathCache?) {
        guard let (bytes, count) = unsafe Self.marshal(message) else { return nil }
        unsafe self.bytes = unsafe bytes
        self.paths = paths
        wire = unsafe WireBytes(bytes, count: count)
        header = Header(wire)
        let hasDescriptors = unsafe dbus_message_contains_unix_fds(message) != 0
        unsafe self.message = unsafe hasDescriptors ? dbus_message_ref(message) : nil
    }

    deinit {
        unsafe dbus_free(bytes)
        if let message = unsafe message { unsafe dbus_message_unref(message) }
    }

    /// The bytes in this machine's order. Where a peer has another, an iterator of libdbus turns them.
    private static func marshal(_ message: OpaquePointer) -> (UnsafeMutablePointer<CChar>, Int)? {
        for _ in 0..<2 {
            var bytes: UnsafeMutablePointer<CChar>?
            var count: CInt = 0
            let isMarshalled = unsafe dbus_message_marshal(message, &bytes, &count) != 0
            guard isMarshalled, let bytes = unsafe bytes else { return nil }
            if unsafe WireBytes(bytes, count: Int(count)).byte(at: 0) == WireBytes.nativeOrder {
                return unsafe (bytes, Int(count))
            }
            unsafe dbus_free(bytes)
            var iterator = unsafe DBusMessageIter()
            unsafe dbus_message_iter_init(message, &iterator)
        }
        return nil
    }

    // MARK: Texts

    func string(_ text: WireBytes.Text) -> String {
        unsafe wire.withBytes(text) { bytes in unsafe String(decoding: bytes, as: UTF8.self) }
    }

    func isEqual(_ text: WireBytes.Text, _ other: StaticString) -> Bool {
        guard other.hasPointerRepresentation else { return false }
        return unsafe wire.isEqual(text, other.utf8Start, count: other.utf8CodeUnitCount)
    }

    static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return left.count == 0 }
        return unsafe memcmp(first, second, left.count) == 0
    }

    func isEqual(_ text: WireBytes.Text, _ other: String) -> Bool {
        guard text.count == other.utf8.count else { return false }
        var other = other
        return other.withUTF8 { other in
            guard let start = other.baseAddress else { return true }
            return unsafe wire.isEqual(text, start, count: other.count)
        }
    }

    func objectPath(_ text: WireBytes.Text) -> ObjectPath {
        unsafe wire.withBytes(text) { bytes in
            unsafe paths?.path(bytes) ?? ObjectPath(unchecked: String(decoding: bytes, as: UTF8.self))
        }
    }

    // MARK: File descriptors

    /// Where the arguments first name each descriptor.
    struct DescriptorPlaces {
        /// More than libdbus takes with a message: 1024 by default (DBUS_DEFAULT_MESSAGE_UNIX_FDS).
        private static let limit: UInt32 = 4096
        private var count = 0
        private var known: Set<UInt32> = []
        /// How many `h` are before the first one with a number, and the number; in the order of the arguments.
        fileprivate var places: [(before: Int, index: UInt32)] = []

        /// The next `h` names this descriptor.
        mutating func add(_ index: UInt32) {
            if index < Self.limit, known.insert(index).inserted { places.append((count, index)) }
            count += 1
        }
    }

    /// A duplicate of each file descriptor, by the number by which the arguments name it. They are all found at once: an
    /// array can name one a million times.
    private lazy var descriptors = findDescriptors()

    /// The duplicate of the descriptor with this number; nil if it did not come, or the process has none left.
    func descriptor(_ index: UInt32) -> UnixFileDescriptor? { descriptors[index] }

    private func findDescriptors() -> [UInt32: UnixFileDescriptor] {
        guard let message = unsafe message else { return [:] }
        var found = DescriptorPlaces()
        var reader = MessageReader(self)
        while !reader.isAtEnd { reader.collectDescriptors(&found) }
        var iterator = unsafe DBusMessageIter()
        guard unsafe dbus_message_iter_init(message, &iterator) != 0 else { return [:] }
        var places = found.places[...]
        var passed = 0
        var descriptors: [UInt32: UnixFileDescriptor] = [:]
        unsafe Self.take(&iterator, &places, &passed, &descriptors)
        return descriptors
    }

    /// libdbus hands descriptors out by an iterator only, which does not tell their numbers.
    private static func take(
        _ iterator: inout DBusMessageIter, _ places: inout ArraySlice<(before: Int, index: UInt32)>,
        _ passed: inout Int, _ descriptors: inout [UInt32: UnixFileDescriptor]
    ) {
        repeat {
            guard let next = places.first else { return }
            let type = unsafe dbus_message_iter_get_arg_type(&iterator)
            switch type {
            case TypeCode.invalid: return
            case TypeCode.fileDescriptor:
                if passed == next.before {
                    places.removeFirst()
                    var descriptor: CInt = -1
                    unsafe dbus_message_iter_get_basic(&iterator, &descriptor)
                    if descriptor >= 0 { descriptors[next.index] = UnixFileDescriptor(owning: descriptor) }
                }
                passed += 1
            case TypeCode.array, TypeCode.variant, TypeCode.structure, TypeCode.dictionaryEntry:
                // An array of numbers or text has none, but may have 64 MiB.
                if type == TypeCode.array {
                    let element = unsafe dbus_message_iter_get_element_type(&iterator)
                    if dbus_type_is_basic(element) != 0, element != TypeCode.fileDescriptor { break }
                }
                var inner = unsafe DBusMessageIter()
                unsafe dbus_message_iter_recurse(&iterator, &inner)
                unsafe take(&inner, &places, &passed, &descriptors)
            default: break
            }
        } while unsafe dbus_message_iter_next(&iterator) != 0
    }
}
