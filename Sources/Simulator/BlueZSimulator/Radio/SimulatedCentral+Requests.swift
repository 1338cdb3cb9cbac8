import BlueZServer

/// A service that a central has found.
public struct CentralService: Hashable, Sendable {
    /// The UUID that identifies the kind of service.
    public let uuid: BluetoothUUID
    /// The handle of the service's declaration.
    public let handle: UInt16
    /// Whether it is a primary service.
    public let isPrimary: Bool
    /// The handles of the services that it includes.
    public let includes: [UInt16]
    /// The characteristics, ordered by handle.
    public let characteristics: [CentralCharacteristic]
}

/// A characteristic that a central has found.
public struct CentralCharacteristic: Hashable, Sendable {
    /// The UUID that identifies the kind of characteristic.
    public let uuid: BluetoothUUID
    /// The handle of the value.
    public let handle: UInt16
    /// The operations that it supports.
    public let properties: CharacteristicProperties
    /// The UUIDs of the descriptors by handle.
    public let descriptors: [UInt16: BluetoothUUID]
}

extension SimulatedCentral {
    /// Discovers the services, which are then in `services`.
    @discardableResult
    public func discover() async throws(CentralError) -> [CentralService] {
        guard let server = link?.requests?.responder else { throw .notConnected }
        _ = try await perform { requests, completion in
            requests.send(completion) { _, respond in respond(.success([])) }
        }
        services = server.discovery.services.map(CentralService.init)
        return services
    }

    /// The first characteristic with the UUID that was found.
    public func characteristic(_ uuid: BluetoothUUID) -> CentralCharacteristic? {
        services.lazy.flatMap(\.characteristics).first { $0.uuid == uuid }
    }

    /// Reads an attribute by a read request, or by a read blob request if there is an offset.
    public func read(_ handle: UInt16, offset: UInt16 = 0) async throws(CentralError) -> Result<[UInt8], ATTError> {
        try await perform { $0.read(handle, offset: offset, $1) }
    }

    /// Reads a value of any length, in as many requests as it needs.
    public func readLong(_ handle: UInt16) async throws(CentralError) -> Result<[UInt8], ATTError> {
        try await perform { $0.readLong(handle, offset: 0, $1) }
    }

    /// Writes an attribute by a write request. At most MTU - 3 bytes are sent.
    public func write(_ value: [UInt8], to handle: UInt16) async throws(CentralError) -> Result<[UInt8], ATTError> {
        let value = Array(value.prefix(mtu - 3))
        return try await perform { $0.write(value, to: handle, $1) }
    }

    /// Writes an attribute by a write command, which has no response. At most MTU - 3 bytes are sent.
    public func command(_ value: [UInt8], to handle: UInt16) throws(CentralError) {
        guard let requests = link?.requests else { throw .notConnected }
        requests.command(Array(value.prefix(mtu - 3)), to: handle)
    }

    /// Prepares writes of an attribute, and executes them.
    ///
    /// - Parameters:
    ///   - parts: the parts with their offsets, of at most MTU - 5 bytes each.
    ///   - handle: the handle of the attribute.
    ///   - executes: whether the parts are written after they are prepared.
    /// - Returns: the error of the request that failed.
    public func prepare(
        _ parts: [(offset: UInt16, value: [UInt8])], of handle: UInt16, executes: Bool = true
    ) async throws(CentralError) -> Result<[UInt8], ATTError> {
        try await perform { $0.prepare(parts, of: handle, executes: executes, $1) }
    }

    /// Executes the writes that are prepared, or cancels them.
    public func execute(_ isWritten: Bool) async throws(CentralError) -> Result<[UInt8], ATTError> {
        try await perform { requests, completion in
            requests.send(completion) { server, respond in server.execute(isWritten, respond) }
        }
    }

    /// Writes the client configuration of a characteristic: 1 for notifications, 2 for indications, 0 for none. If it
    /// has no such descriptor, the result is the error 0x0A.
    public func configure(
        _ characteristic: CentralCharacteristic, _ value: UInt16
    ) async throws(CentralError) -> Result<[UInt8], ATTError> {
        let found = characteristic.descriptors.first { $0.value == .clientConfiguration }
        guard let handle = found?.key else { return .failure(.attributeNotFound) }
        return try await write([UInt8(value & 0xFF), UInt8(value >> 8)], to: handle)
    }

    /// Pairs, unless bluetoothd and the central have keys that suffice. The settings are those of `pairing`.
    ///
    /// - Returns: whether the link is now encrypted, and authenticated if `pairing` wants that. False at once if it is
    ///   being paired already.
    @discardableResult
    public func pair() async throws(CentralError) -> Bool {
        guard let link, let host = link.host else { throw .notConnected }
        if isEncrypted, !pairing.wantsAuthentication || link.security >= .authenticated { return true }
        let needsAuthentication = pairing.wantsAuthentication
        return await withCheckedContinuation { continuation in
            // The link may have ended before this is called.
            guard link.isOpen, procedure == nil else { return continuation.resume(returning: false) }
            var continuation: CheckedContinuation<Bool, Never>? = continuation
            let finish: @SimulatorActor (Bool) -> Void = { isPaired in
                continuation?.resume(returning: isPaired)
                continuation = nil
            }
            whenLinkEnds { finish(false) }
            host.secure(needsAuthentication: needsAuthentication, finish)
        }
    }

    /// Enters the passkey, as the central's user does; nil cancels.
    ///
    /// - Returns: false if no passkey was requested.
    @discardableResult
    public func enterPasskey(_ passkey: UInt32?) -> Bool {
        guard let procedure, pairingRecord.isAsked else { return false }
        procedure.enter(passkey)
        return true
    }

    /// Discards the record of what pairing showed to the central's user.
    public func forgetPairingRecord() { pairingRecord = PairingRecord() }

    private func perform(
        _ body: (DatabaseRequests, @escaping DatabaseRequests.ResponseHandler) -> DatabaseRequests.Request
    ) async throws(CentralError) -> ATTResult {
        guard let link, let requests = link.requests else { throw .notConnected }
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<ATTResult, Never>) in
            _ = body(requests) { continuation.resume(returning: $0) }
        }
        guard link.isOpen else { throw .notConnected }
        return result
    }
}

extension CentralService {
    fileprivate init(_ description: ServiceDescription) {
        uuid = description.uuid
        handle = description.handle
        isPrimary = description.isPrimary
        includes = description.includes.map(\.handle)
        characteristics = description.characteristics.map { characteristic in
            CentralCharacteristic(
                uuid: characteristic.uuid, handle: characteristic.valueHandle, properties: characteristic.properties,
                descriptors: Dictionary(
                    characteristic.descriptors.map { ($0.handle, $0.uuid) }, uniquingKeysWith: { first, _ in first }))
        }
    }
}
