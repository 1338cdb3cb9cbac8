import CoreBlueZ

/// A device at CoreBlueZ's side, with the tokens of its attributes.
@BluetoothActor final class BridgedPeripheral: Peripheral {
    let identifier: UUID
    /// The adapter's name, such as "hci0".
    let adapterName: String?
    private weak var bridge: CentralBridge?
    let mailbox: Mailbox
    private var lastToken = 0
    private var boundServices = AttributeTable<Service>()
    private var boundCharacteristics = AttributeTable<Characteristic>()
    private var boundDescriptors = AttributeTable<Descriptor>()

    init(_ device: DiscoveredDevice, _ bridge: CentralBridge) {
        self.bridge = bridge
        mailbox = bridge.mailbox
        let place = DevicePlace(bridge.central?.adapters ?? [], device)
        identifier = place.identifier
        adapterName = place.adapterName
        super.init(device)
    }

    // MARK: Attributes

    func service(_ token: Int) -> Service? { boundServices[token] }
    func characteristic(_ token: Int) -> Characteristic? { boundCharacteristics[token] }
    func descriptor(_ token: Int) -> Descriptor? { boundDescriptors[token] }

    func describe(_ service: Service) -> AttributeDescription {
        AttributeDescription(
            token: boundServices.token(of: service, last: &lastToken), uuid: service.uuid, handle: service.handle,
            isPrimary: service.isPrimary)
    }

    func describe(_ characteristic: Characteristic) -> AttributeDescription {
        AttributeDescription(
            token: boundCharacteristics.token(of: characteristic, last: &lastToken), uuid: characteristic.uuid,
            handle: characteristic.handle, properties: characteristic.properties)
    }

    func describe(_ descriptor: Descriptor) -> AttributeDescription {
        AttributeDescription(
            token: boundDescriptors.token(of: descriptor, last: &lastToken), uuid: descriptor.uuid,
            handle: descriptor.handle)
    }

    /// The link's MTU, which bluetoothd reports with each characteristic.
    var mtu: Int? { services.lazy.flatMap(\.characteristics).compactMap(\.mtu).first }

    /// Makes all attributes invalid.
    func invalidateAttributes() {
        boundServices.removeAll()
        boundCharacteristics.removeAll()
        boundDescriptors.removeAll()
    }

    /// Switches off the notifications that this manager has requested.
    func endNotifications() {
        for (_, characteristic) in boundCharacteristics.all where characteristic.isNotifying {
            characteristic.setNotifyValue(false) { _ in }
        }
    }

    func post(_ event: PeripheralEvent) { mailbox.post(.peripheral(identifier, event)) }

    // MARK: What happens to the device

    override func didDisconnect(_ error: BluetoothError?) {
        super.didDisconnect(error)
        bridge?.linkDidEnd(self, error)
    }

    override func didUpdateName() {
        super.didUpdateName()
        post(.name(name))
    }

    override func didModifyServices() {
        super.didModifyServices()
        let gone = boundServices.all.filter { !$0.attribute.isDiscovered }
        for (_, service) in gone { boundServices.remove(service) }
        for (_, descriptor) in boundDescriptors.all where descriptor.characteristic?.isDiscovered != true {
            boundDescriptors.remove(descriptor)
        }
        for (_, characteristic) in boundCharacteristics.all where !characteristic.isDiscovered {
            boundCharacteristics.remove(characteristic)
        }
        post(.servicesModified(gone.map(\.token)))
    }
}

/// Where a device is: its adapter, and the identifier that follows from both addresses.
@BluetoothActor private struct DevicePlace {
    let identifier: UUID
    let adapterName: String?

    /// A plain object says where the device is, because only its identifier names the adapter.
    init(_ adapters: [Adapter], _ device: DiscoveredDevice) {
        let path = Peripheral(device).id.split(separator: "/")
        let adapter = adapters.first { adapter in path.contains { $0 == adapter.identifier } }
        adapterName = adapter?.identifier
        identifier =
            device.address.map { PeripheralIdentifier.make(adapter: adapter?.address, device: $0) } ?? UUID()
    }
}
