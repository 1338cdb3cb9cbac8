import BlueZDBus
import BlueZServer
import BlueZSimulator
import TestSupport

/// Notes, from bluetoothd's side, if this program ends a link, an attempt or a pairing that it did not begin.
@SimulatorActor final class LinkJudge {
    private let bluez: SimulatedBlueZ
    private let path: ObjectPath
    /// The unique name of the other program.
    private let other: String
    private var judgedCalls = 0
    private var noted: [FaultFinding] = []
    /// What happened, for whoever reads a failure.
    private var history: [String] = []

    init(_ bluez: SimulatedBlueZ, path: ObjectPath, other: String) {
        self.bluez = bluez
        self.path = path
        self.other = other
        bluez.forgetCalls()
        bluez.keepsCalls = true
    }

    private func name(_ maker: LinkMaker?) -> String {
        switch maker {
        case .client(other, _): "the other program"
        case .client: "this program"
        case .both(other): "the device and the other program"
        case .both: "the device and this program"
        case .device: "the device"
        case nil: "nobody"
        }
    }

    private func isOwn(_ maker: LinkMaker) -> Bool {
        switch maker {
        case .client(let name, _), .both(let name): name != other
        case .device: false
        }
    }

    private func judgeCalls() {
        let calls = bluez.calls.dropFirst(judgedCalls)
        judgedCalls = bluez.calls.count
        for call in calls where call.path == path.string { judge(call) }
    }

    private func judge(_ call: ReceivedCall) {
        guard ["Connect", "Pair", "Disconnect", "CancelPairing"].contains(call.member) else { return }
        let caller = call.sender == other ? "the other program" : "this program"
        history.append("\(call.member) of \(caller), with a link of \(name(call.linkMaker))")
        guard call.sender != other else { return }
        if call.member == "Disconnect", let maker = call.linkMaker, !isOwn(maker) {
            note("ends a link or an attempt of \(name(maker))")
        }
        if call.member == "CancelPairing", call.pairingClient == other { note("ends the other program's pairing") }
    }

    private func note(_ text: String) {
        noted.append(FaultFinding(.received, "this program \(text): \(self.text)"))
    }

    /// Takes note of what a call of the other program has ended with.
    func ended(_ member: String, _ error: DBusError?) {
        judgeCalls()
        history.append("(\(member): \(error?.message ?? "success"))")
    }

    /// How many calls bluetoothd has got from the other program.
    var otherCalls: Int { bluez.calls.count { $0.sender == other } }

    /// Whether there is a link that this program has connected, or an attempt.
    var isInUse: Bool {
        if case .client(let name, isPairing: false) = bluez.linkMaker(at: path) { name != other } else { false }
    }

    /// Whether there is neither a link nor an attempt.
    var isIdle: Bool { bluez.linkMaker(at: path) == nil }

    /// What must not be.
    var findings: [FaultFinding] {
        judgeCalls()
        return noted
    }

    /// What happened.
    var text: String {
        judgeCalls()
        return history.joined(separator: ", ")
    }
}
