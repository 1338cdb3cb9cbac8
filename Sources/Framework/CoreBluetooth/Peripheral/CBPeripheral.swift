import CoreBlueZ

/// The states of a peripheral's link.
public enum CBPeripheralState: Int, Sendable {
    /// There is no link for this manager.
    case disconnected = 0
    /// The manager connects it.
    case connecting = 1
    /// There is a link.
    case connected = 2
    /// The manager ends the link.
    case disconnecting = 3
}

/// The types of writes.
public enum CBCharacteristicWriteType: Int, Sendable {
    /// The peripheral confirms the write.
    case withResponse = 0
    /// Nothing confirms the write.
    case withoutResponse = 1
}

/// The base class of devices at the other end of a link.
open class CBPeer: NSObject, NSCopying {
    private let number: UUID

    init(_ identifier: UUID) {
        number = identifier
    }

    /// The identifier of the device: a UUID of version 5 from the addresses of the adapter and of the device. It stays
    /// the same between runs.
    ///
    /// A device with private addresses has a new one whenever its address changes, until it is paired. This object keeps
    /// the one that it has, also if pairing reveals the device's own address. In later runs of the program, the
    /// identifier follows from that address: save it then.
    open var identifier: UUID { number }

    /// Returns the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A peripheral. Keep a reference to it for as long as you use it: without one, its link ends.
open class CBPeripheral: CBPeer {
    /// Gets the events.
    open var delegate: (any CBPeripheralDelegate)? {
        get { findDelegate() }
        set { findDelegate = { [weak newValue] in newValue } }
    }

    let bridge: CentralBridge
    @Locked private var findDelegate: () -> (any CBPeripheralDelegate)? = { nil }
    @Locked var lastName: String? = nil
    @Locked var link = LinkState()
    @Locked var foundServices: [CBService]? = nil
    @Locked var knownServices: [Int: CBService] = [:]
    @Locked var knownCharacteristics: [Int: CBCharacteristic] = [:]
    @Locked var knownDescriptors: [Int: CBDescriptor] = [:]
    @Locked var mtu = 23
    @Locked var commands = CommandWindow()
    @Locked var lastSignalStrength: NSNumber? = nil
    /// Calls of the delegate that need nothing from bluetoothd, and follow soon.
    @Locked var deferredCalls: [(any CBPeripheralDelegate, CBPeripheral) -> Void] = []

    init(_ identifier: UUID, _ name: String?, _ bridge: CentralBridge) {
        self.bridge = bridge
        super.init(identifier)
        lastName = name
    }

    deinit {
        guard link.state == .connecting || link.state == .connected else { return }
        Misuse.report(
            "Cancelling connection for unused peripheral \(description), Did you forget to keep a reference to it?")
        BluetoothActor.perform { [bridge, identifier, number = link.number] in
            bridge.cancelConnection(identifier, number)
        }
    }

    /// The name; nil if it is not known yet.
    open var name: String? { lastName }

    /// The signal strength that `readRSSI()` has read.
    @available(*, deprecated, message: "Use peripheral(_:didReadRSSI:error:)")
    open var rssi: NSNumber? { lastSignalStrength }

    /// The state of the link.
    open var state: CBPeripheralState { link.state }

    /// The services that were discovered over this link, ordered by handle; nil before.
    open var services: [CBService]? { foundServices }

    /// Whether the next write without response is sent soon. If not, wait for
    /// `peripheralIsReady(toSendWriteWithoutResponse:)`.
    open var canSendWriteWithoutResponse: Bool { link.state == .connected && commands.hasRoom }

    /// Whether the device may get notifications of Apple's systems; always false.
    open var ancsAuthorized: Bool { false }

    /// Reads the signal strength of the last advertisement. bluetoothd does not measure links.
    open func readRSSI() {
        perform { $0.findSignalStrength() }
    }

    /// Finds services; nil or none finds all.
    open func discoverServices(_ serviceUUIDs: [CBUUID]?) {
        let uuids = Self.values(serviceUUIDs)
        perform { $0.findServices(uuids) }
    }

    /// Finds the services that a service includes; nil or none finds all.
    open func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
        let uuids = Self.values(includedServiceUUIDs)
        perform(if: isValid(service)) { [token = service.token] in
            $0.findIncludedServices(uuids, of: token)
        } otherwise: {
            $0.peripheral($1, didDiscoverIncludedServicesFor: service, error: CBError(.invalidHandle))
        }
    }

