import BlueZValues

extension DatabaseServer {
    /// DEFAULT_MAX_PREP_QUEUE_LEN
    private static let preparedLimit = 30

    /// write_cb(): a write request. Like bluetoothd, it does not distinguish requests and commands.
    package func write(_ value: [UInt8], to handle: UInt16, _ completion: @escaping Completion) {
        write(value, to: handle, .write, completion)
    }

    /// A write command, whose errors are not reported.
    package func command(_ value: [UInt8], to handle: UInt16) {
        write(value, to: handle, .command) { _ in }
    }

    private func write(
        _ value: [UInt8], to handle: UInt16, _ kind: LocalRequest.Kind, _ completion: @escaping Completion
    ) {
        guard let attribute = writable(handle, value.count + header(2), 0, completion) else { return }
        attribute.write(request(kind, value: value, completion), timeout: database.timeout)
    }

    /// prep_write_cb(): nothing is written, but the attribute may refuse it.
    package func prepare(
        _ value: [UInt8], to handle: UInt16, offset: UInt16, _ completion: @escaping Completion
    ) {
        guard prepared.count < Self.preparedLimit else { return completion(.failure(.prepareQueueFull)) }
        guard let attribute = writable(handle, value.count + header(4), Int(offset), completion) else { return }
        let request = request(.prepare, offset: offset) { [weak self] result in
            if let self, case .success = result { self.store(value, handle, offset) }
            completion(result.map { _ in value })
        }
        attribute.write(request, timeout: database.timeout)
    }

    /// store_prep_data(): a write that continues the last one is merged with it.
    private func store(_ value: [UInt8], _ handle: UInt16, _ offset: UInt16) {
        if let last = prepared.last, last.handle == handle, Int(offset) == Int(last.offset) + last.value.count {
            prepared[prepared.count - 1].value += value
            return
        }
        let characteristic = database.services.lazy.flatMap(\.characteristics).first { $0.value.handle == handle }
        prepared.append(
            PreparedWrite(
                handle: handle, offset: offset, value: value,
                isReliable: characteristic?.properties.contains(.reliableWrite) == true))
    }

    /// exec_write_cb(): writes what was prepared, or forgets it. More than one write needs reliable characteristics.
    package func execute(_ isWritten: Bool, _ completion: @escaping Completion) {
        guard isOpen else { return completion(.failure(.unlikelyError)) }
        let writes = prepared
        prepared.removeAll()
        guard isWritten else { return completion(.success([])) }
        if writes.count > 1, writes.contains(where: { !$0.isReliable }) {
            return completion(.failure(.requestNotSupported))
        }
        execute(writes[...], completion)
    }

    private func execute(_ writes: ArraySlice<PreparedWrite>, _ completion: @escaping Completion) {
        guard let write = writes.first else { return completion(.success([])) }
        guard let attribute = database.attribute(write.handle) else { return completion(.failure(.unlikelyError)) }
        let request = request(.execute, offset: write.offset, value: write.value) { [weak self] result in
            guard let self, case .success = result else { return completion(result) }
            self.execute(writes.dropFirst(), completion)
        }
        attribute.write(request, timeout: database.timeout)
    }

    private func request(
        _ kind: LocalRequest.Kind, offset: UInt16 = 0, value: [UInt8] = [], _ completion: @escaping Completion
    ) -> LocalRequest {
        LocalRequest(kind, offset: offset, value: value, on: self) { [weak self] result in
            completion(self?.isOpen == true ? result.map { _ in [] } : .failure(.unlikelyError))
        }
    }

    /// bluetoothd 5.66 counts the handle and the offset of the request as bytes of the value.
    private func header(_ count: Int) -> Int { database.settings?.version ?? .v5_66 < .v5_82 ? count : 0 }

    /// check_length() and check_permissions()
    private func writable(
        _ handle: UInt16, _ length: Int, _ offset: Int, _ completion: @escaping Completion
    ) -> LocalAttribute? {
        var error: ATTError?
        let attribute = database.attribute(handle)
        if !isOpen {
            error = .unlikelyError
        } else if attribute == nil {
            error = .invalidHandle
        } else if length > 512 {
            error = .invalidAttributeValueLength
        } else if offset > 512 {
            error = .invalidOffset
        } else if length + offset > 512 {
            error = .invalidAttributeValueLength
        }
        error = error ?? attribute?.permissions.error(reading: false, over: security)
        if let error { completion(.failure(error)) }
        return error == nil ? attribute : nil
    }
}
