import BlueZSerial
import FoundationEssentials
import TestSupport
import Testing

@Suite(.virtualTime) struct MessageFormTests {
    @Test("Errors of exchanges begin with a capital and have no full stop")
    func exchanges() {
        let refused = ExchangeStartCode.allCases.map(ExchangeError.refused)
        let failed = ExchangeErrorCode.allCases.map { ExchangeError.failed($0, "The reply was damaged") }
        for error in refused + failed {
            #expect(MessageForm.fault(in: error.description) == nil, "\(error)")
        }
    }

    @Test(
        "Errors of framings are such messages",
        arguments: [.garbage, .impossibleLength, .wrongChecksum, .cutOff, .tooLong] as [FramingError.Reason])
    func framings(reason: FramingError.Reason) {
        for count in [1, 20] {
            let error = FramingError(reason, Data(repeating: 0, count: count))
            #expect(MessageForm.fault(in: error.description) == nil, "\(error)")
        }
    }
}
