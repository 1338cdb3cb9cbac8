import BlueZDBus
import FoundationEssentials
import Testing

@Suite struct PacketQueueTests {
    private static func pair(packetLimit: Int = 512) throws -> (PacketQueue, PacketSocket) {
        let (mine, theirs) = try PacketSocket.pair()
        return (PacketQueue(mine, packetLimit: packetLimit), theirs)
    }

    private static func all(_ queue: PacketQueue) -> [Data] {
        var packets: [Data] = []
        while let packet = queue.popFirst() { packets.append(packet) }
        return packets
    }

    /// Sizes of packets in the order in which they are sent.
    static let sizes: [[Int]] = [
        [], [0], [1], [512], [0, 0, 1], [1, 0], [Int](repeating: 20, count: 32), [Int](repeating: 20, count: 33),
        [Int](repeating: 20, count: 31) + [0], [Int](repeating: 20, count: 32) + [0, 0], [Int](repeating: 0, count: 64),
        [Int](repeating: 0, count: 40) + [1], (0..<70).map { ($0 * 37) % 513 },
    ]

    private static func packets(_ sizes: [Int]) -> [Data] {
        sizes.enumerated().map { index, size in Data(repeating: UInt8(truncatingIfNeeded: index), count: size) }
    }

    @Test("Packets of every size come in order, empty ones too", arguments: sizes)
    func order(sizes: [Int]) throws {
        let (queue, theirs) = try Self.pair()
        let packets = Self.packets(sizes)
        for packet in packets { #expect(theirs.send([UInt8](packet))) }
        queue.receive(upTo: 1000)
        #expect(queue.count == packets.count)
        #expect(Self.all(queue) == packets)
        #expect(!queue.isAtEnd)
        #expect(queue.count == 0)
    }

    @Test(
        "What was sent before the hang-up comes before the end; only empty packets at the end look like it",
        arguments: sizes)
    func end(sizes: [Int]) throws {
        let (queue, theirs) = try Self.pair()
        var packets = Self.packets(sizes)
        for packet in packets { #expect(theirs.send([UInt8](packet))) }
        theirs.shutDown()
        queue.receive(upTo: 1000)
        #expect(queue.isAtEnd)
        while packets.last?.isEmpty == true { packets.removeLast() }
        var received = Self.all(queue)
        while received.last?.isEmpty == true { received.removeLast() }
        #expect(received == packets)
        queue.receive(upTo: 1000)
        #expect(queue.count == 0)
    }

    @Test("A limit leaves packets in the socket; taking some makes room for them")
    func limit() throws {
        let (queue, theirs) = try Self.pair()
        let packets = Self.packets((0..<150).map { _ in 100 })
        for packet in packets { #expect(theirs.send([UInt8](packet))) }
        queue.receive(upTo: 40)
        #expect(queue.count == 64)
        var received = (0..<60).compactMap { _ in queue.popFirst() }
        queue.receive(upTo: 1000)
        received += Self.all(queue)
        #expect(received == packets)
    }

    @Test("Long packets stay in the socket, too, once many bytes wait")
    func longPackets() throws {
        let (queue, theirs) = try Self.pair(packetLimit: 60_000)
        var sent = 0
        for _ in 0..<200 {
            while theirs.send([UInt8](repeating: 1, count: 60_000)) { sent += 1 }
            queue.receive(upTo: 1000)
        }
        #expect(queue.count < sent)
        #expect(queue.count <= 512 * 1000 / 60_000 + 32)
    }

    @Test("The buffer grows and is used again", arguments: [1, 20, 512])
    func growth(size: Int) throws {
        let (queue, theirs) = try Self.pair()
        var sent = 0
        var received = 0
        for round in 0..<300 {
            let wave = round % 7 == 6 ? 60 : 5
            for _ in 0..<wave {
                #expect(theirs.send([UInt8](repeating: UInt8(truncatingIfNeeded: sent), count: size)))
                sent += 1
            }
            queue.receive(upTo: 10_000)
            for _ in 0..<(round < 150 ? wave / 2 : wave * 2) {
                guard let packet = queue.popFirst() else { break }
                try #require(packet == Data(repeating: UInt8(truncatingIfNeeded: received), count: size))
                received += 1
            }
        }
        #expect(Self.all(queue).count == sent - received)
    }

    @Test("A packet longer than the limit is cut, and what waits can be dropped")
    func cut() throws {
        let (queue, theirs) = try Self.pair(packetLimit: 4)
        #expect(theirs.send([1, 2, 3, 4, 5]))
        #expect(theirs.send([6]))
        queue.receive(upTo: 10)
        #expect(queue.popFirst() == Data([1, 2, 3, 4]))
        queue.removeAll()
        #expect(queue.popFirst() == nil)
        #expect(theirs.send([7]))
        queue.receive(upTo: 10)
        #expect(Self.all(queue) == [Data([7])])
    }
}
