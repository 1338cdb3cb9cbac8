/// What a `request` asks for, such as `read`. A recording can contain words that this version doesn't know.
package struct RecordedOperation: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    private init(_ word: String) { rawValue = word }

    package static let discover = Self("discover")
    package static let stopDiscovery = Self("stopDiscovery")
    package static let filter = Self("filter")
    package static let power = Self("power")
    package static let set = Self("set")
    package static let agent = Self("agent")
    package static let profile = Self("profile")
    package static let connect = Self("connect")
    package static let disconnect = Self("disconnect")
    package static let remove = Self("remove")
    package static let pair = Self("pair")
    package static let cancelPairing = Self("cancelPairing")
    package static let connectProfile = Self("connectProfile")
    package static let disconnectProfile = Self("disconnectProfile")
    package static let mtu = Self("mtu")
    package static let services = Self("services")
    package static let read = Self("read")
    package static let write = Self("write")
    package static let command = Self("command")
    package static let signed = Self("signed")
    package static let reliable = Self("reliable")
    package static let prepare = Self("prepare")
    package static let execute = Self("execute")
    package static let notify = Self("notify")
    package static let stopNotify = Self("stopNotify")
    package static let acquireNotify = Self("acquireNotify")
    package static let acquireWrite = Self("acquireWrite")

    /// Whether it sends a value to an attribute.
    package var isWrite: Bool { [.write, .command, .signed, .reliable, .prepare].contains(self) }

    /// Whether a peripheral doesn't respond to it.
    package var hasNoResponse: Bool { self == .command || self == .signed }
}
