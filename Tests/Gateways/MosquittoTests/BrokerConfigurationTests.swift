import Mosquitto
import Testing

@Suite struct BrokerConfigurationTests {
    @Test(
        "A broker's URL gives host, port and TLS",
        arguments: [
            ("mqtt://broker.local", "broker.local", 1883, false), ("mqtts://broker.local", "broker.local", 8883, true),
            ("mqtt://10.0.0.2:2883/", "10.0.0.2", 2883, false), ("MQTTS://b:1", "b", 1, true),
            ("mqtt://[fd00::1]", "fd00::1", 1883, false), ("mqtts://[::1]:884", "::1", 884, true),
        ] as [(String, String, UInt16, Bool)])
    func valid(url: String, host: String, port: UInt16, usesTLS: Bool) throws {
        let configuration = try #require(BrokerConfiguration(url: url, clientIdentifier: "x"))
        #expect(configuration.host == host)
        #expect(configuration.port == port)
        #expect(configuration.usesTLS == usesTLS)
    }

    @Test(
        "What is no broker's URL is refused",
        arguments: [
            "", "broker.local", "http://broker", "mqtt://", "mqtt://:1883", "mqtt://b:0", "mqtt://b:65536",
            "mqtt://b:x",
            "mqtt://user:secret@b", "mqtt://b/path", "mqtt://[::1", "mqtt://[x]", "mqtt://[::1]1", "mqtt://a b",
            "mqtt://a\nb",
        ])
    func invalid(url: String) {
        #expect(BrokerConfiguration(url: url, clientIdentifier: "x") == nil)
    }

    @Test(
        "A password without TLS is exposed, but not on this machine",
        arguments: [
            ("mqtt://broker.local", true), ("mqtts://broker.local", false), ("mqtt://localhost", false),
            ("mqtt://LOCALHOST:1", false), ("mqtt://127.0.0.1", false), ("mqtt://127.1.2.3", false),
            ("mqtt://[::1]", false), ("mqtt://127.0.0.1.example.org", true), ("mqtt://10.0.0.1", true),
            ("mqtt://127.0.0.x", true),
        ])
    func exposed(url: String, isExposed: Bool) throws {
        var configuration = try #require(BrokerConfiguration(url: url, clientIdentifier: "x"))
        #expect(!configuration.exposesPassword)
        configuration.password = "secret"
        #expect(configuration.exposesPassword == isExposed)
    }
}
