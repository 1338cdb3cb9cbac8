import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

/// What became of a payment.
enum PaymentOutcome {
    case charged, notCharged, unknown
}

@BluetoothActor func pay(
    _ payment: Data, query: Data, on terminal: ExchangeTerminal, at address: String,
    outcome: (Data) -> PaymentOutcome
) async throws -> PaymentOutcome {
    if !terminal.isOpen { try await terminal.open(address) }
    guard let exchange = terminal.exchange else { throw ExchangeError.refused(.notOpened) }
    do throws(ExchangeError) {
        return outcome(try await exchange.exchange(payment, timeout: .seconds(60)))
    } catch {
        // It was not sent.
        if case .refused = error { throw error }
    }
    // A separate task, because this one may have been cancelled: a cancelled task cannot ask.
    let asking = Task {
        if !terminal.isOpen { try await terminal.open(address) }
        return try await terminal.exchange?.exchange(query, timeout: .seconds(10))
    }
    let reply = try? await asking.value
    return reply.map(outcome) ?? .unknown
}

extension ExchangeDevices {
    /// What the article shows has the clock that its readers' tests have.
    @Suite(.realTime) struct Article {}
}

extension ExchangeDevices.Article {
    @Suite("A client of a payment terminal") @BluetoothActor struct PaymentTests {
        @Test("The reply decides", arguments: [("APPROVED", PaymentOutcome.charged), ("REFUSED", .notCharged)])
        func reply(text: String, expected: PaymentOutcome) async throws {
            let outcome = try await payAtTerminal { _ in
                ResponseScript([.init(Array("PAY 12.50\n".utf8), [Array("\(text)\n".utf8)])])
            }
            #expect(outcome == expected)
        }

        @Test("If the link is lost before the reply, the client asks about the last payment")
        func lostLink() async throws {
            let outcome = try await payAtTerminal { LinkLosingScript($0) }
            #expect(outcome == .charged)
        }

        /// Pays at a simulated terminal with a script, and returns the outcome that the client reports.
        private func payAtTerminal(
            _ script: @escaping @SimulatorActor (SimulatedPeripheral) -> any SerialScript
        ) async throws -> PaymentOutcome {
            let address = "00:AA:02:00:00:77"
            let (bluez, device) = try await SimulatorActor.run {
                let bluez = try await SimulatedBlueZ(.init(timing: .instant))
                let device = try SimulatedSerialDevice(in: bluez, address: address)
                device.script = script(device.peripheral)
                return (bluez, device)
            }
            defer { withExtendedLifetime((bluez, device)) {} }
            let terminal = ExchangeTerminal(CentralManager(bus: .address(bluez.address)))
            terminal.configuration.framing = TerminatorFraming(Data("\n".utf8))
            return try await pay(
                Data("PAY 12.50".utf8), query: Data("LAST".utf8), on: terminal, at: address,
                outcome: { $0 == Data("APPROVED".utf8) ? .charged : .notCharged })
        }
    }

    /// A terminal that approves each payment, but loses the link before its reply.
    private final class LinkLosingScript: SerialScript {
        private let peripheral: SimulatedPeripheral
        private let last = ResponseScript([.init(Array("LAST\n".utf8), [Array("APPROVED\n".utf8)])])

        init(_ peripheral: SimulatedPeripheral) {
            self.peripheral = peripheral
        }

        func received(_ bytes: [UInt8]) -> [[UInt8]] {
            guard bytes.starts(with: Array("PAY".utf8)) else { return last.received(bytes) }
            peripheral.simulateDisconnection()
            return []
        }
    }
}

extension ExchangeDevices {
    @Suite("A cancelled client of a payment terminal", .virtualTime) @BluetoothActor struct CancelledPaymentTests {
        @Test("After a cancellation, the terminal is asked what became of the payment")
        func cancelled() async throws {
            let simulator = try await SerialSimulator {
                ResponseScript([.init(Array("LAST\n".utf8), [Array("APPROVED\n".utf8)])])
            }
            let terminal = ExchangeTerminal(CentralManager(bus: simulator.bus))
            terminal.configuration.framing = TerminatorFraming(Data("\n".utf8))
            terminal.configuration.lateReplyWindow = .zero
            let paying = Task {
                try await pay(
                    Data("PAY 12.50".utf8), query: Data("LAST".utf8), on: terminal, at: SerialSimulator.address
                ) { $0 == Data("APPROVED".utf8) ? .charged : .notCharged }
            }
            try await eventually("the payment") { await simulator.perform { $0.device.receivedCount > 0 } }
            paying.cancel()
            #expect(try await paying.value == .charged)
        }
    }
}
