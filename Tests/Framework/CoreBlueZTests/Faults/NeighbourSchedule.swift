import TestSupport

/// What two programs do with one device at the same time.
struct NeighbourSchedule: FaultSchedule {
    /// What this program does. It never asks to end a link of another program.
    enum Own: String, CaseIterable, Sendable {
        case connect, connectBriefly, connectTwice, useConnection, prepareBriefly, keepConnected
        case pair, pairBriefly, endOwnLink, cancelTasks, releaseManager
    }

    /// What the other program calls.
    enum Other: String, CaseIterable, Sendable {
        case connect = "Connect"
        case disconnect = "Disconnect"
        case pair = "Pair"
        case cancelPairing = "CancelPairing"
    }

    enum Step: Hashable, Sendable, CustomStringConvertible {
        case own(Own, milliseconds: Int)
        case other(Other)
        /// The device makes a link by itself, or ends it.
        case deviceConnects, deviceDisconnects
        case pause(milliseconds: Int)

        var description: String {
            switch self {
            case .own(let own, let milliseconds): "\(own), \(milliseconds) ms"
            case .other(let other): "the other program: \(other)"
            case .deviceConnects: "the device connects"
            case .deviceDisconnects: "the device disconnects"
            case .pause(let milliseconds): "pause \(milliseconds) ms"
            }
        }
    }

    let seed: UInt64
    /// How long bluetoothd takes to connect and to disconnect, in milliseconds.
    let connectTime: Int
    let disconnectTime: Int
    var steps: [Step]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        self.seed = seed
        connectTime = Int.random(in: 8...20, using: &random)
        disconnectTime = Int.random(in: 0...4, using: &random)
        let likely: [Other] = Other.allCases + [.connect, .connect, .connect, .disconnect]
        steps = (0..<Int.random(in: 5...40, using: &random)).map { _ in
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                let own = Own.allCases.randomElement(using: &random) ?? .connect
                return .own(own, milliseconds: Int.random(in: 0...25, using: &random))
            case 8..<14: return .other(likely.randomElement(using: &random) ?? .connect)
            case 14: return .deviceDisconnects
            case 15: return .deviceConnects
            default: return .pause(milliseconds: Int.random(in: 0...15, using: &random))
            }
        }
    }

    var description: String {
        let head = "seed \(seed), \(connectTime) ms to connect, \(disconnectTime) ms to disconnect"
        return ([head] + steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }).joined(separator: "\n")
    }
}
