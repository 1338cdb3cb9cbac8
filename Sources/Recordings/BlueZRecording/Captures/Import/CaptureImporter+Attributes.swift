import BlueZValues

/// The Attribute Protocol (Core Specification, volume 3, part F, 3.4).
extension CaptureImporter {
    mutating func handleAttribute(_ key: LinkKey, isReceived: Bool, _ payload: ArraySlice<UInt8>, isWhole: Bool) {
        guard let opcode = payload.first, let device = links[key]?.device else { return }
        let fields = PacketFields(payload.dropFirst())
        switch opcode {
        case 0x1B, 0x1D, 0x23:
            if isWhole { handleValue(device, isServedHere: !isReceived, opcode, fields) }
        case 0x52, 0xD2:
            guard isWhole else { return }
            finishDiscovery(key, isServedHere: isReceived)
            handleCommand(device, isServedHere: isReceived, opcode, fields)
        case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20:
            beginRequest(key, isServedHere: isReceived, opcode, fields, isWhole: isWhole)
        case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21:
            endRequest(key, isServedHere: !isReceived, opcode, isWhole ? fields : nil)
        default: break
        }
    }

    private static func client(_ isServedHere: Bool) -> WritableKeyPath<CapturedLink, CapturedLink.Client> {
        isServedHere ? \.there : \.here
    }

    // MARK: Values and commands

    private mutating func handleValue(
        _ device: BluetoothAddress, isServedHere: Bool, _ opcode: UInt8, _ fields: PacketFields
    ) {
        var fields = fields
        let by: RecordedValue.Way = opcode == 0x1D ? .indication : .notification
        while growth.allows(0), let handle = fields.short() {
            var value = fields.rest
            if opcode == 0x23 {
                guard let length = fields.short() else { return }
                value = fields.rest.prefix(Int(length))
                _ = fields.skip(value.count)
            }
            use(device, handle, isServedHere: isServedHere)
            add(
                .value(
                    RecordedValue(
                        device: device, isServedHere: isServedHere, handle: handle, value: Array(value), by: by)))
            if opcode != 0x23 { return }
        }
    }

    private mutating func handleCommand(
        _ device: BluetoothAddress, isServedHere: Bool, _ opcode: UInt8, _ fields: PacketFields
    ) {
        var fields = fields
        guard let handle = fields.short() else { return }
        use(device, handle, isServedHere: isServedHere)
        var request = RecordedRequest(number: nextNumber(), opcode == 0x52 ? "command" : "signed", device: device)
        request.isServedHere = isServedHere
        request.handle = handle
        // A signature has twelve bytes.
        request.value = Array(opcode == 0x52 ? fields.rest : fields.rest.dropLast(12))
        add(.request(request))
    }

    /// Notes the use of an attribute, and the first one that no discovery has found.
    private mutating func use(_ device: BluetoothAddress, _ handle: UInt16, isServedHere: Bool) {
        var isUnknown = false
        changeDatabase(device, isServedHere: isServedHere) { isUnknown = $0.use(handle) }
        guard isUnknown else { return }
        let owner = isServedHere ? "this side's attributes" : "the device's attributes"
        addNote(
            device, isServedHere ? "unknown database here" : "unknown database",
            """
            The capture contains no discovery of \(owner) before they were used, the first by handle \(handle): \
            whoever asked knew them from earlier
            """)
    }

    // MARK: Requests

