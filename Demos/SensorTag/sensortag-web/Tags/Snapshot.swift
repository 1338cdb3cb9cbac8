/// The state of one tag.
struct TagSnapshot: Encodable, Equatable {
    /// The state of its link.
    enum Link: String, Encodable {
        /// It advertises.
        case seen
        /// It has not advertised for a while.
        case away
        case connecting
        case connected
        case lost
        case ending
    }

    /// One of its sensors.
    struct Sensor: Encodable, Equatable {
        enum Status: String, Encodable {
            case off
            case waiting
            case on
            case failed
        }

        let name: String
        var status = Status.waiting
        /// Why it failed.
        var reason: String?
        /// The period in milliseconds, once it is known.
        var period: Int?
        /// The shortest and the longest period, if there is one to set.
        var shortestPeriod: Int?
        var longestPeriod: Int?
        var canBeCalibrated = false
    }

    /// One line of the device information.
    struct Information: Encodable, Equatable {
        let label: String
        let text: String
    }

    /// The state of a recording.
    struct RecordingState: Encodable, Equatable {
        var isOn: Bool
        var count: Int
        /// The path to download it from.
        var path: String
    }

    let id: String
    var name: String
    var generation: String?
    var firmware: String?
    /// In dBm, of the last advertisement.
    var rssi: Int?
    var link = Link.seen
    /// The reason for which the link was lost or could not be established.
    var reason: String?
    var sensors: [Sensor] = []
    var information: [Information] = []
    /// The outputs that are on; nil for a tag without any.
    var outputs: [String]?
    var recording: RecordingState?
    /// The last message about it.
    var notice: String?
}
