import Testing

@testable import CoreBlueZ

/// Each state of a link and each event: what follows is written down here a second time, in full.
@Suite struct LinkStateTests {
    /// The columns of `expectations`.
    private static let events: [LinkState.Event] = [
        .attempt, .success, .failure, .withdrawal, .link, .loss, .disconnection, .disconnected, .refusal, .release,
    ]

    private static let expectations: [(LinkState, String)] = [
        (.down, "connecting up down withdrawing up down withdrawing down down down"),
        (.connecting, "connecting up down withdrawing arriving connecting withdrawing connecting connecting down"),
        (.arriving, "arriving up up abandoned arriving connecting ending arriving arriving down"),
        (.up, "up up up up up down ending up up down"),
        (.ending, "ending ending ending ending ending down ending ending up down"),
        (.abandoned, "abandoned up abandoned abandoned abandoned down ending abandoned up down"),
        (.withdrawing, "connecting up withdrawing withdrawing abandoned down withdrawing down down down"),
    ]

    @Test("Each event leads from each state to the state of the table", arguments: expectations)
    func table(_ state: LinkState, _ following: String) {
        let results = Self.events.map { "\(state.after($0))" }
        #expect(results == following.split(separator: " ").map(String.init))
        #expect(Self.events.count == LinkState.Event.allCases.count)
        #expect(Self.expectations.count == LinkState.allCases.count)
    }

    /// The states in which bluetoothd reports a link.
    private static let withLink: Set<LinkState> = [.arriving, .up, .ending, .abandoned]

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

    @Test("A link that was reported is known, and its end is reported")
    func known() {
        for state in LinkState.allCases {
            if state.peripheralState == .connected { #expect(state.isKnown) }
            if state.isKnown { #expect(state.after(.loss) == .down) }
        }
    }
}