    /// Of a request that the capture has only in part, only the numbers in front are known: not what may be cut.
    private mutating func beginRequest(
        _ key: LinkKey, isServedHere: Bool, _ opcode: UInt8, _ fields: PacketFields, isWhole: Bool
    ) {
        let path = Self.client(isServedHere)
        guard let device = links[key]?.device else { return }
        // There is only one at a time: the response to the one before is missing in the capture.
        failRequest(key, isServedHere: isServedHere, .noResponse)
        var fields = fields
        var request = CapturedLink.Request(number: 0, opcode: opcode)
        var recorded = RecordedRequest(number: 0, "read", device: device)
        recorded.isServedHere = isServedHere
        switch opcode {
        case 0x02:
            request.mtu = fields.short() ?? 23
            recorded.operation = "mtu"
            recorded.setting["mtu"] = "\(request.mtu)"
        case 0x04, 0x06, 0x08, 0x10:
            request.start = fields.short() ?? 0
            request.end = fields.short() ?? 0
            if opcode == 0x06 {
                request.type = fields.short().map { BluetoothUUID($0) }
                if isWhole { request.searched = BluetoothUUID(littleEndian: fields.rest) }
            } else if opcode != 0x04, isWhole {
                request.type = BluetoothUUID(littleEndian: fields.rest)
            }
            let declarations = [
                DiscoveredDatabase.primaryService, DiscoveredDatabase.secondaryService, DiscoveredDatabase.include,
                DiscoveredDatabase.characteristic,
            ]
            request.isDiscovery = opcode != 0x08 || request.type.map { declarations.contains($0) } ?? false
            recorded.uuid = request.type
        case 0x0E, 0x20:
            var handles: [UInt16] = []
            while let handle = fields.short() { handles.append(handle) }
            for handle in handles { use(device, handle, isServedHere: isServedHere) }
            if isWhole { recorded.handles = handles }
        case 0x18:
            recorded.operation = "execute"
            recorded.setting["write"] = "\(fields.byte() == 1)"
        default:
            guard let handle = fields.short() else { return }
            use(device, handle, isServedHere: isServedHere)
            request.start = handle
            recorded.handle = handle
            if opcode == 0x0C || opcode == 0x16 { recorded.offset = fields.short() }
            if isWhole, opcode == 0x12 || opcode == 0x16 { recorded.value = Array(fields.rest) }
            if opcode == 0x12 { recorded.operation = "write" }
            if opcode == 0x16 { recorded.operation = "prepare" }
        }
        if request.isDiscovery {
            if links[key]?[keyPath: path].discovery == nil {
                let number = nextNumber()
                var recorded = RecordedRequest(number: number, "services", device: device)
                recorded.isServedHere = isServedHere
                links[key]?[keyPath: path].discovery = number
                beginDiscovery(key, isServedHere: isServedHere)
                add(.request(recorded))
            }
        } else {
            // An MTU is often exchanged in between, and Android and bluetoothd read the Device Name, the Server
            // Supported Features and the Database Hash by their types.
            if opcode != 0x02, opcode != 0x08 { finishDiscovery(key, isServedHere: isServedHere) }
            request.number = nextNumber()
            recorded.number = request.number
            add(.request(recorded))
        }
        links[key]?[keyPath: path].request = request
    }

    /// Ends the request that waits, if this is a response to it. Nil is a response that the capture has only in part.
    private mutating func endRequest(_ key: LinkKey, isServedHere: Bool, _ opcode: UInt8, _ fields: PacketFields?) {
        let path = Self.client(isServedHere)
        guard let link = links[key] else { return }
        guard let request = link[keyPath: path].request, opcode == 0x01 || request.opcode + 1 == opcode else {
            addNote(link.device, "unexpected", "The request of a response is missing, first at packet \(packet.number)")
            return
        }
        guard var fields else { return failRequest(key, isServedHere: isServedHere, .noResponse) }
        if opcode == 0x01 {
            guard fields.byte() == request.opcode, fields.skip(2), let code = fields.byte() else { return }
            failRequest(key, isServedHere: isServedHere, .att(ATTError(rawValue: code)))
            return
        }
        links[key]?[keyPath: path].request = nil
        if request.isDiscovery {
            discovered(key, isServedHere: isServedHere, request, fields)
            return
        }
        var response = RecordedResponse(number: request.number)
        switch opcode {
        case 0x03:
            let mtu = fields.short() ?? 23
            response.mtu = mtu
            add(.response(response))
            add(.mtu(RecordedMTU(device: link.device, mtu: max(23, min(mtu, request.mtu)))))
            return
        case 0x09:
            response.values = []
            let size = Int(fields.byte() ?? 0)
            while size >= 2, var entry = fields.bytes(size).map({ PacketFields($0) }), let handle = entry.short() {
                response.values?.append(RecordedResponse.Value(handle: handle, value: Array(entry.rest)))
            }
        case 0x0B, 0x0D, 0x0F, 0x21: response.value = Array(fields.rest)
        default: break
        }
        add(.response(response))
    }

