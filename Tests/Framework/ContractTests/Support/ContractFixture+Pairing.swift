import CoreBlueZ
import Testing

extension Probe {
    static let secure = base.replacingShort(with: 0x0020)
    static let paired = base.replacingShort(with: 0x0021)
    static let compared = base.replacingShort(with: 0x0022)
}

/// What the peer's user saw of pairing, and the keys that the peer keeps.
struct PeerPairing {
    let isAsked: Bool
    let shown: Passkey?
    let compared: Passkey?
    let failure: String?
    let bonds: Int
    let isEncrypted: Bool
    let areSecureConnections: Bool
    let isAuthenticated: Bool

    init(_ answer: [String: any Sendable]) {
        func flag(_ name: String) -> Bool { answer[name] as? Int == 1 || answer[name] as? Bool == true }
        func passkey(_ name: String) -> Passkey? {
            (answer[name] as? Int).flatMap { UInt32(exactly: $0) }.flatMap { Passkey($0) }
        }
        isAsked = flag("asked")
        shown = passkey("shown")
        compared = passkey("compared")
        failure = answer["failure"] as? String
        bonds = answer["bonds"] as? Int ?? 0
        isEncrypted = flag("encrypted")
        areSecureConnections = flag("sc")
        isAuthenticated = flag("authenticated")
    }
}

extension ContractFixture {
    /// Sets how the peer pairs from now on.
    func setPairing(_ arguments: [String: any Sendable]) async throws {
        _ = try await ask("pairing", arguments)
    }

    func peerPairing() async throws -> PeerPairing {
        PeerPairing(try await ask("pairing-state"))
    }

    /// Runs a test that pairs by reading, and runs it once more if bluetoothd lost the read.
    ///
    /// If the peer refuses a request before bluetoothd has learned that the socket takes no more, bluetoothd repeats the
    /// request on a socket that already waits for the encryption, and the kernel refuses it (src/shared/att.c:
    /// handle_error_rsp, can_write_data; ENOTCONN). 5.82 then answers ATT error 0x0e at once, and 5.66 after 30 s. Peers
    /// of this lab are quick enough for that, once in sixty reads.
    static func runUnlessReadIsLost(_ body: @BluetoothActor (ContractFixture) async throws -> Void) async throws {
        do {
            try await run(body)
        } catch let error as BluetoothError where error.mayBeLostRead {
            guard try await Side.current.value.isBluetoothd else { throw error }
            try await run(body)
        }
    }

    /// The peer's user types a passkey as soon as the peer asks for it.
    func enterOnPeer(_ passkey: Passkey) async throws {
        try await wait(for: "the peer to ask") { try await peerPairing().isAsked }
        _ = try await ask("enter-passkey", ["passkey": Int(passkey.number)])
    }

    /// The passkey that the peer shows.
    func passkeyOnPeer() async throws -> Passkey {
        try await wait(for: "the peer's passkey") { try await peerPairing().shown != nil }
        return try #require(try await peerPairing().shown)
    }

    /// BlueZ forgets the probe if the two are paired. Before the peer forgets its keys: a link that one end wants
    /// to encrypt with keys that the other no longer has is a trap of its own.
    func forgetProbe() async throws {
        guard let probe = central.retrievePeripheral(withIdentifier: Probe.address), probe.isPaired || probe.isBonded
        else {
            return
        }
        try await central.forgetPeripheral(probe)
    }
}

extension BluetoothError {
    /// See `ContractFixture.runUnlessReadIsLost`.
    var mayBeLostRead: Bool { code == .timedOut || attError == .unlikelyError }
}
