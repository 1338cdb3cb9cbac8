import Testing

@testable import BlueZDBus

@Suite struct PathCacheTests {
    private static func path(_ cache: PathCache, _ text: [UInt8]) -> ObjectPath {
        unsafe text.withUnsafeBytes { bytes in unsafe cache.path(bytes) }
    }

    private static func hash(_ text: [UInt8]) -> Int {
        unsafe text.withUnsafeBytes { bytes in unsafe ObjectPath.hash(bytes) }
    }

    @Test(
        "Whether a cache keeps all paths or not, each is the path of its text",
        arguments: [(400, 1024), (50_000, 8192)])
    func manyPaths(count: Int, capacity: Int) throws {
        let cache = PathCache()
        let texts = ["/"] + (0..<count).map { "/org/example/device\($0)" } + (0..<100).map { "/a\($0)" }
        for _ in 0..<2 {
            for text in texts {
                let first = Self.path(cache, Array(text.utf8))
                let second = Self.path(cache, Array(text.utf8))
                let path = try ObjectPath(text)
                guard first == path, second == path, first.string == text, first.hashValue == path.hashValue else {
                    Issue.record("\(text) became \(first) and \(second)")
                    return
                }
            }
        }
        #expect(cache.capacity == capacity)
    }

    @Test("Two texts with the same hash are two paths")
    func collision() throws {
        // The first eight bytes change the hash; the next eight, chosen so, change it back. The hash of eight bytes alone
        // begins with another length, which is made up for.
        func begin(_ text: String) -> UInt64 {
            var bytes = Array(text.utf8)
            bytes[0] ^= 8 ^ 16
            return UInt64(truncatingIfNeeded: Self.hash(bytes))
        }
        let first = Array("/aaaaaaa/bbbbbbb".utf8)
        let change = begin("/aaaaaaa") ^ begin("/ccccccc")
        let tail = zip(0..<8, first[8...]).map { $1 ^ UInt8(truncatingIfNeeded: change >> (8 * UInt64($0))) }
        let second = Array("/ccccccc".utf8) + tail
        try #require(Self.hash(first) == Self.hash(second))
        let cache = PathCache()
        for _ in 0..<2 {
            #expect(Self.path(cache, first).string == "/aaaaaaa/bbbbbbb")
            #expect(Self.path(cache, second).string == String(decoding: second, as: UTF8.self))
        }
        #expect(ObjectPath(unchecked: "/a", hash: 1) != ObjectPath(unchecked: "/b", hash: 1))
    }

    @Test("Messages of one connection name the same paths")
    func messages() throws {
        let cache = PathCache()
        for order in WireEncoder.Order.allCases {
            for number in 0..<20 {
                let path = try ObjectPath("/org/example/device\(number)")
                let bytes = WireEncoder.signal([.objectPath(path), .objectPath(.root)], order)
                let message = try #require(Message.received(bytes, paths: cache))
                var reader = message.reader
                let read = try (reader.readObjectPath(), reader.readObjectPath())
                #expect(read == (path, .root))
                #expect(try message.path == ObjectPath("/org/example/object"))
            }
        }
    }
}
