import BlueZPrintableText

extension PeripheralControl {
    /// The name of the central among the peers.
    static let centralName = "central"

    func requireCentral() throws -> SimulatedCentral {
        guard let central else { throw ControlRefusal("There is no peer \"\(Self.centralName)\"") }
        return central
    }

    /// Performs a request to the central. An ATT error is part of the response.
    func performCentral(_ verb: ControlVerb, _ request: ControlRequest) async throws -> ControlResponse {
        let central = try requireCentral()
        switch verb {
        case .centralAdvertisements: return advertisements(central, request)
        case .centralConnect: return try await connect(central, request)
        case .centralDisconnect, .centralVanish:
            let links = central.isConnected ? 1 : 0
            if verb == .centralVanish { central.simulateRangeLoss() } else { central.disconnect() }
            return ControlResponse(links: links)
        case .centralDiscover: return ControlResponse(services: try await central.discover().map(Self.response))
        case .centralRead: return try await read(central, request)
        case .centralWrite: return try await write(central, request)
        case .centralPrepare: return try await prepare(central, request)
        case .centralSubscribe: return try await subscribe(central, request)
        case .centralValues: return values(central, request)
        case .centralConfirm: central.confirmsIndications = try Self.require(request.isOn, "on")
        case .centralPair: return ControlResponse(paired: try await central.pair())
        case .centralState:
            let mtu = central.isConnected ? central.mtu : 0
            return ControlResponse(encrypted: central.isEncrypted, mtu: mtu, connected: central.isConnected)
        default: throw ControlRefusal("There is no verb \"\(request.verb)\" of the central")
        }
        return ControlResponse()
    }

    private func advertisements(_ central: SimulatedCentral, _ request: ControlRequest) -> ControlResponse {
        let advertisements = central.advertisements.map { advertisement in
            ControlResponse.Advertisement(
                address: advertisement.address, addressType: advertisement.addressType.rawValue,
                connectable: advertisement.isConnectable, data: String(hexadecimal: advertisement.data),
                scanResponse: String(hexadecimal: advertisement.scanResponse))
        }
        if request.clears == true { central.forgetAdvertisements() }
        return ControlResponse(advertisements: advertisements)
    }

    private func connect(_ central: SimulatedCentral, _ request: ControlRequest) async throws -> ControlResponse {
        let mtu = request.mtu ?? 517
        guard (23...517).contains(mtu) else { throw ControlRefusal("\"mtu\" is a number from 23 to 517") }
        return ControlResponse(mtu: try await central.connect(to: request.address, maximumMTU: UInt16(mtu)))
    }

    private func read(_ central: SimulatedCentral, _ request: ControlRequest) async throws -> ControlResponse {
        let handle = try await handle(central, request)
        guard request.isLong != true else { return Self.response(try await central.readLong(handle)) }
        return Self.response(try await central.read(handle, offset: Self.offset(request.offset)))
    }

    private func write(_ central: SimulatedCentral, _ request: ControlRequest) async throws -> ControlResponse {
        let handle = try await handle(central, request)
        let value = try Self.value(request)
        guard request.wantsResponse == false else {
            return Self.response(try await central.write(value, to: handle), hasValue: false)
        }
        try central.command(value, to: handle)
        return ControlResponse()
    }

    private func prepare(_ central: SimulatedCentral, _ request: ControlRequest) async throws -> ControlResponse {
        let parts = try Self.require(request.parts, "parts").map { part in
            (offset: try Self.offset(part.offset), value: try Self.bytes(part.value))
        }
        let handle = try await handle(central, request)
        let result = try await central.prepare(parts, of: handle, executes: request.executes ?? true)
        return Self.response(result, hasValue: false)
    }

    private func subscribe(_ central: SimulatedCentral, _ request: ControlRequest) async throws -> ControlResponse {
        let kinds: [String: UInt16] = ["off": 0, "notify": 1, "indicate": 2]
        guard let bits = kinds[try Self.require(request.kind, "kind")] else {
            throw ControlRefusal("\"kind\" is \"notify\", \"indicate\" or \"off\"")
        }
        let characteristic = try await characteristic(central, Self.require(request.char, "char"))
        return Self.response(try await central.configure(characteristic, bits), hasValue: false)
    }

    private func values(_ central: SimulatedCentral, _ request: ControlRequest) -> ControlResponse {
        let values = central.updates.map { update in
            ControlResponse.Update(
                char: update.uuid?.fullString ?? String(hexadecimal: update.handle, digits: 4),
                value: String(hexadecimal: update.value), kind: update.isIndication ? "indicate" : "notify")
        }
        if request.clears == true { central.forgetUpdates() }
        return ControlResponse(values: values)
    }

    // MARK: Arguments

    /// Returns the handle that is given, or that of the first characteristic with a UUID.
    private func handle(_ central: SimulatedCentral, _ request: ControlRequest) async throws -> UInt16 {
        guard let number = request.handle else {
            return try await characteristic(central, Self.require(request.char, "char")).handle
        }
        guard let handle = UInt16(exactly: number), handle > 0 else {
            throw ControlRefusal("\"handle\" is a number from 1 to 65535")
        }
        return handle
    }

    private func characteristic(_ central: SimulatedCentral, _ text: String) async throws -> CentralCharacteristic {
        guard let uuid = BluetoothUUID(text) else { throw ControlRefusal("\"\(text)\" is not a UUID") }
        if central.services.isEmpty { try await central.discover() }
        guard let found = central.characteristic(uuid) else {
            throw ControlRefusal("There is no characteristic \(text)")
        }
        return found
    }

    private static func offset(_ number: Int?) throws -> UInt16 {
        guard let offset = UInt16(exactly: number ?? 0) else {
            throw ControlRefusal("\"offset\" is a number from 0 to 65535")
        }
        return offset
    }

    // MARK: Responses

    private static func response(_ result: Result<[UInt8], ATTError>, hasValue: Bool = true) -> ControlResponse {
        switch result {
        case .success(let value): ControlResponse(value: hasValue ? String(hexadecimal: value) : nil)
        case .failure(let error): ControlResponse(att: error.rawValue)
        }
    }

    private static func response(_ service: CentralService) -> ControlResponse.Service {
        ControlResponse.Service(
            uuid: service.uuid.fullString, handle: service.handle, primary: service.isPrimary,
            includes: service.includes,
            characteristics: service.characteristics.map { characteristic in
                ControlResponse.Characteristic(
                    uuid: characteristic.uuid.fullString, handle: characteristic.handle,
                    properties: characteristic.properties.rawValue & 0xFF,
                    descriptors: characteristic.descriptors.sorted { $0.key < $1.key }.map { handle, uuid in
                        ControlResponse.Descriptor(uuid: uuid.fullString, handle: handle)
                    })
            })
    }
}
