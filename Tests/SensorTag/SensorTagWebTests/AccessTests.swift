import Testing

@testable import sensortag_web

@Suite("Requests from elsewhere are refused") struct AccessTests {
    private let access = Access(
        address: "127.0.0.1", port: 8650, otherNames: ["Kitchen.local"], token: "00112233445566778899aabbccddeeff")

    @Test(
        "Only the page's own hosts are served",
        arguments: [
            ("127.0.0.1:8650", true), ("localhost:8650", true), ("LOCALHOST:8650", true), ("kitchen.local:8650", true),
            ("127.0.0.1", false), ("127.0.0.1:80", false), ("evil.example:8650", false), ("evil.example", false),
            ("127.0.0.1:8650.evil.example", false), ("", false), (nil, false),
        ] as [(String?, Bool)])
    func host(_ host: String?, isServed: Bool) {
        let refusal = access.refusal(host: host, origin: nil, token: nil, changes: false)
        #expect(refusal == (isServed ? nil : .wrongHost))
    }

    @Test("A page on all addresses is served under those that --host names, and the refusal says so")
    func everyAddress() {
        let closed = Access(address: "0.0.0.0", port: 8650)
        let open = Access(address: "0.0.0.0", port: 8650, otherNames: ["192.168.1.5"])
        for host in ["localhost:8650", "127.0.0.1:8650"] {
            #expect(closed.refusal(host: host, origin: nil, token: nil, changes: false) == nil)
        }
        let refusal = closed.refusal(host: "192.168.1.5:8650", origin: nil, token: nil, changes: false)
        #expect(refusal?.text.contains("start sensortag web with --host") == true)
        #expect(open.refusal(host: "192.168.1.5:8650", origin: nil, token: nil, changes: false) == nil)
    }

    @Test(
        "A request that another page sends is refused",
        arguments: [
            ("http://127.0.0.1:8650", true), ("http://localhost:8650", true), ("http://LocalHost:8650", true),
            (nil, true), ("http://evil.example", false), ("https://127.0.0.1:8650", false), ("null", false),
            ("http://127.0.0.1:8651", false), ("http://127.0.0.1:8650@evil.example", false),
        ] as [(String?, Bool)])
    func origin(_ origin: String?, isServed: Bool) {
        let refusal = access.refusal(host: "127.0.0.1:8650", origin: origin, token: nil, changes: false)
        #expect(refusal == (isServed ? nil : .wrongOrigin))
    }

    @Test(
        "Changes need the secret, on this machine too",
        arguments: [
            ("00112233445566778899aabbccddeeff", true), ("00112233445566778899aabbccddeefe", false),
            ("00112233445566778899aabbccddeef", false), ("", false), (nil, false),
        ] as [(String?, Bool)])
    func token(_ token: String?, isServed: Bool) {
        let refusal = access.refusal(host: "localhost:8650", origin: nil, token: token, changes: true)
        #expect(refusal == (isServed ? nil : .wrongToken))
    }

    @Test("Port 80 may be left out of Host, as browsers do") func standardPort() {
        let access = Access(address: "192.168.1.5", port: 80)
        for host in ["192.168.1.5", "192.168.1.5:80"] {
            #expect(access.refusal(host: host, origin: nil, token: nil, changes: false) == nil)
        }
        #expect(access.refusal(host: "localhost", origin: nil, token: nil, changes: false) == .wrongHost)
    }

    @Test("Secrets have 128 bits and differ") func newToken() {
        let tokens = (0..<100).map { _ in Access.newToken() }
        #expect(Set(tokens).count == 100)
        #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test(
        "Addresses are four numbers",
        arguments: [
            ("127.0.0.1", true), ("0.0.0.0", true), ("255.255.255.255", true), ("256.0.0.1", false), ("1.2.3", false),
            ("1.2.3.4.5", false), ("1.2.3.", false), ("+1.2.3.4", false), ("localhost", false), ("", false),
            ("::1", false),
        ])
    func address(_ text: String, isAddress: Bool) {
        #expect((IPv4Address(text) != nil) == isAddress)
    }
}
