import BlueZDBus
import GatewayProtocol
import Testing

@testable import Fleet

@Suite("The errors of requests to gateways")
struct RequestFailureTests {
    private static let timeout = "org.freedesktop.DBus.Error.Timeout"
    private static let failed = "org.bluez.Error.Failed"

    @Test(
        "Each failure has its D-Bus error, and only what may have been carried out is a timeout",
        arguments: [
            (RequestFailure.unsent, failed), (.unknown, timeout), (.lost, failed),
            (.notTaken(BrokerError(.quotaExceeded, "The broker is full")), failed),
            (.refused(GatewayFailure(.instance, text: "")), timeout),
            (.refused(GatewayFailure(.unknown, text: "")), timeout),
            (.refused(GatewayFailure(.leased, text: "")), failed),
            (.refused(GatewayFailure(.expired, text: "")), failed), (.refused(GatewayFailure(.busy, text: "")), failed),
            (.refused(GatewayFailure(.notAllowed, text: "")), "org.bluez.Error.NotAuthorized"),
            (
                .refused(GatewayFailure(.bluez, name: "org.bluez.Error.NotPermitted", text: "Read not permitted")),
                "org.bluez.Error.NotPermitted"
            ),
        ])
    func name(failure: RequestFailure, name: String) throws {
        let gateway = try #require(GatewayName("attic"))
        #expect(failure.error(of: .hello, on: gateway).name == name)
    }

    @Test("What bluetoothd said is passed on")
    func text() throws {
        let gateway = try #require(GatewayName("attic"))
        let failure = RequestFailure.refused(
            GatewayFailure(.bluez, name: "org.bluez.Error.NotPermitted", text: "Read not permitted"))
        #expect(failure.error(of: .hello, on: gateway).message == "Read not permitted")
    }
}
