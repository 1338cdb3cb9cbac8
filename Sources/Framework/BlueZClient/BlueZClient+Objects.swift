import BlueZDBus

/// Copies bluetoothd's objects into the mirror.
extension BlueZClient {
    /// Copies all of bluetoothd's objects, once per instance because there may be tens of thousands. They are copied in
    /// slices, between which the thread does other work. The connection's next messages wait for the last slice.
    func refresh(_ completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        call(BlueZ.root, BlueZ.objectManager, "GetManagedObjects", limit: timeouts.snapshot) { [weak self] result in
            guard let self else { return }
            do throws(DBusError) {
                let snapshot = try Mirror.Snapshot(try result.get())
                self.connection?.suspend()
                self.apply(snapshot, self.connection, completion)
            } catch {
                completion(BluetoothError(error, in: .other, "bluetoothd"))
            }
        }
    }

    private func apply(
        _ snapshot: Mirror.Snapshot, _ source: Connection?,
        _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        guard let connection, connection === source else {
            return completion(
                BluetoothError(.busUnavailable, BluetoothError.unavailable(BluetoothError.busLostSuggestion)))
        }
        do throws(DBusError) {
            publish(try mirror.apply(snapshot))
            if !snapshot.isDone {
                return BluetoothActor.perform { [weak self] in self?.apply(snapshot, source, completion) }
            }
            connection.resume()
            completion(nil)
        } catch {
            connection.resume()
            completion(BluetoothError(error, in: .other, "bluetoothd"))
        }
    }

    /// Runs `completion` when the objects of a connected device's services are all in the mirror. bluetoothd reports
    /// that the services are resolved before it announces their objects, and it announces pending objects before every
    /// reply (gdbus/object.c: g_dbus_send_message): any reply is a barrier.
    ///
    /// The mirror shows whether they are still resolved and complete, because later signals may have arrived first.
    package func completeServices(
        of device: ObjectPath, _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        guard servicesWaiters[device] == nil else { return servicesWaiters[device, default: []].append(completion) }
        servicesWaiters[device] = [completion]
        call(device, BlueZ.properties, "Get", limit: timeouts.services) { (writer) throws(DBusError) in
            try writer.append(BlueZ.device)
            try writer.append("ServicesResolved")
        } reply: { [weak self] result in
            guard let self else { return }
            if case .success = result, let path = mirror.characteristicWithoutMTU(below: device) {
                return readMTU(at: path, of: device)
            }
            let error = result.failure.map { BluetoothError($0, in: .other, "Discovering the services") }
            servicesAreComplete(of: device, error)
        }
    }

    /// Reads the MTU of a new link. bluetoothd keeps the objects of a device across its links, and announces the MTU by
    /// signals that are not received while nothing is subscribed. The MTU is the same for all characteristics.
    private func readMTU(at path: ObjectPath, of device: ObjectPath) {
        call(path, BlueZ.properties, "Get", limit: timeouts.services) { (writer) throws(DBusError) in
            try writer.append(BlueZ.gattCharacteristic)
            try writer.append("MTU")
        } reply: { [weak self] result in
            // Before 5.62 this property does not exist.
            if var reader = try? result.get().reader,
                let mtu = try? reader.readVariant({ (value) throws(DBusError) in try value.readUInt16() })
            {
                self?.mirror.setMTU(Int(mtu), below: device)
            }
            self?.servicesAreComplete(of: device, nil)
        }
    }

    private func servicesAreComplete(of device: ObjectPath, _ error: BluetoothError?) {
        guard let waiters = servicesWaiters.removeValue(forKey: device) else { return }
        if error == nil { mirror.completeServices(of: device) }
        for waiter in waiters { waiter(error) }
    }
}
