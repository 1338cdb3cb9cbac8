import CoreBlueZ
import FoundationEssentials
import GatewayProtocol

extension Gateway {
    func read(_ link: GatewayLink, _ handle: UInt16, _ offset: Int, _ request: AdmittedRequest) {
        let characteristic = link.characteristics[handle]
        let descriptor = link.descriptors[handle]
        perform(request, on: link, wasPaired: link.peripheral.isPaired, mayChange: false) {
            let value: Data
            if let characteristic {
                value =
                    offset > 0
                    ? try await characteristic.readValue(fromOffset: offset) : try await characteristic.readValue()
            } else if let descriptor {
                value =
                    offset > 0 ? try await descriptor.readValue(fromOffset: offset) : try await descriptor.readValue()
            } else {
                throw GatewayFailure.unknownHandle
            }
            return ValueResult([UInt8](value))
        }
    }

    func write(
        _ link: GatewayLink, _ handle: UInt16, _ value: [UInt8], _ type: GatewayOperation.WriteType, _ offset: Int,
        _ request: AdmittedRequest
    ) {
        let characteristic = link.characteristics[handle]
        let descriptor = link.descriptors[handle]
        let data = Data(value)
        perform(request, on: link, wasPaired: link.peripheral.isPaired) {
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
                throw GatewayFailure.unknownHandle
            }
            return EmptyResult()
        }
    }

    func subscribe(_ link: GatewayLink, _ handle: UInt16, _ request: AdmittedRequest) {
        let characteristic = link.characteristics[handle]
        perform(request, on: link, wasPaired: link.peripheral.isPaired) { [weak self] in
            guard let characteristic else { throw GatewayFailure.unknownHandle }
            try await characteristic.startNotifying { [weak self, weak link] value, _ in
                guard let self, let link, link.isUp else { return }
                guard let value else { return self.notificationsEnded(handle, of: link) }
                self.publish(.value(handle: handle, [UInt8](value)), of: link)
            }
            return EmptyResult()
        }
    }

    /// Reports the end of notifications. The end of the link is a separate event.
    private func notificationsEnded(_ handle: UInt16, of link: GatewayLink) {
        if link.peripheral.isConnected { publish(.ended(handle: handle), of: link) }
    }

    func unsubscribe(_ link: GatewayLink, _ handle: UInt16, _ request: AdmittedRequest) {
        let characteristic = link.characteristics[handle]
        perform(request, on: link) {
            guard let characteristic else { throw GatewayFailure.unknownHandle }
            try await characteristic.setNotifyValue(false)
            return EmptyResult()
        }
    }

    func pair(_ link: GatewayLink, timeout: Int, _ request: AdmittedRequest) {
        link.pairing = perform(request) {
            do throws(BluetoothError) {
                try await link.peripheral.pair(timeout: .milliseconds(timeout))
            } catch {
                // Cancelled by `cancelPairing`, or at the deadline, after which nothing waits for the response.
                guard error.code != .cancelled || error.bluezName != nil else { throw GatewayFailure.pairingCancelled }
                throw error
            }
            return link.currentState
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
