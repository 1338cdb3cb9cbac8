import FoundationEssentials
import Glibc
import Testing

@testable import BlueZDBus

/// What arrives at the socket of a connection.
@Suite struct LoaderTests {
    private typealias Generator = FuzzTests.Generator

    @Test("Messages are whole and in order, however the bytes are cut", arguments: 0..<4 as Range<UInt64>)
    func pieces(_ seed: UInt64) throws {
        var generator = Generator(state: seed &+ 21_000)
        let socket = try MessageSocket()
        var sent: [[Value]] = []
        var received: [[Value]] = []
        for _ in 0..<80 {
            let messages = (0...generator.pick(4)).map { _ in generator.arguments() }
            sent += messages
            var bytes = messages.flatMap { values in
                WireEncoder.signal(values, generator.pick(4) == 0 ? .foreign : .native)
            }[...]
            while !bytes.isEmpty {
                let piece = bytes.prefix(1 + generator.pick(generator.pick(2) == 0 ? 40 : 20_000))
                try socket.send(piece)
                bytes = bytes.dropFirst(piece.count)
                try socket.takeAll { message in
                    var reader = message.reader
                    received.append(try reader.readRemainingValues())
                }
            }
        }
        #expect(received.count == sent.count)
        for (left, right) in zip(received, sent) { #expect(Value.areIdentical(left, right)) }
    }

    @Test("What somebody keeps of a message stays as it is")
    func kept() throws {
        let socket = try MessageSocket()
        var messages: [Message] = []
        var readers: [MessageReader] = []
        var texts: [MessageText] = []
        for number in 0..<200 as Range<UInt32> {
            try socket.send(WireEncoder.signal([.uint32(number), .string("number \(number)")], .native)[...])
            try socket.takeAll { message in
                switch number % 4 {
                case 0: messages.append(message)
                case 1: readers.append(message.reader)
                case 2:
                    var reader = message.reader
                    reader.skip()
                    texts.append(try reader.readText())
                default: break
                }
            }
        }
        for (index, message) in messages.enumerated() {
            var reader = message.reader
            let number = try reader.readUInt32()
            #expect(number == UInt32(4 * index) && message.path?.string == "/org/example/object")
        }
        for (index, reader) in readers.enumerated() {
            var reader = reader
            let values = try reader.readRemainingValues()
            #expect(values == [.uint32(UInt32(4 * index + 1)), .string("number \(4 * index + 1)")])
        }
        #expect(texts.map(\.string) == (0..<50).map { "number \(4 * $0 + 2)" })
    }

    @Test(
        "A long message that somebody keeps stays as it is, and what came behind it is not lost",
        arguments: [0, 1, 3, 700])
    func keptLong(behind count: Int) throws {
        let socket = try MessageSocket()
        var kept: [Message] = []
        var numbers: [UInt32] = []
        for round in 0..<6 as Range<UInt8> {
            let size = [300_000, 40_000, 20_000][Int(round) % 3]
            var bytes = WireEncoder.signal([.bytes([UInt8](repeating: round, count: size))], .native)[...]
            for number in 0..<count { bytes += WireEncoder.signal([.uint32(UInt32(number))], .native) }
            while !bytes.isEmpty {
                let piece = bytes.prefix(60_000)
                try socket.send(piece)
                bytes = bytes.dropFirst(piece.count)
                try socket.takeAll { message in
                    var reader = message.reader
                    if let number = try? reader.readUInt32() { numbers.append(number) } else { kept.append(message) }
                }
            }
            #expect(numbers == (0..<UInt32(count)).map { $0 })
            numbers = []
        }
        #expect(kept.count == 6)
        for (round, message) in kept.enumerated() {
            var reader = message.reader
            let bytes = try reader.readBytes()
            #expect(bytes == [UInt8](repeating: UInt8(round), count: [300_000, 40_000, 20_000][round % 3]))
        }
    }

    @Test("Of 10,000 messages with descriptors none gets another's, and none is left open, whatever goes wrong")
    func descriptors() throws {
        var generator = Generator(state: 22_000)
        let files = try (0..<8).map { _ in try Pipe() }
        let identities = files.map { UnixFileDescriptor(owning: fcntl($0.readEnd, F_DUPFD_CLOEXEC, 0)).file }
        let before = try Self.openDescriptors(identities)
        var (received, failures, wrong) = (0, 0, 0)
        var socket = try MessageSocket()
        for number in 0..<10_000 {
            let indices = (0..<generator.pick(4)).map { _ in generator.pick(files.count) }
            let values =
                indices.map { _ in Value.fileDescriptor(UnixFileDescriptor(owning: -1)) } + [.uint32(UInt32(number))]
            // Now and then one claims more than come, fewer, or ends halfway.
            let fault = generator.pick(60)
            let claimed = fault == 0 ? indices.count + 1 : fault == 1 ? max(indices.count - 1, 0) : indices.count
            let bytes = WireEncoder.signal(values, .native, descriptorCount: UInt32(claimed))
            try socket.send(fault == 2 ? bytes.prefix(20) : bytes[...], indices.map { files[$0].readEnd })
            if fault == 2 { socket.end() }
            do {
                try socket.takeAll { message in
                    received += 1
                    var reader = message.reader
                    for index in indices.prefix(claimed) {
                        let descriptor = try reader.readFileDescriptor()
                        let isOpenInChildren = fcntl(descriptor.rawValue, F_GETFD) & FD_CLOEXEC == 0
                        if descriptor.file != identities[index] || isOpenInChildren { wrong += 1 }
                    }
                    if claimed < indices.count, (try? reader.readFileDescriptor()) != nil { wrong += 1 }
                }
            } catch {
                if !(error is InvalidMessage) || fault != 0 { wrong += 1 }
            }
            if fault == 0 || fault == 2 {
                failures += 1
                if fault == 2, !socket.loader.hasEnded { wrong += 1 }
                socket = try MessageSocket()
            }
        }
        #expect(received > 9000 && failures > 200 && wrong == 0, "\(received), \(failures), \(wrong)")
        socket = try MessageSocket()
        #expect(try Self.openDescriptors(identities) == before)
    }

    /// How many descriptors of the process are these files.
    private static func openDescriptors(_ files: [ino_t?]) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
            var status = stat()
            guard let number = CInt(name), unsafe fstat(number, &status) == 0 else { return false }
            return files.contains(status.st_ino)
        }.count
    }

    @Test("A length that nothing follows costs no memory, and a long message only while it arrives")
    func lengths() throws {
        let socket = try MessageSocket()
        let usual = socket.loader.capacity
        var bytes = WireEncoder.signal([.bytes([UInt8](repeating: 7, count: 3_000_000))], .native)[...]
        try socket.send(bytes.prefix(1000))
        try socket.takeAll { _ in Issue.record("The message is not there yet") }
        #expect(socket.loader.capacity == usual)
        bytes = bytes.dropFirst(1000)
        var count = 0
        while !bytes.isEmpty {
            let piece = bytes.prefix(60_000)
            try socket.send(piece)
            bytes = bytes.dropFirst(piece.count)
            try socket.takeAll { message in count = try message.firstBytes().count }
        }
        #expect(count == 3_000_000)
        try socket.send(WireEncoder.signal([.byte(1)], .native)[...])
        try socket.takeAll { _ in count = 0 }
        #expect(count == 0 && socket.loader.capacity == usual)
    }

    @Test(
        "What is no message ends the connection",
        arguments: [
            [UInt8](repeating: 0, count: 16), Array("HTTP/1.1 400 Bad Request\r\n".utf8),
            [0x6C, 4, 0, 1, 0xFF, 0xFF, 0xFF, 0x7F, 1, 0, 0, 0, 0, 0, 0, 0],
            [0x6C, 4, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], [0x6C, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
        ])
    func noMessage(_ bytes: [UInt8]) throws {
        let socket = try MessageSocket()
        try socket.send(WireEncoder.signal([.byte(1)], .native) + bytes[...])
        var count = 0
        #expect(throws: InvalidMessage.self) { try socket.takeAll { _ in count += 1 } }
        #expect(count == 1)
    }
}
