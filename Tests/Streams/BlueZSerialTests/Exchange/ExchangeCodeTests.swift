import BlueZSerial
import TestSupport
import Testing

@Suite("Codes of exchanges", .virtualTime) struct ExchangeCodeTests {
    @Test("Error codes have the numbers of the interface")
    func errorCodes() {
        let numbers: [ExchangeErrorCode: Int] = [
            .decodeFailed: 3, .outOfMemory: 4, .timedOut: 5, .byteFormat: 6, .frameFormat: 7, .unknown: 8, .write: 9,
            .read: 10, .exchangeState: 11, .cancelSucceeded: 12, .cancelFailed: 13, .disconnected: 20,
        ]
        for code in ExchangeErrorCode.allCases { #expect(numbers[code] == code.rawValue) }
        #expect(numbers.count == ExchangeErrorCode.allCases.count)
    }

    @Test("Starting an exchange is answered with the numbers of the interface")
    func startCodes() {
        #expect(ExchangeStartCode.allCases.map(\.rawValue) == [0, -1, -2, -4])
        #expect([ExchangeStartCode.accepted, .notFinished, .notOpened, .noDevice].map(\.rawValue) == [0, -1, -2, -4])
    }

    @Test("Cancelling is answered with the numbers of the interface")
    func cancelCodes() {
        let codes: [ExchangeCancelCode] = [.accepted, .nothingToCancel, .notOpened, .alreadyCancelling, .noDevice]
        #expect(codes.map(\.rawValue) == [0, -1, -2, -3, -4])
    }

    @Test("Opening and searching are answered with the numbers of the interface")
    func openAndSearchCodes() {
        let open: [ExchangeOpenCode] = [.opened, .illegalAddress, .failed, .notSupported, .poweredOff, .unknown]
        #expect(open.map(\.rawValue) == [0, -1, -2, -4, -5, -6])
        let search: [ExchangeSearchCode] = [.begun, .noBluetooth, .poweredOff, .cannotStart]
        #expect(search.map(\.rawValue) == [0, -1, -2, -3])
    }

    @Test(
        "What helps after an error is what the manual says",
        arguments: [
            (3, ExchangeRecovery.sendAgain), (6, .sendAgain), (7, .sendAgain), (11, .sendAgain),
            (4, .closeAndOpenAgain), (8, .closeAndOpenAgain), (9, .openAgain), (10, .openAgain), (20, .openAgain),
            (5, .checkPower), (12, .none), (13, .none),
        ])
    func recovery(number: Int, recovery: ExchangeRecovery) throws {
        let code = try #require(ExchangeErrorCode(rawValue: number))
        #expect(code.recovery == recovery)
        let advice = ExchangeError.failed(code, "It failed").description
        #expect(advice.contains("; ") == (recovery != .none))
    }
}
