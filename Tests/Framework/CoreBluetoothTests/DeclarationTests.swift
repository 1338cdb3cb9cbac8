import CoreBluetooth
import Testing

/// Numbers, texts and signatures that programs for Apple's systems rely on, as Apple's headers have them.
@Suite struct DeclarationTests {
    @Test(
        "Each state, type and code has Apple's number",
        arguments: [
            (
                [CBManagerState.unknown, .resetting, .unsupported, .unauthorized, .poweredOff, .poweredOn].map(
                    \.rawValue),
                Array(0...5)
            ),
            (
                [CBManagerAuthorization.notDetermined, .restricted, .denied, .allowedAlways].map(\.rawValue),
                Array(0...3)
            ),
            ([CBPeripheralState.disconnected, .connecting, .connected, .disconnecting].map(\.rawValue), Array(0...3)),
            ([CBCharacteristicWriteType.withResponse, .withoutResponse].map(\.rawValue), [0, 1]),
            ([CBConnectionEvent.peerDisconnected, .peerConnected].map(\.rawValue), [0, 1]),
            ([Int(CBCentralManager.Feature.extendedScanAndConnect.rawValue)], [1]),
            (
                [
                    CBCharacteristicProperties.broadcast, .read, .writeWithoutResponse, .write, .notify, .indicate,
                    .authenticatedSignedWrites, .extendedProperties, .notifyEncryptionRequired,
                    .indicateEncryptionRequired,
                ].map { Int($0.rawValue) }, (0..<10).map { 1 << $0 }
            ),
            (
                [
                    CBError.unknown, CBError.invalidParameters, CBError.invalidHandle, CBError.notConnected,
                    CBError.outOfSpace, CBError.operationCancelled, CBError.connectionTimeout,
                    CBError.peripheralDisconnected, CBError.uuidNotAllowed, CBError.alreadyAdvertising,
                    CBError.connectionFailed, CBError.connectionLimitReached, CBError.unknownDevice,
                    CBError.operationNotSupported, CBError.peerRemovedPairingInformation, CBError.encryptionTimedOut,
                    CBError.tooManyLEPairedDevices, CBError.leGattExceededBackgroundNotificationLimit,
                    CBError.leGattNearBackgroundNotificationLimit,
                ].map(\.rawValue), Array(0...18)
            ),
            (
                [
                    CBATTError.success, CBATTError.invalidHandle, CBATTError.readNotPermitted,
                    CBATTError.writeNotPermitted, CBATTError.invalidPdu, CBATTError.insufficientAuthentication,
                    CBATTError.requestNotSupported, CBATTError.invalidOffset, CBATTError.insufficientAuthorization,
                    CBATTError.prepareQueueFull, CBATTError.attributeNotFound, CBATTError.attributeNotLong,
                    CBATTError.insufficientEncryptionKeySize, CBATTError.invalidAttributeValueLength,
                    CBATTError.unlikelyError, CBATTError.insufficientEncryption, CBATTError.unsupportedGroupType,
                    CBATTError.insufficientResources,
                ].map(\.rawValue), Array(0...17)
            ),
        ] as [([Int], [Int])])
    func numbers(ours: [Int], apples: [Int]) {
        #expect(ours == apples)
    }

