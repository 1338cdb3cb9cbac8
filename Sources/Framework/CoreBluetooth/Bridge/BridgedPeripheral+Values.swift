import CoreBlueZ

extension BridgedPeripheral {
    func read(_ token: Int) {
        guard let characteristic = characteristic(token) else { return post(.read(token, nil, Self.invalidHandle)) }
        characteristic.readValue { [self] value, error in post(.read(token, value, error?.bridged(.read))) }
    }

    func write(_ value: Data, to token: Int) {
        guard let characteristic = characteristic(token) else { return post(.written(token, Self.invalidHandle)) }
        characteristic.writeValue(value, type: .withResponse) { [self] error in
            post(.written(token, error?.bridged(.write)))
        }
    }

    /// Writes without response. An error has no callback, but a line in the log.
    func send(_ value: Data, to token: Int) {
        guard let characteristic = characteristic(token) else { return post(.commandSent) }
        characteristic.writeValue(value, type: .withoutResponse) { [self] error in
            if let error { Misuse.warn("A write without response was not sent: \(error)") }
            post(.commandSent)
        }
    }

    func setNotifications(_ isOn: Bool, of token: Int) {
        guard let characteristic = characteristic(token) else {
            return post(.notifying(token, false, Self.invalidHandle))
        }
        let completion: @BluetoothActor (BluetoothError?) -> Void = { [self] error in
            post(.notifying(token, characteristic.isNotifying, error?.bridged(.notify)))
        }
        guard isOn else { return characteristic.setNotifyValue(false, completion: completion) }
        characteristic.startNotifying(
            { [mailbox, identifier] value, _ in
                if let value { mailbox.post(.value(identifier, token, value)) }
            }, completion: completion)
    }

    func readDescriptor(_ token: Int) {
        guard let descriptor = descriptor(token) else {
            return post(.descriptorRead(token, nil, Self.invalidHandle))
        }
        descriptor.readValue { [self] value, error in post(.descriptorRead(token, value, error?.bridged(.read))) }
    }

    func write(_ value: Data, toDescriptor token: Int) {
        guard let descriptor = descriptor(token) else {
            return post(.descriptorWritten(token, Self.invalidHandle))
        }
        descriptor.writeValue(value) { [self] error in post(.descriptorWritten(token, error?.bridged(.write))) }
    }

    func findSignalStrength() {
        readRSSI { [self] rssi, error in post(.signalStrength(rssi, error?.bridged(.rssi))) }
    }
}
