import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    /// The probe's sink is the control point, and its confirmations are the responses.
    @Suite(.virtualTime) struct Requests {
        @BluetoothActor private struct ControlPoint {
            let fixture: ContractFixture
            let peripheral: Peripheral
            let point: Characteristic
            let responses: Characteristic

            init(_ fixture: ContractFixture) async throws {
                self.fixture = fixture
                peripheral = try await fixture.connectProbe()
                point = try fixture.characteristic(Probe.sink, of: peripheral)
                responses = try fixture.characteristic(Probe.confirmations, of: peripheral)
            }

            /// A request of one byte. Its response begins with 0x80 and that byte.
            func send(_ code: UInt8, timeout: Duration, to outcome: Once<Result<Data, BluetoothError>>) {
                point.sendRequest(Data([code]), responsesFrom: responses, timeout: timeout) {
                    $0.starts(with: [0x80, code])
                } completion: { response, error in
                    if let response { outcome(.success(response)) }
                    if let error { outcome(.failure(error)) }
                }
            }

            /// Waits until the device has received so many requests.
            func receives(_ count: Int) async throws {
                try await fixture.wait(for: "request \(count)") {
                    try await fixture.log().filter { $0.operation == "write" }.count == count
                }
            }

            func respond(_ value: String) async throws {
                let sent = try await fixture.ask(
                    "notify", ["char": Probe.confirmations.fullString, "value": value])
                #expect(sent["sent"] as? Int == 1)
            }
        }

        @Test("Requests to a control point run one after another, and each gets its own response") func order()
            async throws
        {
            try await ContractFixture.run { fixture in
                let control = try await ControlPoint(fixture)
                let outcomes = (1...3).map { _ in Once<Result<Data, BluetoothError>>() }
                for code in 1...3 { control.send(UInt8(code), timeout: fixture.seconds(20), to: outcomes[code - 1]) }
                for code in 1...3 {
                    try await control.receives(code)
                    // Neither another value nor the response of another request is this one's.
                    try await control.respond("00")
                    try await control.respond("8009")
                    #expect(!outcomes[code - 1].isCalled)
                    try await control.respond("800\(code)01")
                    try await fixture.wait(for: "response \(code)") { outcomes[code - 1].isCalled }
                }
                let responses = try outcomes.map { try $0.only().get() }
                #expect(responses == (1...3).map { Data([0x80, UInt8($0), 1]) })
                #expect(control.responses.isNotifying)
            }
        }

        @Test("A request without a response times out, and the next one is sent") func timeout() async throws {
            try await ContractFixture.run { fixture in
                let control = try await ControlPoint(fixture)
                let (first, second) = (Once<Result<Data, BluetoothError>>(), Once<Result<Data, BluetoothError>>())
                control.send(1, timeout: fixture.seconds(0.5), to: first)
                control.send(2, timeout: fixture.seconds(20), to: second)
                try await fixture.wait(for: "the timeout") { first.isCalled }
                let error = #expect(throws: BluetoothError.self) { try first.only().get() }
                #expect(error?.code == .timedOut)
                try await control.receives(2)
                try await control.respond("8002")
                try await fixture.wait(for: "the second response") { second.isCalled }
                #expect(try second.only().get() == Data([0x80, 2]))
            }
        }

        @Test(
            "A refused request fails with the device's error, and the next one is sent",
            .enabled("needs fail") { try await Side.can("fail") })
        func refusal() async throws {
            try await ContractFixture.run { fixture in
                let control = try await ControlPoint(fixture)
                _ = try await fixture.ask("fail", ["char": Probe.sink.fullString, "op": "write", "att": 0x80])
                let error = await #expect(throws: BluetoothError.self) {
                    _ = try await control.point.sendRequest(Data([1]), responsesFrom: control.responses)
                }
                #expect(error?.attError == ATTError(rawValue: 0x80))
                _ = try await fixture.ask("fail", ["char": Probe.sink.fullString, "op": "write", "att": 0])
                let outcome = Once<Result<Data, BluetoothError>>()
                control.send(2, timeout: fixture.seconds(20), to: outcome)
                try await control.receives(2)
                try await control.respond("8002")
                try await fixture.wait(for: "the response") { outcome.isCalled }
                #expect(try outcome.only().get() == Data([0x80, 2]))
            }
        }

        @Test("The end of the link ends all requests") func linkLoss() async throws {
            try await ContractFixture.run { fixture in
                let control = try await ControlPoint(fixture)
                let outcomes = (1...3).map { _ in Once<Result<Data, BluetoothError>>() }
                for code in 1...3 { control.send(UInt8(code), timeout: fixture.seconds(60), to: outcomes[code - 1]) }
                try await control.receives(1)
                _ = try await fixture.ask("disconnect")
                try await fixture.wait(for: "the ends", within: 30) { outcomes.allSatisfy(\.isCalled) }
                for outcome in outcomes {
                    let error = #expect(throws: BluetoothError.self) { try outcome.only().get() }
                    #expect(error?.code == .disconnected)
                }
            }
        }

        @Test("A cancelled task waits no longer, and the next request is sent") func cancellation() async throws {
            try await ContractFixture.run { fixture in
                let control = try await ControlPoint(fixture)
                let waiting = Task {
                    try await control.point.sendRequest(
                        Data([1]), responsesFrom: control.responses, timeout: fixture.seconds(60))
                }
                try await control.receives(1)
                let next = Once<Result<Data, BluetoothError>>()
                control.send(2, timeout: fixture.seconds(20), to: next)
                waiting.cancel()
                let error = await #expect(throws: BluetoothError.self) { _ = try await waiting.value }
                #expect(error?.code == .cancelled)
                try await control.receives(2)
                try await control.respond("8002")
                try await fixture.wait(for: "the response") { next.isCalled }
                #expect(try next.only().get() == Data([0x80, 2]))
            }
        }
    }
}
