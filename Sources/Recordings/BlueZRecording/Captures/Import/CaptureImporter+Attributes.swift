import BlueZValues

/// The Attribute Protocol (Core Specification, volume 3, part F, 3.4).
extension CaptureImporter {
    mutating func handleAttribute(_ key: LinkKey, isReceived: Bool, _ payload: ArraySlice<UInt8>, isWhole: Bool) {
        guard let opcode = payload.first.flatMap(ATTOpcode.init), let device = links[key]?.device else { return }
        let fields = PacketFields(payload.dropFirst())
        switch opcode.role {
        case .value:
            if isWhole { handleValue(device, isServedHere: !isReceived, opcode, fields) }
        case .command:
            guard isWhole else { return }
            finishDiscovery(key, isServedHere: isReceived)
            handleCommand(device, isServedHere: isReceived, opcode, fields)
        case .request: beginRequest(key, isServedHere: isReceived, opcode, fields, isWhole: isWhole)
        case .response: endRequest(key, isServedHere: !isReceived, opcode, isWhole ? fields : nil)
        }
    }

    private static func client(_ isServedHere: Bool) -> WritableKeyPath<CapturedLink, CapturedLink.Client> {
        isServedHere ? \.there : \.here
    }

    // MARK: Values and commands

    private mutating func handleValue(
        _ device: BluetoothAddress, isServedHere: Bool, _ opcode: ATTOpcode, _ fields: PacketFields
    ) {
        var fields = fields
        let by: RecordedValue.Way = opcode == .indication ? .indication : .notification
        while growth.allows(0), let handle = fields.short() {
            var value = fields.rest
            if opcode == .multipleNotifications {
                guard let length = fields.short() else { return }
                value = fields.rest.prefix(Int(length))
                _ = fields.skip(value.count)
            }
            use(device, handle, isServedHere: isServedHere)
            add(
                .value(
                    RecordedValue(
                        device: device, isServedHere: isServedHere, handle: handle, value: Array(value), by: by)))
            if opcode != .multipleNotifications { return }
        }
    }

    private mutating func handleCommand(
        _ device: BluetoothAddress, isServedHere: Bool, _ opcode: ATTOpcode, _ fields: PacketFields
    ) {
        var fields = fields
        guard let handle = fields.short() else { return }
        use(device, handle, isServedHere: isServedHere)
        let operation: RecordedOperation = opcode == .writeCommand ? .command : .signed
        var request = RecordedRequest(number: nextNumber(), operation, device: device)
        request.isServedHere = isServedHere
        request.handle = handle
        // A signature has twelve bytes.
        request.value = Array(opcode == .writeCommand ? fields.rest : fields.rest.dropLast(12))
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

    private mutating func beginRequest(
        _ key: LinkKey, isServedHere: Bool, _ opcode: ATTOpcode, _ fields: PacketFields, isWhole: Bool
    ) {
        let path = Self.client(isServedHere)
        guard let device = links[key]?.device else { return }
        // There is only one at a time: the response to the one before is missing in the capture.
        failRequest(key, isServedHere: isServedHere, .noResponse)
        guard let read = ATTRequest(opcode, fields, isWhole: isWhole, device: device) else { return }
        for handle in read.handles { use(device, handle, isServedHere: isServedHere) }
        var (request, recorded) = (read.request, read.recorded)
        recorded.isServedHere = isServedHere
        if request.isDiscovery {
            if links[key]?[keyPath: path].discovery == nil {
                let number = nextNumber()
                var recorded = RecordedRequest(number: number, .services, device: device)
                recorded.isServedHere = isServedHere
                links[key]?[keyPath: path].discovery = number
                beginDiscovery(key, isServedHere: isServedHere)
                add(.request(recorded))
            }
        } else {
            // An MTU is often exchanged in between, and Android and bluetoothd read the Device Name, the Server
            // Supported Features and the Database Hash by their types.
            if opcode != .exchangeMTU, opcode != .readByType { finishDiscovery(key, isServedHere: isServedHere) }
            request.number = nextNumber()
            recorded.number = request.number
            add(.request(recorded))
        }
        links[key]?[keyPath: path].request = request
    }

    /// Ends the request that waits, if this is a response to it. Nil is a response that the capture has only in part.
    private mutating func endRequest(_ key: LinkKey, isServedHere: Bool, _ opcode: ATTOpcode, _ fields: PacketFields?) {
        let path = Self.client(isServedHere)
        guard let link = links[key] else { return }
        guard let request = link[keyPath: path].request, opcode.answers(request.opcode) else {
            addNote(link.device, "unexpected", "The request of a response is missing, first at packet \(packet.number)")
            return
        }
        guard var fields else { return failRequest(key, isServedHere: isServedHere, .noResponse) }
        if opcode == .error {
            guard fields.byte() == request.opcode.rawValue, fields.skip(2), let code = fields.byte() else { return }
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
        case .exchangeMTUResponse:
            let mtu = fields.short() ?? 23
            response.mtu = mtu
            add(.response(response))
            add(.mtu(RecordedMTU(device: link.device, mtu: max(23, min(mtu, request.mtu)))))
            return
        case .readByTypeResponse:
            response.values = []
            let size = Int(fields.byte() ?? 0)
            while size >= 2, var entry = fields.bytes(size).map({ PacketFields($0) }), let handle = entry.short() {
                response.values?.append(RecordedResponse.Value(handle: handle, value: Array(entry.rest)))
            }
        case .readResponse, .readBlobResponse, .readMultipleResponse, .readMultipleVariableResponse:
            response.value = Array(fields.rest)
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
            if request.opcode != .findByTypeValue {
                changeDatabase(link.device, isServedHere: isServedHere) {
                    $0.cover(request.start, request.end, request.type)
                }
            }
            finishDiscovery(key, isServedHere: isServedHere, ifComplete: true)
        // Some devices have no secondary services, and say so by this error.
        case .att(.unsupportedGroupType) where request.type == .secondaryService: break
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
