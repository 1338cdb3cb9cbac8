import BlueZSimulator
import FoundationEssentials
import TestSupport

@testable import CoreBlueZ

extension RoleRound {
    private typealias Completion = @BluetoothActor (BluetoothError?) -> Void

    /// Begins an operation; the number decides on its way and its arguments. Nothing is waited for.
    func start(_ operation: RoleOperation, _ number: Int) {
        switch operation {
        case .answerTwice: record.answer = .twice
        case .answerAfterLink: record.answer = .afterLink
        case .answerByTask: record.answer = .byTask
        case .cancelTasks: for task in tasks { task.cancel() }
        case .dropManager: dropManager()
        case .notify, .notifyOne, .indicate, .indicateOne, .publish, .unpublish, .advertise, .stopAdvertising:
            startOwn(operation, number, byTask: number % 2 == 0)
        default: startRemote(operation, number)
        }
    }

    // MARK: The program

    /// Notes an operation of the program, and begins it by a closure or a task.
    private func begin(
        _ title: String, byTask: Bool, closure: (@escaping Completion) -> Void,
        task: @escaping @BluetoothActor () async throws -> Void
    ) {
        let index = record.begin("\(title) by \(byTask ? "task" : "closure")")
        guard byTask else { return closure { [record] _ in record.end(index) } }
        tasks.append(
            Task { @BluetoothActor [record] in
                do { try await task() } catch {}
                record.end(index)
            })
    }

    private func startOwn(_ operation: RoleOperation, _ number: Int, byTask: Bool) {
        guard let manager, let service, let updates = service[Self.updates], let alerts = service[Self.alerts] else {
            return
        }
        let title = operation.rawValue
        let value = record.makeValue()
        let characteristic = operation == .notifyOne ? updates : alerts
        switch operation {
        case .notify:
            begin(title, byTask: byTask) {
                updates.notify(value, completion: $0)
            } task: {
                try await updates.notify(value)
            }
        case .indicate:
            begin(title, byTask: byTask) {
                alerts.indicate(value, completion: $0)
            } task: {
                try await alerts.indicate(value)
            }
        case .notifyOne, .indicateOne:
            guard let central = characteristic.subscribers?.first ?? manager.centrals.first else { return }
            let isIndication = operation == .indicateOne
            begin(title, byTask: byTask) { done in
                if isIndication {
                    alerts.indicate(value, to: central, completion: done)
                } else {
                    updates.notify(value, to: central, completion: done)
                }
            } task: {
                if isIndication {
                    try await alerts.indicate(value, to: central)
                } else {
                    try await updates.notify(value, to: central)
                }
            }
        case .publish, .unpublish: startPublishing(operation == .publish, manager, service, byTask: byTask)
        case .advertise: advertise(manager, number, byTask: byTask)
        default:
            guard let instance = instances.popLast() else { return }
            begin(title, byTask: byTask) { done in
                instance.stop { done(nil) }
            } task: {
                await instance.stop()
            }
        }
    }

    private func startPublishing(
        _ isPublished: Bool, _ manager: PeripheralManager, _ service: LocalService, byTask: Bool
    ) {
        publications += 1
        if isPublished {
            begin("publish", byTask: byTask) {
                manager.publish(service, completion: $0)
            } task: {
                try await manager.publish(service)
            }
        } else {
            let isOwn = manager.services.contains { $0 === service }
            begin("unpublish", byTask: byTask) { done in
                manager.unpublish(service) { done(nil) }
                if isOwn { record.checkUnpublished() }
            } task: {
                await manager.unpublish(service)
            }
        }
    }

    private func advertise(_ manager: PeripheralManager, _ number: Int, byTask: Bool) {
        var advertisement = LocalAdvertisement(localName: "Faults \(number)")
        advertisement.isConnectable = number % 3 > 0
        if number % 5 == 0 { advertisement.timeout = .seconds(1) }
        let content = advertisement
        begin("advertise", byTask: byTask) { [weak self] done in
            manager.startAdvertising(content) { instance, error in
                if let instance, self?.manager === manager { self?.instances.append(instance) }
                done(error)
            }
        } task: { [weak self, weak manager] in
            guard let instance = try await manager?.startAdvertising(content) else { return }
            if self?.manager === manager { self?.instances.append(instance) }
        }
    }

    // MARK: The centrals

    private func startRemote(_ operation: RoleOperation, _ number: Int) {
        let index = number % simulator.centrals.count
        let central = simulator.centrals[index]
        let operationIndex = record.begin("\(operation.rawValue) by central \(index)")
        Task { @BluetoothActor in
            // Links end, and attributes go.
            do { try await use(central, index, operation, number) } catch {}
            record.end(operationIndex)
        }
    }

    private func use(
        _ central: SimulatedCentral, _ index: Int, _ operation: RoleOperation, _ number: Int
    ) async throws {
        let title = "\(operation.rawValue) by central \(index)"
        switch operation {
        case .connect: try await connect(index, maximumMTU: number % 4 < 2 ? 23 : 517)
        case .holdConfirmations: await simulator.confirm(false, central)
        case .confirm: await simulator.confirm(true, central)
        // Before, bluetoothd does not report whether a bonded central is still subscribed.
        case .pair: if simulator.isNew { try await central.pair() }
        case .read, .readLong:
            let uuid = operation == .read ? [Self.value, Self.updates, Self.alerts][number % 3] : Self.value
            guard let handle = await central.characteristic(uuid)?.handle else { return }
            let before = publications
            let result = operation == .read ? try await central.read(handle) : try await central.readLong(handle)
            // The parts of a long value may be those of two publications.
            if case .success(let bytes) = result, operation == .read || before == publications {
                record.received(bytes, title)
            }
        case .readDescriptor:
            guard let handle = await central.characteristic(Self.value)?.descriptors.keys.first else { return }
            _ = try await central.read(handle)
        case .write, .prepare:
            guard let handle = await central.characteristic(Self.value)?.handle else { return }
            let value = [UInt8](record.makeValue().prefix(20))
            let half = value.count / 2
            let parts = [(UInt16(0), Array(value[..<half])), (UInt16(half), Array(value[half...]))]
            let result =
                operation == .write
                ? try await central.write(value, to: handle) : try await central.prepare(parts, of: handle)
            if case .success = result { record.received(value, title) }
        case .command:
            guard let handle = await central.characteristic(Self.sink)?.handle else { return }
            try await central.command([UInt8](record.makeValue().prefix(20)), to: handle)
        default:
            let (uuid, configuration) = operation == .subscribe ? (Self.updates, 1) : (Self.alerts, 2)
            let isEnd = operation == .unsubscribe
            guard let found = await central.characteristic(isEnd && number % 4 < 2 ? Self.updates : uuid) else {
                return
            }
            _ = try await central.configure(found, isEnd ? 0 : UInt16(configuration))
        }
    }
}
