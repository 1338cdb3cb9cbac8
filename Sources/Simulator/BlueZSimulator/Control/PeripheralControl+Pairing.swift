import BlueZJSONLine

extension PeripheralControl {
    /// Sets the peripheral's behaviour in pairing, from the next attempt on.
    func setPairing(_ request: ControlRequest) throws {
        let name = try request.text("io") ?? PairingBehaviour.InputOutput.none.rawValue
        guard let inputOutput = PairingBehaviour.InputOutput(rawValue: name) else {
            let names = PairingBehaviour.InputOutput.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlRefusal("\"io\" is one of \(names)")
        }
        var behaviour = PairingBehaviour(inputOutput, wantsAuthentication: try request.flag("mitm") ?? false)
        behaviour.accepts = try request.flag("accept") ?? true
        behaviour.confirms = try request.flag("compare") ?? true
        behaviour.hasSecureConnections = try request.flag("sc") ?? true
        behaviour.bonds = try request.flag("bonding") ?? true
        behaviour.passkey = try Self.passkey(request)
        if let central = try pairingCentral(request) {
            central.pairing = behaviour
            return central.forgetPairingRecord()
        }
        let peripheral = try peripheral(request)
        peripheral.pairing = behaviour
        peripheral.forgetPairingRecord()
    }

    /// Makes a peripheral or the central forget its keys.
    func forget(_ request: ControlRequest) throws {
        if let central = try pairingCentral(request) { central.keys = nil } else { try peripheral(request).keys = nil }
    }

    /// Returns the central if the request is about its pairing.
    private func pairingCentral(_ request: ControlRequest) throws -> SimulatedCentral? {
        try request.text("peer") == Self.centralName ? try requireCentral() : nil
    }

    /// Responds with what the peripheral's user saw, and with the keys.
    func pairingState(_ request: ControlRequest) throws -> ControlResponse {
        if let central = try pairingCentral(request) {
            return Self.state(central.pairingRecord, central.keys, isEncrypted: central.isEncrypted)
        }
        let peripheral = try peripheral(request)
        return Self.state(peripheral.pairingRecord, peripheral.keys, isEncrypted: peripheral.isEncrypted)
    }

    private static func state(_ record: PairingRecord, _ keys: PairingKeys?, isEncrypted: Bool) -> ControlResponse {
        var response: ControlResponse = [
            "asked": .boolean(record.isAsked),
            "bonds": .integer(keys == nil ? 0 : 1),
            "encrypted": .boolean(isEncrypted),
            "sc": .boolean(keys?.areSecureConnections ?? false),
            "authenticated": .boolean(keys?.areAuthenticated ?? false),
        ]
        response["shown"] = record.shown.map { .integer(Int64($0)) }
        response["compared"] = record.compared.map { .integer(Int64($0)) }
        response["failure"] = record.failure.map { .text($0) }
        return response
    }

    /// Enters a passkey, as the peripheral's user does, or cancels.
    func enterPasskey(_ request: ControlRequest) throws {
        let passkey = try Self.passkey(request)
        let isEntered = try pairingCentral(request)?.enterPasskey(passkey) ?? peripheral(request).enterPasskey(passkey)
        guard isEntered else {
            throw ControlRefusal("Nobody asks for a passkey")
        }
    }

    /// Returns the passkey, within the same limit as on the other side, where a passkey of zero cannot be set.
    private static func passkey(_ request: ControlRequest) throws -> UInt32? {
        guard let number = try request.integer("passkey") else { return nil }
        guard (1...999_999).contains(number) else {
            throw ControlRefusal("\"passkey\" is a number from 1 to 999999, or null")
        }
        return UInt32(number)
    }
}
