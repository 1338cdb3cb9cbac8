import DBus
import GatewayProtocol
import Testing

@testable import Fleet

@Suite("The errors of requests to gateways")
struct RequestFailureTests {
    private static let noReply = "org.freedesktop.DBus.Error.NoReply"
    private static let failed = "org.bluez.Error.Failed"

    @Test(
        "Each failure has its D-Bus error, and only what may have been carried out is NoReply",
        arguments: [
            (RequestFailure.unsent, failed), (.unknown, noReply), (.lost, failed),
            (.notTaken(BrokerError(.quotaExceeded, "The broker is full")), failed),
            (.refused(GatewayFailure(.instance, text: "")), noReply),
            (.refused(GatewayFailure(.unknown, text: "")), noReply),
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
