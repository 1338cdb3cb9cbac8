import BlueZSimulator
import CoreBlueZ
import FoundationEssentials

extension ServedPeripheral {
    func service(_ original: SimulatedService) -> LocalService {
        LocalService(
            original.uuid, isPrimary: original.isPrimary, characteristics: original.characteristics.map(characteristic))
    }

    /// bluetoothd adds these itself (src/gatt-database.c: database_add_ccc, database_add_cep).
    private static let ownDescriptors: Set<BluetoothUUID> = [.clientConfiguration, .extendedProperties]

    private func characteristic(_ original: SimulatedCharacteristic) -> LocalCharacteristic {
        let specification = original.specification
        let descriptors = original.descriptors.filter { !Self.ownDescriptors.contains($0.uuid) }
        let local = LocalCharacteristic(
            specification.uuid, properties: specification.properties, permissions: specification.permissions,
            descriptors: descriptors.map { descriptor($0, of: original) })
        serve(local) {
            original.value
        } perform: { peripheral, value, completion in
            if let value {
                peripheral.write(value, to: original, kind: original.kindOfWrite, completion: completion)
            } else {
                peripheral.read(original, completion: completion)
            }
        }
        local.subscriptionHandler = { [weak self] in self?.subscriptionChanged($0, $1) }
        characteristics[ObjectIdentifier(original)] = local
        originals[ObjectIdentifier(local)] = original
        return local
    }

    private func descriptor(
        _ original: SimulatedDescriptor, of characteristic: SimulatedCharacteristic
    ) -> LocalDescriptor {
        let local = LocalDescriptor(original.uuid, permissions: original.specification.permissions)
        serve(local) {
            original.value
        } perform: { peripheral, value, completion in
            peripheral.use(original, of: characteristic, writing: value, completion: completion)
        }
        return local
    }

    // MARK: Requests

    /// Reads the peripheral's attribute, or writes a value to it.
    private typealias Access =
        @SimulatorActor (SimulatedPeripheral, [UInt8]?, @escaping SimulatedPeripheral.Completion) -> Void

    /// Passes the requests of an attribute on.
    private func serve(
        _ attribute: LocalAttribute, value: @escaping @SimulatorActor () -> [UInt8], perform: @escaping Access
    ) {
        attribute.readHandler = { [weak self] request in
            self?.use(request.central)
            self?.pass(nil, perform) { result in
                let result = result.map { Data($0) }
                switch result {
                case .success(let value): request.respond(with: value)
                case .failure(let error): request.fail(error)
                }
                if let attribute = request.attribute { self?.tell(.read(attribute, request.central, result)) }
            }
        }
        attribute.writeHandler = { [weak self] request in
            guard !request.isAuthorization else { return request.respond() }
            self?.use(request.central)
            self?.takeWhole(request, value) { value in
                self?.pass([UInt8](value), perform) { result in
                    var error: ATTError?
                    if case .failure(let failure) = result { error = failure }
                    if let error { request.fail(error) } else { request.respond() }
                    guard let attribute = request.attribute else { return }
                    self?.tell(.written(attribute, request.central, value, error))
                }
            }
        }
    }

    private func pass(
        _ value: [UInt8]?, _ perform: @escaping Access,
        _ completion: @escaping @BluetoothActor (Result<[UInt8], ATTError>) -> Void
    ) {
        SimulatorActor.schedule(after: .zero) { [peripheral] in
            perform(peripheral, value) { result in BluetoothActor.perform { completion(result) } }
        }
    }

    /// Passes on the whole value after a write. Only a prepared write changes a part of it.
    private func takeWhole(
        _ request: WriteRequest, _ old: @escaping @SimulatorActor () -> [UInt8],
        _ body: @escaping @BluetoothActor (Data) -> Void
    ) {
        guard request.offset > 0 else { return body(request.value) }
        SimulatorActor.schedule(after: .zero) {
            let value = Data(old())
            BluetoothActor.perform {
                do throws(ATTError) {
                    body(try request.merged(into: value))
                } catch {
                    request.fail(error)
                }
            }
        }
    }
}

extension SimulatedCharacteristic {
    /// BlueZ does not say how a value was written.
    fileprivate var kindOfWrite: AttributeRequest.Kind {
        properties.isDisjoint(with: [.write, .reliableWrite]) ? .command : .write
    }
}
