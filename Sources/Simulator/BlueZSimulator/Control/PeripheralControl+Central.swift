import BlueZJSONLine
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
        case .centralAdvertisements: return try advertisements(central, request)
        case .centralConnect: return try await connect(central, request)
        case .centralDisconnect, .centralVanish:
            let links = central.isConnected ? 1 : 0
            if verb == .centralVanish { central.simulateRangeLoss() } else { central.disconnect() }
            return ["links": .integer(Int64(links))]
        case .centralDiscover: return ["services": .list(try await central.discover().map(Self.response))]
        case .centralRead: return try await read(central, request)
        case .centralWrite: return try await write(central, request)
        case .centralPrepare: return try await prepare(central, request)
        case .centralSubscribe: return try await subscribe(central, request)
        case .centralValues: return try values(central, request)
        case .centralConfirm: central.confirmsIndications = try request.require("on", request.flag("on"))
        case .centralPair: return ["paired": .boolean(try await central.pair())]
        case .centralState:
            return [
                "encrypted": .boolean(central.isEncrypted), "connected": .boolean(central.isConnected),
                "mtu": .integer(central.isConnected ? Int64(central.mtu) : 0),
            ]
        default: throw ControlRefusal("There is no verb \"\(verb.rawValue)\" of the central")
        }
        return [:]
    }

    private func advertisements(_ central: SimulatedCentral, _ request: ControlRequest) throws -> ControlResponse {
        let advertisements = central.advertisements.map { advertisement in
            JSONValue.object([
                "address": .text(advertisement.address), "address_type": .text(advertisement.addressType.rawValue),
                "connectable": .boolean(advertisement.isConnectable),
                "data": .text(String(hexadecimal: advertisement.data)),
                "scan_response": .text(String(hexadecimal: advertisement.scanResponse)),
            ])
        }
        if try request.flag("clear") == true { central.forgetAdvertisements() }
        return ["advertisements": .list(advertisements)]
    }

    private func connect(_ central: SimulatedCentral, _ request: ControlRequest) async throws -> ControlResponse {
        let mtu = UInt16(try request.integer("mtu", 23...517, else: 517))
        return ["mtu": .integer(Int64(try await central.connect(to: request.text("address"), maximumMTU: mtu)))]
    }

    private func read(_ central: SimulatedCentral, _ request: ControlRequest) async throws -> ControlResponse {
        let handle = try await handle(central, request)
        guard try request.flag("long") != true else { return Self.response(try await central.readLong(handle)) }
        return Self.response(try await central.read(handle, offset: Self.offset(request)))
    }

    private func write(_ central: SimulatedCentral, _ request: ControlRequest) async throws -> ControlResponse {
        let handle = try await handle(central, request)
        let value = try request.require("value", request.bytes("value"))
        guard try request.flag("response") == false else {
            return Self.response(try await central.write(value, to: handle), hasValue: false)
        }
        try central.command(value, to: handle)
        return [:]
    }

    private func prepare(_ central: SimulatedCentral, _ request: ControlRequest) async throws -> ControlResponse {
        let parts = try request.require("parts", request.objects("parts")).map { part in
            (offset: try Self.offset(part), value: try part.require("value", part.bytes("value")))
        }
        let handle = try await handle(central, request)
        let result = try await central.prepare(parts, of: handle, executes: request.flag("execute") ?? true)
        return Self.response(result, hasValue: false)
    }

    private func subscribe(_ central: SimulatedCentral, _ request: ControlRequest) async throws -> ControlResponse {
        let kinds: [String: UInt16] = ["off": 0, "notify": 1, "indicate": 2]
        guard let bits = kinds[try request.require("kind", request.text("kind"))] else {
            throw ControlRefusal("\"kind\" is \"notify\", \"indicate\" or \"off\"")
        }
        let characteristic = try await characteristic(central, request)
        return Self.response(try await central.configure(characteristic, bits), hasValue: false)
    }

    private func values(_ central: SimulatedCentral, _ request: ControlRequest) throws -> ControlResponse {
        let values = central.updates.map { update in
            JSONValue.object([
                "char": .text(update.uuid?.fullString ?? String(hexadecimal: update.handle, digits: 4)),
                "value": .text(String(hexadecimal: update.value)),
                "kind": update.isIndication ? "indicate" : "notify",
            ])
        }
        if try request.flag("clear") == true { central.forgetUpdates() }
        return ["values": .list(values)]
    }

    // MARK: Arguments

    /// Returns the handle that is given, or that of the first characteristic with a UUID.
    private func handle(_ central: SimulatedCentral, _ request: ControlRequest) async throws -> UInt16 {
        guard try request.integer("handle") != nil else { return try await characteristic(central, request).handle }
        return UInt16(try request.integer("handle", 1...65535))
    }

    private func characteristic(
        _ central: SimulatedCentral, _ request: ControlRequest
    ) async throws -> CentralCharacteristic {
        let uuid = try request.require("char", request.uuid("char"))
        if central.services.isEmpty { try await central.discover() }
        guard let found = central.characteristic(uuid) else {
            throw ControlRefusal("There is no characteristic \(uuid.fullString)")
        }
        return found
    }

    private static func offset(_ request: ControlRequest) throws -> UInt16 {
        UInt16(try request.integer("offset", 0...65535, else: 0))
    }

    // MARK: Responses

    private static func response(_ result: Result<[UInt8], ATTError>, hasValue: Bool = true) -> ControlResponse {
        switch result {
        case .success(let value): hasValue ? ["value": .text(String(hexadecimal: value))] : [:]
        case .failure(let error): ["att": .integer(Int64(error.rawValue))]
        }
    }

    private static func response(_ service: CentralService) -> JSONValue {
        let characteristics = service.characteristics.map { characteristic in
            let descriptors = characteristic.descriptors.sorted { $0.key < $1.key }
            return JSONValue.object([
                "uuid": .text(characteristic.uuid.fullString), "handle": .integer(Int64(characteristic.handle)),
                "properties": .integer(Int64(characteristic.properties.rawValue & 0xFF)),
                "descriptors": .list(
                    descriptors.map { handle, uuid in
                        .object(["uuid": .text(uuid.fullString), "handle": .integer(Int64(handle))])
                    }),
            ])
        }
        return .object([
            "uuid": .text(service.uuid.fullString), "handle": .integer(Int64(service.handle)),
            "primary": .boolean(service.isPrimary),
            "includes": .list(service.includes.map { .integer(Int64($0)) }),
            "characteristics": .list(characteristics),
        ])
    }
}
