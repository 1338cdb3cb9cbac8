/// The object paths that messages named most recently. The same few are named again and again: each is then created
/// once, and shared.
///
/// A path has two possible slots. If many paths displace others, the cache grows, up to a limit: a scan may name
/// thousands of devices in turn.
@safe final class PathCache {
    private static let sizes = 1024...8192
    private var paths = [ObjectPath?](repeating: nil, count: sizes.lowerBound)
    /// How many were displaced at the current size.
    private var displaced = 0

    /// How many paths fit.
    var capacity: Int { paths.count }

    /// Returns the path for the bytes, which libdbus has checked.
    func path(_ bytes: UnsafeRawBufferPointer) -> ObjectPath {
        let hash = unsafe ObjectPath.hash(bytes)
        let index = hash & (paths.count - 1)
        if let known = paths[index], known.hash == hash, unsafe known.consists(of: bytes) { return known }
        if let known = paths[index ^ 1], known.hash == hash, unsafe known.consists(of: bytes) { return known }
        let path = unsafe ObjectPath(unchecked: String(decoding: bytes, as: UTF8.self), hash: hash)
        insert(path)
        if displaced >= paths.count, paths.count < Self.sizes.upperBound { grow() }
        return path
    }

    /// Stores a path in its first slot; the previous path moves to the second.
    private func insert(_ path: ObjectPath) {
        let index = path.hash & (paths.count - 1)
        if let earlier = paths[index] {
            if paths[index ^ 1] != nil { displaced += 1 }
            paths[index ^ 1] = earlier
        }
        paths[index] = path
    }

    private func grow() {
        let known = paths.compactMap(\.self)
        paths = [ObjectPath?](repeating: nil, count: 2 * paths.count)
        for path in known { insert(path) }
        displaced = 0
    }
}
