/// A cache of the object paths in recent messages. The same few occur again and again, so each is created once and
/// shared.
///
/// A path has two possible slots. If many paths displace others, the cache grows, up to a limit, because a scan may
/// report thousands of devices in turn.
@safe final class PathCache {
    private static let sizes = 1024...8192
    private var paths = [ObjectPath?](repeating: nil, count: sizes.lowerBound)
    /// The number of paths that were displaced at the current size.
    private var displaced = 0

    /// The number of paths that the cache can contain.
    var capacity: Int { paths.count }

    /// Returns the path for the bytes, which have been checked.
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

    /// Stores a path in its first slot. The previous path moves to its second one.
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
