import CoreBlueZ

extension BridgedPeripheral {
    /// Finds primary services, as Apple's framework does. BlueZ finds the others too.
    func findServices(_ uuids: [BluetoothUUID]?) {
        discoverServices(uuids) { [self] services, error in
            let primary = services?.filter(\.isPrimary).map(describe) ?? []
            post(.services(FoundAttributes(attributes: primary, mtu: mtu, error: error?.bridged(.discovery))))
        }
    }

    func findIncludedServices(_ uuids: [BluetoothUUID]?, of token: Int) {
        guard let service = service(token) else {
            return post(.includedServices(of: token, FoundAttributes(error: Self.invalidHandle)))
        }
        service.discoverIncludedServices(uuids) { [self] services, error in
            let included = services?.map(describe) ?? []
            post(
                .includedServices(
                    of: token, FoundAttributes(attributes: included, error: error?.bridged(.discovery))))
        }
    }

    func findCharacteristics(_ uuids: [BluetoothUUID]?, of token: Int) {
        guard let service = service(token) else {
            return post(.characteristics(of: token, FoundAttributes(error: Self.invalidHandle)))
        }
        service.discoverCharacteristics(uuids) { [self] characteristics, error in
            let found = characteristics?.map(describe) ?? []
            post(
                .characteristics(
                    of: token, FoundAttributes(attributes: found, mtu: mtu, error: error?.bridged(.discovery))))
        }
    }

    func findDescriptors(of token: Int) {
        guard let characteristic = characteristic(token) else {
            return post(.descriptors(of: token, FoundAttributes(error: Self.invalidHandle)))
        }
        characteristic.discoverDescriptors { [self] descriptors, error in
            let found = descriptors?.map(describe) ?? []
            post(.descriptors(of: token, FoundAttributes(attributes: found, error: error?.bridged(.discovery))))
        }
    }

    /// The error of a request to an attribute that is no longer valid.
    static var invalidHandle: any Error { CBError(.invalidHandle) }
}
