import BlueZDBus
import BlueZServer

extension SimulatedLink: RadioLink {
    func discover(_ completion: @escaping @SimulatorActor (Discovery?) -> Void) {
        let isClassic = peripheral.specification.classic != nil
        if !isClassic, peripheral.connectionFault == .stalledDiscovery { return }
        SimulatorActor.schedule(after: medium.timing.serviceDiscovery) { [weak self] in
            guard let self else { return }
            let fault = isClassic ? nil : self.peripheral.connectionFault
            var discovery = self.peripheral.discovery
            discovery.isReportedEarly = fault == .earlyResolution
            completion(fault == .emptyDiscovery ? nil : discovery)
        }
    }

    func read(_ handle: UInt16, offset: UInt16, completion: @escaping Completion) -> any RadioOperation {
        request(completion) { peripheral, respond in
            let slice: PeripheralRequests.ResponseHandler = { result in
                respond(
                    result.flatMap { value in
                        offset > value.count ? .failure(.invalidOffset) : .success(Array(value.dropFirst(Int(offset))))
                    })
            }
            switch peripheral.attributes[handle] {
            case .characteristic(let characteristic)?: peripheral.read(characteristic, completion: slice)
            case .descriptor(let descriptor, let characteristic)?:
                peripheral.use(descriptor, of: characteristic, writing: nil, completion: slice)
            case nil: respond(.failure(.invalidHandle))
            }
        }
    }

    func write(
        _ value: [UInt8], to handle: UInt16, kind: WriteKind, offset: UInt16, completion: @escaping Completion
    ) -> any RadioOperation {
        if kind == .reliable, peripheral.attributes[handle]?.faults.garblesPreparedWrites == true {
            completion(.failure(.bus(BlueZError.failed("Bad address"))))
            return PeripheralRequests.Request(work: { _, _ in }, completion: { _ in })
        }
        return request(completion) { peripheral, respond in
            guard let attribute = peripheral.attributes[handle] else { return respond(.failure(.invalidHandle)) }
            guard offset <= attribute.value.count else { return respond(.failure(.invalidOffset)) }
            let whole = Array(attribute.value.prefix(Int(offset))) + value
            switch attribute {
            case .characteristic(let characteristic):
                peripheral.write(whole, to: characteristic, kind: .write, completion: respond)
            case .descriptor(let descriptor, let characteristic):
                peripheral.use(descriptor, of: characteristic, writing: whole, completion: respond)
            }
        }
    }

    func command(_ value: [UInt8], to handle: UInt16) {
        requests.command { peripheral in
            guard case .characteristic(let characteristic)? = peripheral.attributes[handle] else { return }
            peripheral.write(value, to: characteristic, kind: .command) { _ in }
        }
    }

    func configure(
        _ handle: UInt16, _ setting: NotifySetting, completion: @escaping Completion
    ) -> any RadioOperation {
        request(completion) { peripheral, respond in
            guard case .characteristic(let characteristic)? = peripheral.attributes[handle] else {
                return respond(.failure(.invalidHandle))
            }
            peripheral.configure(characteristic, setting.rawValue, completion: respond)
        }
    }

    func pair(
        _ request: PairingRequest, completion: @escaping @SimulatorActor (PairingEnd) -> Void
    ) -> any RadioPairing {
        PairingProcedure(with: peripheral, request, timeout: medium.timing.pairing, completion: completion)
    }

    func disconnect(_ completion: @escaping @SimulatorActor () -> Void) -> any RadioOperation {
        SimulatorActor.schedule(after: medium.timing.disconnect, completion)
    }

    func callFault(of handle: UInt16) -> CallFault {
        guard let faults = peripheral.attributes[handle]?.faults else { return .none }
        return faults.losesReplies ? .noReply : faults.malformsReplies ? .malformed : .none
    }

    func channel(
        on socket: StreamSocket, to service: BluetoothUUID, closed: @escaping @SimulatorActor () -> Void
    ) -> (any RadioChannel)? {
        SimulatedRFCOMMChannel(socket, uuid: service, of: peripheral, closed: closed)
    }
}
