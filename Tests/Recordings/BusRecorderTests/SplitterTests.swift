import BlueZDBus
import Testing

@testable import BusRecorder

@Suite struct SplitterTests {
    private static let call = bytes(of: "Hello")

    private static func bytes(of member: String) -> [UInt8] {
        // A method call, as the D-Bus specification lays it out: no body, the fields path, member and destination.
        var fields: [UInt8] = []
        for (code, type, text) in [(1, "o", "/a"), (3, "s", member), (6, "s", "org.bluez")] as [(UInt8, String, String)]
        {
            while fields.count % 8 != 0 { fields.append(0) }
            fields += [code, 1] + Array(type.utf8) + [0, UInt8(text.utf8.count), 0, 0, 0] + Array(text.utf8) + [0]
        }
        var message: [UInt8] =
            [UInt8(ascii: "l"), 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(fields.count), 0, 0, 0] + fields
        while message.count % 8 != 0 { message.append(0) }
        return message
    }

    private static func members(_ splitter: inout MessageSplitter, _ chunks: [[UInt8]]) throws -> [String?] {
        var members: [String?] = []
        for chunk in chunks {
            splitter.append(chunk)
            while let bytes = splitter.next() { members.append(try Message.decode(bytes).member) }
        }
        return members
    }

    @Test("A client's messages follow the line BEGIN, however the bytes are cut", arguments: 1...40)
    func client(_ size: Int) throws {
        let lines = "\0AUTH EXTERNAL 30\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n"
        let all = Array(lines.utf8) + Self.call + Self.bytes(of: "Ping")
        let chunks = stride(from: 0, to: all.count, by: size).map { Array(all[$0..<min($0 + size, all.count)]) }
        var splitter = MessageSplitter(from: .client)
        #expect(try Self.members(&splitter, chunks) == ["Hello", "Ping"])
        #expect(!splitter.isLost && splitter.remainder.isEmpty)
    }

    @Test("The messages of a bus follow its lines, also if the client has sent everything at once", arguments: 1...40)
    func bus(_ size: Int) throws {
        let all = Array("DATA\r\nOK 1234deadbeef\r\nAGREE_UNIX_FD\r\n".utf8) + Self.call + Self.call
        let chunks = stride(from: 0, to: all.count, by: size).map { Array(all[$0..<min($0 + size, all.count)]) }
        var splitter = MessageSplitter(from: .bus)
        #expect(try Self.members(&splitter, chunks) == ["Hello", "Hello"])
    }

    @Test("What is no message is not understood, and not kept")
    func rubbish() throws {
        var splitter = MessageSplitter(from: .client)
        splitter.append(Array("\0AUTH\r\nBEGIN\r\n".utf8) + Self.call + [UInt8](repeating: 0x55, count: 100))
        #expect(splitter.next() != nil)
        #expect(splitter.next() == nil && splitter.isLost)
        let rest = splitter.remainder.count
        splitter.append([1, 2, 3])
        #expect(splitter.next() == nil && splitter.remainder.count == rest)
    }

    @Test("A message of more than 128 MiB is none, and a line has a limit")
    func limits() throws {
        var splitter = MessageSplitter(from: .bus)
        var huge = Self.call
        huge.replaceSubrange(4..<8, with: [0, 0, 0, 0x08])
        splitter.append(huge)
        #expect(splitter.next() == nil && splitter.isLost)
        splitter = MessageSplitter(from: .client)
        splitter.append([UInt8](repeating: 0x41, count: 20_000))
        #expect(splitter.isLost)
    }
}

@Suite struct SerialWindowTests {
    @Test("Each serial is first once, also out of order")
    func once() {
        var window = SerialWindow()
        #expect(
            [5, 3, 5, 4, 3, 70_000, 69_999, 70_000].map { window.insert($0) }
                == [true, true, false, true, false, true, true, false])
    }

    @Test("A serial that is older than the window is not first")
    func old() {
        var window = SerialWindow()
        #expect(window.insert(1) && window.insert(200_000))
        #expect(!window.insert(1) && !window.insert(200_000 - 65_536) && window.insert(200_000 - 65_535))
    }
}

@Suite struct ObjectNameTests {
    @Test("Paths name adapters, devices and attributes")
    func paths() throws {
        let device = "/org/bluez/hci1/dev_BC_6A_29_00_00_01"
        #expect(ObjectName("/org/bluez/hci1")?.adapter == "hci1" && ObjectName("/org/bluez/hci1")?.device == nil)
        let name = try #require(ObjectName(device))
        #expect(name.device?.address.description == "BC:6A:29:00:00:01" && name.attribute == nil)
        #expect(ObjectName(device + "/service000a")?.attribute == .service(10))
        let characteristic = try #require(ObjectName(device + "/service000a/char000b"))
        #expect(characteristic.attribute == .characteristic(11) && characteristic.valueHandle == 12)
        #expect(characteristic.parent == 10)
        let descriptor = try #require(ObjectName(device + "/service000a/char000b/desc000d"))
        #expect(descriptor.attribute == .descriptor(13) && descriptor.valueHandle == 13 && descriptor.parent == 11)
    }

    @Test(
        "Other paths name none of them",
        arguments: [
            "/", "/org/bluez", "/org/bluez/example", "/org/bluez/hci0/dev_12", "/org/bluez/hci0/fd0",
            "/org/bluez/hci0/dev_BC_6A_29_00_00_01/service", "/org/bluez/hci0/dev_BC_6A_29_00_00_01/player0",
            "/org/bluez/hci0/dev_BC_6A_29_00_00_01/service000a/char000b/desc000d/more",
        ])
    func others(_ path: String) {
        #expect(ObjectName(path) == nil)
    }
}
