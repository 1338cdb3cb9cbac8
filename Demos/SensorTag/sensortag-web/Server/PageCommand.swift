/// A command of the page, as the JSON object of a POST to `/command`.
struct PageCommand: Decodable, Equatable, Sendable {
    enum Action: String, Decodable, Sendable {
        case connect
        case disconnect
        case forget
        /// Gives the tag a `name`; an empty one restores its own.
        case rename
        /// Switches `sensor` according to `isOn`.
        case `switch`
        /// Gives `sensor` a period of this many `milliseconds`.
        case period
        /// Calibrates `sensor`.
        case calibrate
        /// Sets LEDs and buzzer to `outputs`.
        case outputs
        /// Starts or ends the recording according to `isOn`.
        case record
    }

    /// The tag's identifier, from the state.
    let tag: String
    let action: Action
    var sensor: String?
    var isOn: Bool?
    var milliseconds: Int?
    var outputs: [Output]?
    var name: String?

    enum Output: String, Decodable, Sendable {
        case red
        case green
        case buzzer
    }

    /// The greatest length of a command, in bytes.
    static let longest = 1024
}
