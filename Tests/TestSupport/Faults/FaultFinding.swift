/// Something that must not be, and was.
public struct FaultFinding: Error, CustomStringConvertible, Sendable {
    /// What kind of thing.
    public enum Kind: Sendable {
        /// A completion did not run in time.
        case incomplete
        /// A completion, or a closure for an end, ran more than once.
        case doubled
        /// A sequence, stream or socket outlasted what it was about.
        case endless
        /// Bytes are missing, twice there or out of order, and no error says so.
        case lost
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
        /// An error does not say what happened.
        case misleading
        /// The round itself did not work.
        case round
    }

    /// What it is.
    public let kind: Kind
    /// For whoever reads the failure.
    public let text: String

    /// Makes a finding.
    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// The text.
    public var description: String { text }
}
