/// Something that must not be, and was.
struct FaultFinding: Error, CustomStringConvertible, Sendable {
    enum Kind: Sendable {
        /// A completion did not run in time.
        case incomplete
        /// A completion, or a closure for an end, ran more than once.
        case doubled
        /// A sequence or socket outlasted what it was about.
        case endless
        /// A subscription that succeeded gets no values.
        case valueless
        /// A write was sent after its operation had ended.
        case sentTooLate
        /// The peripheral received what it should not have, or not what it should have.
        case received
        /// A timeout passed that had not begun: the operation was still waiting.
        case unsentTimeout
        /// Objects, operations or subscriptions are left over.
        case leftOver
        /// Afterwards the peripheral could not be used.
        case unusable
        /// The round itself did not work.
        case round
    }

    let kind: Kind
    let text: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    var description: String { text }
}
