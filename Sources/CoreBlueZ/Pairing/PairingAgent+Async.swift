extension PairingAgent {
    /// Answers with PIN codes; the async twin of `pinCodeHandler`, which it sets. An error refuses. The task is cancelled
    /// where the question is withdrawn.
    public func setPinCodeHandler(_ body: @escaping @BluetoothActor (Peripheral) async throws -> PinCode) {
        pinCodeHandler = { peripheral, reply in reply.accept { try await body(peripheral) } }
    }

    /// Answers with passkeys; the async twin of `passkeyHandler`, which it sets. An error refuses. The task is cancelled
    /// where the question is withdrawn.
    public func setPasskeyHandler(_ body: @escaping @BluetoothActor (Peripheral) async throws -> Passkey) {
        passkeyHandler = { peripheral, reply in reply.accept { try await body(peripheral) } }
    }

    /// Confirms numbers, by true; the async twin of `confirmationHandler`, which it sets. An error refuses. The task is
    /// cancelled where the question is withdrawn.
    public func setConfirmationHandler(_ body: @escaping @BluetoothActor (Peripheral, Passkey) async throws -> Bool) {
        confirmationHandler = { peripheral, passkey, reply in reply.accept { try await body(peripheral, passkey) } }
    }

    /// Allows pairing where nothing is compared, by true; the async twin of `authorizationHandler`, which it sets. An
    /// error refuses. The task is cancelled where the question is withdrawn.
    public func setAuthorizationHandler(_ body: @escaping @BluetoothActor (Peripheral) async throws -> Bool) {
        authorizationHandler = { peripheral, reply in reply.accept { try await body(peripheral) } }
    }

    /// Allows services, by true; the async twin of `serviceAuthorizationHandler`, which it sets. An error refuses. The
    /// task is cancelled where the question is withdrawn.
    public func setServiceAuthorizationHandler(
        _ body: @escaping @BluetoothActor (Peripheral, BluetoothUUID) async throws -> Bool
    ) {
        serviceAuthorizationHandler = { peripheral, service, reply in
            reply.accept { try await body(peripheral, service) }
        }
    }
}

extension PairingReply {
    /// Answers with what a task brings, and refuses where it fails.
    fileprivate func accept(_ body: @escaping @BluetoothActor () async throws -> Answer) where Answer: Sendable {
        let task = Task { @BluetoothActor in
            do { accept(try await body()) } catch { reject() }
        }
        withdrawHandler = { task.cancel() }
    }
}

extension PairingReply where Answer == Void {
    fileprivate func accept(_ body: @escaping @BluetoothActor () async throws -> Bool) {
        let task = Task { @BluetoothActor in
            if (try? await body()) == true { accept() } else { reject() }
        }
        withdrawHandler = { task.cancel() }
    }
}
