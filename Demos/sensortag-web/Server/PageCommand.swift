/// What the page asks for, as the JSON object of a POST to `/command`.
struct PageCommand: Decodable, Equatable, Sendable {
    enum Action: String, Decodable, Sendable {
        case connect
        case disconnect
        case forget
        /// Switches `sensor` as `isOn` says.
        case `switch`
        /// Gives `sensor` a period of so many `milliseconds`.
        case period
        /// Calibrates `sensor`.
        case calibrate
        /// Sets LEDs and buzzer to `outputs`.
        case outputs
        /// Starts or ends the recording as `isOn` says.
        case record
    }

    /// The tag's identifier, as the page has it from the state.
    let tag: String
    let action: Action
    var sensor: String?
    var isOn: Bool?
    var milliseconds: Int?
    var outputs: [Output]?

    enum Output: String, Decodable, Sendable {
        case red
        case green
        case buzzer
    }

    /// No command is longer than this, in bytes.
    static let longest = 1024
}
