import TestSupport
import Testing

@testable import CoreBlueZ

/// What must hold in every state of a link, whatever happens.
@Suite(.virtualTime) struct LinkStateTests {
    /// The states in which bluetoothd reports a link.
    private static let withLink: Set<LinkState> = [.arriving, .up, .ending, .abandoned]
    /// The states in which the program has told bluetoothd that it wants no link.
    private static let unwanted: Set<LinkState> = [.ending, .abandoned, .withdrawing]

    @Test("A reported link is in every state that follows, and a lost one in none", arguments: LinkState.allCases)
    func truth(_ state: LinkState) {
        #expect(Self.withLink.contains(state.after(.link)))
        #expect(!Self.withLink.contains(state.after(.loss)))
    }

    @Test("What the program asks changes nothing of what bluetoothd reports", arguments: LinkState.allCases)
    func wishes(_ state: LinkState) {
        for event: LinkState.Event in [.attempt, .failure, .withdrawal, .disconnection, .disconnected, .refusal] {
            #expect(Self.withLink.contains(state) == Self.withLink.contains(state.after(event)), "\(event)")
        }
    }

    @Test("What bluetoothd reports changes nothing of what the program wants", arguments: LinkState.allCases)
    func reports(_ state: LinkState) {
        let isConnecting = state.peripheralState == .connecting
        #expect((state.after(.link).peripheralState == .connecting) == isConnecting)
        #expect(Self.unwanted.contains(state.after(.link)) == Self.unwanted.contains(state))
        #expect(state.after(.link).isKnown == (state.isKnown || state == .down))
        #expect(state.after(.loss) == (isConnecting ? .connecting : .down))
    }

    @Test("What happens twice counts once, and a released peripheral is down", arguments: LinkState.allCases)
    func repetition(_ state: LinkState) {
        for event in LinkState.Event.allCases {
            #expect(state.after(event).after(event) == state.after(event), "\(event)")
        }
        #expect(state.after(.release) == .down)
    }

    @Test("An attempt begins without a link only, and is over when it succeeds or fails", arguments: LinkState.allCases)
    func attempts(_ state: LinkState) {
        let hasLink = Self.withLink.contains(state)
        #expect(state.after(.attempt) == (hasLink ? state : .connecting))
        #expect(state.after(.success).isKnown)
        #expect((state.after(.success) == .ending) == (state == .ending))
        let isConnecting = state.peripheralState == .connecting
        #expect(state.after(.failure) == (isConnecting ? (hasLink ? .up : .down) : state))
    }

    @Test("Who wants no link is shown none, and what bluetoothd refuses to end is up", arguments: LinkState.allCases)
    func unwantedLinks(_ state: LinkState) {
        let hasLink = Self.withLink.contains(state)
        #expect(Self.unwanted.contains(state.after(.disconnection)))
        if hasLink { #expect(state.after(.disconnection).isKnown) }
        #expect(Self.unwanted.contains(state.after(.withdrawal)) == (state != .up))
        #expect(state.after(.withdrawal).isKnown == state.isKnown)
        let isUnwanted = Self.unwanted.contains(state)
        #expect(state.after(.refusal) == (isUnwanted ? (hasLink ? .up : .down) : state))
        #expect(state.after(.disconnected) == (isUnwanted && !hasLink ? .down : state))
    }

    @Test("A known link stays as it is until its end is wanted, refused or reported")
    func known() {
        for state in LinkState.allCases {
            if state.peripheralState == .connected { #expect(state.isKnown) }
            guard state.isKnown else { continue }
            for event: LinkState.Event in [.attempt, .success, .failure, .withdrawal, .link, .disconnected] {
                #expect(state.after(event) == state, "\(event)")
            }
            #expect(state.after(.loss) == .down)
        }
    }
}
