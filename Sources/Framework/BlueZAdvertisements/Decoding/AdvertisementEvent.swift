/// Something that happened at a device, such as the press of a button.
///
/// A device sends it several times: see `AdvertisementPart.repeats(_:)`.
public struct AdvertisementEvent: Hashable, Sendable {
    /// Where it happened.
    public enum Kind: String, Sendable {
        /// A button.
        case button
        /// A command to another device, such as a lamp.
        case command
        /// A knob that turns.
        case dimmer
        /// A door.
        case door
        /// A reader of fingerprints.
        case fingerprint
        /// A lock.
        case lock
        /// A detector of motion.
        case motion
        /// A toothbrush.
        case toothbrush
    }

    /// Where it happened.
    public var kind: Kind
    /// What happened, such as "press", "long_press" or "rotate_left". It doesn't change with versions of this library.
    public var action: String
    /// Which of several buttons or knobs it was, from 1.
    public var index: Int
    /// How many steps a knob has turned, or a command asks for.
    public var steps: Int?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - kind: where it happened.
    ///   - action: what happened.
    ///   - index: which of several buttons or knobs it was, from 1.
    ///   - steps: how many steps a knob has turned.
    public init(_ kind: Kind, _ action: String, index: Int = 1, steps: Int? = nil) {
        self.kind = kind
        self.action = action
        self.index = index
        self.steps = steps
    }
}
