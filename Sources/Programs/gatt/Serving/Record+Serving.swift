import BlueZPrintableText
import CoreBlueZ
import PeripheralServer

extension Record {
    /// Creates the record of an event of `gatt serve`.
    @BluetoothActor init(_ event: ServedEvent) {
        switch event {
        case .connected(let central): self.init("connected", central)
        case .disconnected(let central): self.init("disconnected", central)
        case .read(let attribute, let central, let result):
            self.init("read", central)
            describe(attribute)
            switch result {
            case .success(let value): self.value = ValueFormat.hex(value)
            case .failure(let error): self.error = error.description
            }
        case .written(let attribute, let central, let value, let error):
            self.init("write", central)
            describe(attribute)
            self.value = ValueFormat.hex(value)
            self.error = error?.description
        case .subscribed(let characteristic, let central):
            self.init("subscribed", central)
            describe(characteristic)
        case .unsubscribed(let characteristic, let central):
            self.init("unsubscribed", central)
            describe(characteristic)
        case .suspended: self.init("suspended")
        case .resumed: self.init("resumed")
        case .failed(let error):
            self.init("failed")
            self.error = error.description
        }
    }

    @BluetoothActor private init(_ event: String, _ central: Central?) {
        self.init(event)
        guard let central else { return }
        adapter = central.peripheral.central?.adapter?.identifier
        device = central.address?.description
        deviceName = central.name
        mtu = central.mtu
    }

    @BluetoothActor private mutating func describe(_ attribute: LocalAttribute) {
        let characteristic = attribute as? LocalCharacteristic ?? (attribute as? LocalDescriptor)?.characteristic
        if let characteristic { describe(characteristic) }
        guard attribute is LocalDescriptor else { return }
        descriptor = attribute.uuid.description
        descriptorName = attribute.uuid.name
        handle = attribute.handle
        valueHandle = nil
    }

    @BluetoothActor private mutating func describe(_ attribute: LocalCharacteristic) {
        service = attribute.service?.uuid.description
        serviceName = attribute.service?.uuid.name
        characteristic = attribute.uuid.description
        characteristicName = attribute.uuid.name
        valueHandle = attribute.handle
        handle = attribute.handle.map { $0 - 1 }
    }

    /// The line for users: the time, the event, the central, the attribute and the value, separated by tabs.
    var servedLine: String {
        let attribute = (characteristicName ?? characteristic).map { name in
            name + ((descriptorName ?? descriptor).map { "/" + $0 } ?? "")
        }
        let isAboutCentral = !["suspended", "resumed", "failed"].contains(event)
        let fields = [time, event, isAboutCentral ? device ?? "?" : nil, attribute, value, error]
        return fields.compactMap { $0 }.map { $0.escapedForTerminal() }.joined(separator: "\t")
    }
}
