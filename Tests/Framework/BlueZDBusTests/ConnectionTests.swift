import BlueZDBus
import TestSupport
import Testing

@Suite struct ConnectionTests {
    @Test("A call reaches an exported object and its answer comes back")
    func roundTrip() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            let interface = ExportedInterface(
                "org.example.Echo",
                methods: [
                    .init("Echo", input: "ay", output: "ay") { call in
                        call.reply { (writer) throws(DBusError) in
                            var reader = call.reader
                            try writer.append(try reader.readBytes())
                        }
                    }
                ]
            )
            try server.open.export(interface, at: ObjectPath("/echo"))
            let answer = try await client.call(server.name, "/echo", "org.example.Echo", "Echo", [.bytes([1, 2, 3])])
            #expect(answer == [.bytes([1, 2, 3])])
        }
    }
}
