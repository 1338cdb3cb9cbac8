/// The limits for what gateways and fleets accept from a broker.
public enum GatewayLimits {
    /// The largest MQTT packet, in bytes. A client announces it as its Maximum Packet Size (MQTT 5, 3.1.2.11.4).
    public static let packet = 256 * 1024
    /// The largest request, in bytes of JSON.
    package static let request = 8 * 1024
    /// The largest advertisement or event, in bytes of JSON.
    package static let report = 8 * 1024
    /// The largest status, in bytes of JSON.
    package static let status = 4 * 1024
    /// The longest attribute value, in bytes (Core Specification, Vol 3, Part F, 3.2.9).
    package static let value = 512
    /// The most bytes of AD structures in an advertisement: a chain of extended advertising PDUs holds 1650 (Core
    /// Specification, Vol 6, Part B, 2.3.4.9).
    package static let advertisement = 1650
    /// The longest name in a message, in bytes of UTF-8: BlueZ's limit (HCI_MAX_NAME_LENGTH).
    package static let name = 248
    /// The number of events that a mailbox holds. Each sender gets a fair share.
    package static let mailboxMessages = 8192
    /// The number of bytes that a mailbox holds. Each sender gets a fair share.
    package static let mailboxBytes = 8 * 1024 * 1024
    /// The number of requests per second that a user may send.
    package static let requestRate = 200.0
    /// The number of requests that a user may send at once.
    package static let requestBurst = 400.0
    /// The number of bytes of a response that counts as one more request.
    package static let responseUnit = 4 * 1024
    /// The number of request identifiers that a gateway remembers. Each user gets a fair share.
    package static let identifiers = 20_000
    /// The number of bytes of responses that a gateway remembers. Each user gets a fair share.
    package static let responseBytes = 32 * 1024 * 1024
    /// The number of users whose state a gateway keeps, which is more than can have leases.
    package static let users = 128
    /// The number of gateways of a fleet. Beyond it, the one that has been offline longest is removed.
    package static let gateways = 2048
    /// The number of bytes of a fleet's devices and attributes in a list of its objects, without the adapters, which
    /// take 2 KiB each. Each gateway gets a fair share. dbus-daemon disconnects clients whose messages are over 32 MiB
    /// (bus/config-parser.c: max_message_size).
    package static let objectBytes = 24 * 1024 * 1024
    /// The number of links that a `renew` request may contain.
    package static let links = 64
    /// The longest time between a request and its deadline. Clients use shorter ones; gateways refuse longer ones.
    package static let deadline: Duration = .seconds(600)
    /// The shortest and the longest lease.
    package static let lease: ClosedRange<Duration> = .seconds(1) ... .seconds(600)
}
