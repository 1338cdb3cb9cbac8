import CoreBlueZ
import FoundationEssentials
import GatewayProtocol

extension Gateway {
    func read(_ link: GatewayLink, _ handle: UInt16, _ offset: Int, _ request: AdmittedRequest) {
        let characteristic = link.characteristics[handle]
        let descriptor = link.descriptors[handle]
        let wasPaired = link.peripheral.isPaired
        perform(request, on: link) { () async -> Result<ValueResult, GatewayFailure> in
            do throws(BluetoothError) {
                let value: Data
                if let characteristic {
                    value =
                        offset > 0
                        ? try await characteristic.readValue(fromOffset: offset) : try await characteristic.readValue()
                } else if let descriptor {
                    value =
                        offset > 0
                        ? try await descriptor.readValue(fromOffset: offset) : try await descriptor.readValue()
                } else {
                    return .failure(.unknownHandle)
                }
                return .success(ValueResult([UInt8](value)))
            } catch {
                return .failure(GatewayFailure(error, wasPaired: wasPaired, mayHaveChanged: false))
            }
        }
    }

    func write(
        _ link: GatewayLink, _ handle: UInt16, _ value: [UInt8], _ type: GatewayOperation.WriteType, _ offset: Int,
        _ request: AdmittedRequest
    ) {
        let characteristic = link.characteristics[handle]
        let descriptor = link.descriptors[handle]
        let data = Data(value)
        let wasPaired = link.peripheral.isPaired
        perform(request, on: link) { () async -> Result<EmptyResult, GatewayFailure> in
            do throws(BluetoothError) {
                if let characteristic {
                    let type = CharacteristicWriteType(type)
                    if offset > 0 {
                        try await characteristic.writeValue(data, atOffset: offset, type: type)
                    } else {
                        try await characteristic.writeValue(data, type: type)
                    }
                } else if let descriptor {
                    if offset > 0 {
                        try await descriptor.writeValue(data, atOffset: offset)
                    } else {
                        try await descriptor.writeValue(data)
                    }
                } else {
                    return .failure(.unknownHandle)
                }
                return .success(EmptyResult())
            } catch {
                return .failure(GatewayFailure(error, wasPaired: wasPaired, mayHaveChanged: true))
            }
        }
    }

    func subscribe(_ link: GatewayLink, _ handle: UInt16, _ request: AdmittedRequest) {
        let characteristic = link.characteristics[handle]
        let wasPaired = link.peripheral.isPaired
        perform(request, on: link) { [weak self] () async -> Result<EmptyResult, GatewayFailure> in
            guard let characteristic else { return .failure(.unknownHandle) }
            do throws(BluetoothError) {
                try await characteristic.startNotifying { [weak self, weak link] value, _ in
                    guard let self, let link, link.isUp else { return }
                    guard let value else { return self.notificationsEnded(handle, of: link) }
                    self.publish(.value(handle: handle, [UInt8](value)), of: link)
                }
                return .success(EmptyResult())
            } catch {
                return .failure(GatewayFailure(error, wasPaired: wasPaired, mayHaveChanged: true))
            }
        }
    }

    /// The end of the link is an event of its own.
    private func notificationsEnded(_ handle: UInt16, of link: GatewayLink) {
        if link.peripheral.isConnected { publish(.ended(handle: handle), of: link) }
    }

    func unsubscribe(_ link: GatewayLink, _ handle: UInt16, _ request: AdmittedRequest) {
        let characteristic = link.characteristics[handle]
        perform(request, on: link) { () async -> Result<EmptyResult, GatewayFailure> in
            guard let characteristic else { return .failure(.unknownHandle) }
            do throws(BluetoothError) {
                try await characteristic.setNotifyValue(false)
                return .success(EmptyResult())
            } catch {
                return .failure(GatewayFailure(error, mayHaveChanged: true))
            }
        }
    }

    func pair(_ link: GatewayLink, timeout: Int, _ request: AdmittedRequest) {
        link.pairing = perform(request) { () async -> Result<DeviceState, GatewayFailure> in
            do throws(BluetoothError) {
                try await link.peripheral.pair(timeout: .milliseconds(timeout))
                return .success(link.currentState)
            } catch {
                // By `cancelPairing`, or at the deadline: then nothing waits for the response.
                guard error.code != .cancelled || error.bluezName != nil else { return .failure(.pairingCancelled) }
                return .failure(GatewayFailure(error, mayHaveChanged: true))
            }
        }
    }
}

extension CharacteristicWriteType {
    init(_ type: GatewayOperation.WriteType) {
        self =
            switch type {
            case .request: .withResponse
            case .command: .withoutResponse
            case .reliable: .reliable
            }
    }
}
