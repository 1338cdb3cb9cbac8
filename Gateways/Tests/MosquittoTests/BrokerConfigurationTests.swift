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
}