    /// Ends the request that waits, with an error.
    private mutating func failRequest(_ key: LinkKey, isServedHere: Bool, _ failure: RecordedResponse.Failure) {
        let path = Self.client(isServedHere)
        guard let link = links[key], let request = link[keyPath: path].request else { return }
        links[key]?[keyPath: path].request = nil
        guard request.isDiscovery else {
            add(.response(RecordedResponse(number: request.number, failure: failure)))
            return
        }
        switch failure {
        case .att(.attributeNotFound):
            // There are no more: the discovery covers the rest. A search for one service doesn't.
            if request.opcode != 0x06 {
                changeDatabase(link.device, isServedHere: isServedHere) {
                    $0.cover(request.start, request.end, request.type)
                }
            }
            finishDiscovery(key, isServedHere: isServedHere, ifComplete: true)
        // Some devices have no secondary services, and say so by this error.
        case .att(.unsupportedGroupType) where request.type == DiscoveredDatabase.secondaryService: break
        default: finishDiscovery(key, isServedHere: isServedHere, failure: failure)
        }
    }

    // MARK: Ends

    /// Ends what waits for a response when the link, or the capture, ends.
    mutating func finishRequests(_ key: LinkKey) {
        guard let link = links[key], !link.isClassic else { return }
        for isServedHere in [false, true] {
            failRequest(key, isServedHere: isServedHere, .noResponse)
            finishDiscovery(key, isServedHere: isServedHere)
            record(link.device, isServedHere: isServedHere)
            restoreDatabase(link.device, isServedHere: isServedHere)
        }
    }

    /// Ends a discovery, if one goes on.
    mutating func finishDiscovery(
        _ key: LinkKey, isServedHere: Bool, ifComplete: Bool = false, failure: RecordedResponse.Failure? = nil
    ) {
        let path = Self.client(isServedHere)
        guard let link = links[key], let number = link[keyPath: path].discovery else { return }
        let database = isServedHere ? \CapturedDevice.databaseHere : \CapturedDevice.database
        if ifComplete, devices[link.device]?[keyPath: database].isComplete() != true { return }
        links[key]?[keyPath: path].discovery = nil
        record(link.device, isServedHere: isServedHere)
        add(.response(RecordedResponse(number: number, failure: failure)))
    }

    /// Records the database if it has changed. A large one waits until enough has been read since the last time:
    /// otherwise a few bytes could repeat it.
    private mutating func record(_ device: BluetoothAddress, isServedHere: Bool) {
        let database = isServedHere ? \CapturedDevice.databaseHere : \CapturedDevice.database
        let last = isServedHere ? \CapturedDevice.recordedHere : \CapturedDevice.recorded
        guard let known = devices[device]?[keyPath: database], known.hasChanged else { return }
        guard growth.allows(known.count * RecordedDatabase.bytesPerAttribute) else { return }
        devices[device]?[keyPath: database].hasChanged = false
        guard let recorded = devices[device]?[keyPath: database].recorded(device, isServedHere: isServedHere),
            recorded != devices[device]?[keyPath: last]
        else { return }
        devices[device]?[keyPath: last] = recorded
        add(.database(recorded))
        if known.isFull {
            addNote(device, RecordedNote.dropped, "The database has too many attributes; the last ones are left out")
        }
    }
}

extension RecordedDatabase {
    /// About as many as its line has.
    fileprivate static let bytesPerAttribute = 128
}