    /// Finds the characteristics of a service; nil or none finds all.
    open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        let uuids = Self.values(characteristicUUIDs)
        perform(if: isValid(service)) { [token = service.token] in
            $0.findCharacteristics(uuids, of: token)
        } otherwise: {
            $0.peripheral($1, didDiscoverCharacteristicsFor: service, error: CBError(.invalidHandle))
        }
    }

    /// Reads a value. It arrives in `peripheral(_:didUpdateValueFor:error:)`, as notifications do.
    open func readValue(for characteristic: CBCharacteristic) {
        perform(if: isValid(characteristic)) { [token = characteristic.token] in
            $0.read(token)
        } otherwise: {
            $0.peripheral($1, didUpdateValueFor: characteristic, error: CBError(.invalidHandle))
        }
    }

    /// Returns how many bytes a write can take: 512 with a response, otherwise the link's MTU minus 3.
    ///
    /// The MTU is taken to be 23 until services are discovered, because bluetoothd reports it as a property of
    /// characteristics (doc/org.bluez.GattCharacteristic.rst: MTU), and always before BlueZ 5.62.
    open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
        type == .withResponse ? 512 : max(20, min(512, mtu - 3))
    }

    /// Writes a value. Without response, nothing is called.
    open func writeValue(_ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType) {
        if type == .withoutResponse { return send(data, characteristic) }
        perform(if: isValid(characteristic)) { [token = characteristic.token] in
            $0.write(data, to: token)
        } otherwise: {
            $0.peripheral($1, didWriteValueFor: characteristic, error: CBError(.invalidHandle))
        }
    }

    /// Switches notifications or indications on or off.
    open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        perform(if: isValid(characteristic)) { [token = characteristic.token] in
            $0.setNotifications(enabled, of: token)
        } otherwise: {
            $0.peripheral($1, didUpdateNotificationStateFor: characteristic, error: CBError(.invalidHandle))
        }
    }

    /// Finds the descriptors of a characteristic.
    open func discoverDescriptors(for characteristic: CBCharacteristic) {
        perform(if: isValid(characteristic)) { [token = characteristic.token] in
            $0.findDescriptors(of: token)
        } otherwise: {
            $0.peripheral($1, didDiscoverDescriptorsFor: characteristic, error: CBError(.invalidHandle))
        }
    }

    /// Reads a descriptor's value.
    open func readValue(for descriptor: CBDescriptor) {
        perform(if: isValid(descriptor)) { [token = descriptor.token] in
            $0.readDescriptor(token)
        } otherwise: {
            $0.peripheral($1, didUpdateValueFor: descriptor, error: CBError(.invalidHandle))
        }
    }

    /// Writes a descriptor's value.
    ///
    /// Writing a client's configuration (2902) stops the program: call `setNotifyValue(_:for:)`.
    open func writeValue(_ data: Data, for descriptor: CBDescriptor) {
        if descriptor.uuid == CBUUID(string: CBUUIDClientCharacteristicConfigurationString) {
            Misuse.stop(
                """
                Client Characteristic Configuration descriptors must be configured using \
                setNotifyValue:forCharacteristic:
                """)
        }
        perform(if: isValid(descriptor)) { [token = descriptor.token] in
            $0.write(data, toDescriptor: token)
        } otherwise: {
            $0.peripheral($1, didWriteValueFor: descriptor, error: CBError(.invalidHandle))
        }
    }

    /// Would open an L2CAP channel. On Linux, `peripheral(_:didOpen:error:)` gets an error.
    open func openL2CAPChannel(_ PSM: CBL2CAPPSM) {
        perform(if: false) { _ in
        } otherwise: {
            $0.peripheral($1, didOpen: nil, error: CBError(.operationNotSupported))
        }
    }

    /// The class, the identifier, the name, the MTU and the state.
    open override var description: String {
        let name = name?.escapedForTerminal() ?? "(null)"
        return """
            <\(type(of: self)): \(Misuse.address(of: self)), identifier = \(identifier.uuidString), name = \(name), \
            mtu = \(mtu), state = \(state)>
            """
    }
}
