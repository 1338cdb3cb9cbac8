import FoundationEssentials
import TestSupport

@testable import CoreBlueZ

extension CentralRound {
    private typealias Completion = @BluetoothActor (BluetoothError?) -> Void

    /// Begins one operation; nothing is waited for.
    func start(
        _ operation: CentralSchedule.Operation, _ attribute: CentralSchedule.Attribute, _ way: CentralSchedule.Way
    ) {
        switch operation {
        case .read, .write, .command, .readDescriptor, .subscribe, .unsubscribe:
            guard let characteristic = characteristics[attribute] else { return }
            startValue(operation, attribute, characteristic, way)
        case .sequence, .acquireNotify, .acquireWrite:
            guard let characteristic = characteristics[attribute] else { return }
            startLasting(operation, attribute, characteristic, way)
        case .acquiredWrite: writeAcquired(attribute, way)
        case .closeSockets:
            for notifications in acquired { notifications.close() }
            for writer in writers.values { writer.close() }
            acquired = []
            writers = [:]
        case .stopScan: central?.stopScan()
        case .discoverServices, .discoverCharacteristics, .connect, .disconnect, .scan:
            startOther(operation, attribute, way)
        }
    }

    /// Notes the operation and begins it by the closure or by the task.
    private func begin(
        _ title: String, _ attribute: CentralSchedule.Attribute, _ way: CentralSchedule.Way, number: UInt32? = nil,
        isWithResponse: Bool = false, isThroughSocket: Bool = false,
        closure: @BluetoothActor (@escaping Completion) -> Void,
        task: @escaping @BluetoothActor () async throws(BluetoothError) -> Void
    ) {
        let note = { [record] (isTask: Bool) in
            record.begin(
                title, attribute, isTask: isTask, number: number, isWithResponse: isWithResponse,
                isThroughSocket: isThroughSocket)
        }
        switch way {
        case .closure:
            let index = note(false)
            closure { [record] error in record.end(index, error) }
        case .task:
            let index = note(true)
            tasks.append(
                Task { @BluetoothActor [record] in
                    record.taskBegins(index)
                    do throws(BluetoothError) {
                        try await task()
                        record.end(index, nil)
                    } catch {
                        record.end(index, error)
                    }
                }
            )
        }
    }

    private func startValue(
        _ operation: CentralSchedule.Operation, _ attribute: CentralSchedule.Attribute,
        _ characteristic: Characteristic,
        _ way: CentralSchedule.Way
    ) {
        let title = "\(operation) \(attribute) by \(way)"
        switch operation {
        case .write, .command:
            let number = record.makeNumber()
            let value = Data(CentralRecord.bytes(number))
            let type: CharacteristicWriteType = operation == .write ? .withResponse : .withoutResponse
            begin(title, attribute, way, number: number, isWithResponse: operation == .write) {
                characteristic.writeValue(value, type: type, completion: $0)
            } task: { () throws(BluetoothError) in
                try await characteristic.writeValue(value, type: type)
            }
        case .readDescriptor:
            guard let descriptor = characteristic.descriptors.last else { return }
            begin(title, attribute, way) { done in
                descriptor.readValue { _, error in done(error) }
            } task: { () throws(BluetoothError) in
                try await descriptor.readValue()
            }
        case .subscribe, .unsubscribe:
            begin(title, attribute, way) {
                characteristic.setNotifyValue(operation == .subscribe, completion: $0)
            } task: { () throws(BluetoothError) in
                try await characteristic.setNotifyValue(operation == .subscribe)
            }
        default:
            begin(title, attribute, way) { done in
                characteristic.readValue { _, error in done(error) }
            } task: { () throws(BluetoothError) in
                try await characteristic.readValue()
            }
        }
    }

    private func startOther(
        _ operation: CentralSchedule.Operation, _ attribute: CentralSchedule.Attribute, _ way: CentralSchedule.Way
    ) {
        let title = "\(operation) by \(way)"
        guard let peripheral else { return }
        switch operation {
        case .discoverServices:
            begin(title, attribute, way) { done in
                peripheral.discoverServices { _, error in done(error) }
            } task: { () throws(BluetoothError) in
                try await peripheral.discoverServices()
            }
        case .discoverCharacteristics:
            guard let service = peripheral[FaultSimulator.faultyService] else { return }
            begin(title, attribute, way) { done in
                service.discoverCharacteristics { _, error in done(error) }
            } task: { () throws(BluetoothError) in
                try await service.discoverCharacteristics()
            }
        case .connect:
            let options = ConnectOptions(timeout: .milliseconds(300), retries: 1)
            begin(title, attribute, way) {
                peripheral.connect(options: options, completion: $0)
            } task: { () throws(BluetoothError) in
                try await peripheral.connect(options: options)
            }
        case .disconnect:
            begin(title, attribute, way) {
                peripheral.disconnect(completion: $0)
            } task: { () throws(BluetoothError) in
                try await peripheral.disconnect()
            }
        default: scan(title, attribute, way)
        }
    }

    private func scan(_ title: String, _ attribute: CentralSchedule.Attribute, _ way: CentralSchedule.Way) {
        let options = ScanOptions(duration: .milliseconds(4))
        begin(title, attribute, way) { done in
            central?.scanForPeripherals(options: options, found: { _, _, _ in }, completion: done) ?? done(nil)
        } task: { [weak central] () throws(BluetoothError) in
            try await central?.scanForPeripherals(options: options) { _, _, _ in }
        }
    }
}
