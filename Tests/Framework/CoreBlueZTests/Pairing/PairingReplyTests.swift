import TestSupport
import Testing

@testable import CoreBlueZ

@Suite(.virtualTime) struct PairingReplyTests {
    @Test("The first answer counts, the others do nothing")
    @BluetoothActor func once() {
        var answers: [Int?] = []
        let reply = PairingReply<Int> { answers.append($0) }
        #expect(reply.isPending)
        reply.accept(1)
        reply.accept(2)
        reply.reject()
        #expect(answers == [1] && !reply.isPending)
    }

    @Test("A reply that is released without an answer refuses, once")
    @BluetoothActor func dropped() {
        var answers: [Int?] = []
        do { _ = PairingReply<Int> { answers.append($0) } }
        #expect(answers == [nil])
        do {
            let reply = PairingReply<Int> { answers.append($0) }
            reply.accept(7)
        }
        #expect(answers == [nil, 7])
    }

    @Test("A withdrawn reply reports that once, and no longer answers")
    @BluetoothActor func withdrawn() {
        var answers: [Int?] = []
        var withdrawals = 0
        let reply = PairingReply<Int> { answers.append($0) }
        reply.withdrawHandler = { withdrawals += 1 }
        reply.withdraw()
        reply.withdraw()
        reply.accept(1)
        #expect(answers.isEmpty && withdrawals == 1 && !reply.isPending)
        let answered = PairingReply<Int> { answers.append($0) }
        answered.withdrawHandler = { withdrawals += 1 }
        answered.accept(2)
        answered.withdraw()
        #expect(answers == [2] && withdrawals == 1)
    }
}
