/// The object paths that messages named last. The same few are named again and again: each then is made once, and its parts
/// are shared with whoever keeps it.
@safe final class PathCache {
    private static let size = 1024
    private var paths = [ObjectPath?](repeating: nil, count: size)

    /// The path that the bytes, which libdbus has checked, are.
    func path(_ bytes: UnsafeRawBufferPointer) -> ObjectPath {
        let hash = unsafe ObjectPath.hash(bytes)
        let index = hash & (Self.size - 1)
        if let known = paths[index], known.hash == hash, unsafe known.consists(of: bytes) { return known }
        let path = unsafe ObjectPath(unchecked: String(decoding: bytes, as: UTF8.self), hash: hash)
        paths[index] = path
        return path
    }
}