    @Test(
        "Each key, domain and UUID has Apple's text",
        arguments: [
            (CBErrorDomain, "CBErrorDomain"),
            (CBATTErrorDomain, "CBATTErrorDomain"),
            (CBAdvertisementDataLocalNameKey, "kCBAdvDataLocalName"),
            (CBAdvertisementDataTxPowerLevelKey, "kCBAdvDataTxPowerLevel"),
            (CBAdvertisementDataServiceUUIDsKey, "kCBAdvDataServiceUUIDs"),
            (CBAdvertisementDataServiceDataKey, "kCBAdvDataServiceData"),
            (CBAdvertisementDataManufacturerDataKey, "kCBAdvDataManufacturerData"),
            (CBAdvertisementDataOverflowServiceUUIDsKey, "kCBAdvDataHashedServiceUUIDs"),
            (CBAdvertisementDataIsConnectable, "kCBAdvDataIsConnectable"),
            (CBAdvertisementDataSolicitedServiceUUIDsKey, "kCBAdvDataSolicitedServiceUUIDs"),
            (CBCentralManagerOptionShowPowerAlertKey, "kCBInitOptionShowPowerAlert"),
            (CBCentralManagerOptionRestoreIdentifierKey, "kCBInitOptionRestoreIdentifier"),
            (CBCentralManagerOptionDeviceAccessForMedia, "kCBInitOptionDeviceAccessForMedia"),
            (CBCentralManagerScanOptionAllowDuplicatesKey, "kCBScanOptionAllowDuplicates"),
            (CBCentralManagerScanOptionSolicitedServiceUUIDsKey, "kCBScanOptionSolicitedServiceUUIDs"),
            (CBConnectPeripheralOptionNotifyOnConnectionKey, "kCBConnectOptionNotifyOnConnection"),
            (CBConnectPeripheralOptionNotifyOnDisconnectionKey, "kCBConnectOptionNotifyOnDisconnection"),
            (CBConnectPeripheralOptionNotifyOnNotificationKey, "kCBConnectOptionNotifyOnNotification"),
            (CBConnectPeripheralOptionStartDelayKey, "kCBConnectOptionStartDelay"),
            (CBConnectPeripheralOptionEnableTransportBridgingKey, "kCBConnectOptionEnableTransportBridging"),
            (CBConnectPeripheralOptionRequiresANCS, "kCBConnectOptionRequiresANCS"),
            (CBConnectPeripheralOptionEnableAutoReconnect, "kCBConnectOptionEnableAutoReconnect"),
            (CBCentralManagerRestoredStatePeripheralsKey, "kCBRestoredPeripherals"),
            (CBCentralManagerRestoredStateScanServicesKey, "kCBRestoredScanServices"),
            (CBCentralManagerRestoredStateScanOptionsKey, "kCBRestoredScanOptions"),
            (CBConnectionEventMatchingOption.serviceUUIDs.rawValue, "kCBConnectionEventMatchingOptionServiceUUIDs"),
            (
                CBConnectionEventMatchingOption.peripheralUUIDs.rawValue,
                "kCBConnectionEventMatchingOptionPeripheralUUIDs"
            ),
            (CBUUIDCharacteristicExtendedPropertiesString, "2900"),
            (CBUUIDCharacteristicUserDescriptionString, "2901"),
            (CBUUIDClientCharacteristicConfigurationString, "2902"),
            (CBUUIDServerCharacteristicConfigurationString, "2903"),
            (CBUUIDCharacteristicFormatString, "2904"),
            (CBUUIDCharacteristicAggregateFormatString, "2905"),
            (CBUUIDCharacteristicValidRangeString, "2906"),
            (CBUUIDCharacteristicObservationScheduleString, "2910"),
            (CBUUIDL2CAPPSMCharacteristicString, "ABDD3056-28FA-441D-A470-55A75A52553A"),
        ])
    func texts(ours: String, apples: String) {
        #expect(ours == apples)
    }

    @Test("The members have Apple's types, labels and defaults")
    func signatures() {
        // Each line compiles only if the member has this type.
        let _: (CBCentralManager) -> Void = { central in
            let _: CBManagerState = central.state
            let _: Bool = central.isScanning
            let _: [CBPeripheral] = central.retrievePeripherals(withIdentifiers: [UUID]())
            let _: [CBPeripheral] = central.retrieveConnectedPeripherals(withServices: [CBUUID]())
            central.scanForPeripherals(withServices: nil)
            central.registerForConnectionEvents()
        }
        let _: (CBPeripheral) -> Void = { peripheral in
            let _: UUID = peripheral.identifier
            let _: String? = peripheral.name
            let _: [CBService]? = peripheral.services
            let _: Bool = peripheral.canSendWriteWithoutResponse && peripheral.ancsAuthorized
            let _: Int = peripheral.maximumWriteValueLength(for: .withoutResponse)
        }
        let _: (CBDescriptor) -> Void = { descriptor in
            let _: Any? = descriptor.value
            let _: Bool? = descriptor.characteristic?.service?.peripheral?.canSendWriteWithoutResponse
            let _: [CBService]? = descriptor.characteristic?.service?.includedServices
        }
        // Apple's header does not say whether these can be nil, so that programs write "?" or nothing.
        let _: (CBL2CAPChannel) -> Void = { channel in
            let _: UUID? = channel.peer?.identifier
            channel.inputStream?.open()
            channel.outputStream.close()
            let _: UInt16 = channel.psm
        }
        #expect(CBManager.authorization == .allowedAlways && !CBCentralManager.supports(.extendedScanAndConnect))
    }

    @available(*, deprecated) @Test("Old names are there, as deprecated as Apple's")
    @MainActor func oldNames() async throws {
        let central = try await Stand().central
        #expect(central.state == CBCentralManagerState.poweredOn && central.authorization == .allowedAlways)
        #expect(CBError.unkownDevice == .unknownDevice && CBError.Code.unkownDevice.rawValue == 12)
        let _: (CBPeripheral, CBCharacteristic) -> Void = { peripheral, characteristic in
            let _: NSNumber? = peripheral.rssi
            let _: Bool = characteristic.isBroadcasted
        }
    }
}
