/// How a peripheral's link stands: what bluetoothd reports of it, and what the program has asked for. `table` is all there
/// is to know of how one follows from another.
enum LinkState: CaseIterable {
    /// There is no link.
    case down
    /// The program connects. No link is reported yet.
    case connecting
    /// The program connects, and a link is reported, but the attempt is not over.
    case arriving
    /// There is a link, made by this program or by another.
    case up
    /// The program has asked to end the link, which is still reported.
    case ending
    /// There is a link that came up when the attempt to make it had been given up. It is being ended; nobody was told of it.
    case abandoned
    /// The program has told bluetoothd that it wants no link. None is reported, but one may still come up.
    case withdrawing

    enum Event: CaseIterable {
        /// An attempt to connect begins, or begins anew.
        case attempt
        /// An attempt has found or made a link.
        case success
        /// The last attempt has failed, and bluetoothd is not connecting any longer.
        case failure
        /// The last attempt was given up while bluetoothd was connecting, and bluetoothd is told.
        case withdrawal
        /// bluetoothd reports a link.
        case link
        /// The link is gone: bluetoothd reports that, or has removed the device, or is gone itself.
        case loss
        /// The program asks bluetoothd to end the link.
        case disconnection
        /// bluetoothd has done that.
        case disconnected
        /// bluetoothd has refused that, or not answered.
        case refusal
        /// The manager has let go of the peripheral.
        case release
    }

    /// The states that each event leads to. States that its line does not name stay as they are.
    static let table: [Event: [LinkState: LinkState]] = [
        .attempt: [.down: .connecting, .withdrawing: .connecting],
        .success: [.down: .up, .connecting: .up, .arriving: .up, .abandoned: .up, .withdrawing: .up],
        .failure: [.connecting: .down, .arriving: .up],
        .withdrawal: [.down: .withdrawing, .connecting: .withdrawing, .arriving: .abandoned],
        .link: [.down: .up, .connecting: .arriving, .withdrawing: .abandoned],
        .loss: [.arriving: .connecting, .up: .down, .ending: .down, .abandoned: .down, .withdrawing: .down],
        .disconnection: [
            .down: .withdrawing, .connecting: .withdrawing, .arriving: .ending, .up: .ending, .abandoned: .ending,
        ],
        .disconnected: [.withdrawing: .down],
        .refusal: [.ending: .up, .abandoned: .up, .withdrawing: .down],
        .release: [
            .connecting: .down, .arriving: .down, .up: .down, .ending: .down, .abandoned: .down, .withdrawing: .down,
        ],
    ]

    func after(_ event: Event) -> LinkState { Self.table[event]?[self] ?? self }

    /// What users see of it.
    var peripheralState: PeripheralState {
        switch self {
        case .down, .withdrawing: .disconnected
        case .connecting, .arriving: .connecting
        case .up: .connected
        case .ending, .abandoned: .disconnecting
        }
    }

    /// Whether users have been told of the link, so that they are told of its end.
    var isKnown: Bool { self == .up || self == .ending }
}
