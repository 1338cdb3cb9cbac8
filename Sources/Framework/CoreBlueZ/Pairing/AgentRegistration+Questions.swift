import BlueZClient
import BlueZDBus

/// bluetoothd's questions and reports.
extension AgentRegistration {
    var methods: [ExportedInterface.Method] {
        [
            .init("Release", handler: fromDaemon { $0.release($1) }),
            .init("RequestPinCode", input: "o", output: "s", handler: fromDaemon { $0.requestPinCode($1) }),
            .init("DisplayPinCode", input: "os", handler: fromDaemon { $0.displayPinCode($1) }),
            .init("RequestPasskey", input: "o", output: "u", handler: fromDaemon { $0.requestPasskey($1) }),
            .init("DisplayPasskey", input: "ouq", handler: fromDaemon { $0.displayPasskey($1) }),
            .init("RequestConfirmation", input: "ou", handler: fromDaemon { $0.requestConfirmation($1) }),
            .init("RequestAuthorization", input: "o", handler: fromDaemon { $0.requestAuthorization($1) }),
            .init("AuthorizeService", input: "os", handler: fromDaemon { $0.authorizeService($1) }),
            .init("Cancel", handler: fromDaemon { $0.cancel($1) }),
        ]
    }

    private static func reject(_ call: IncomingCall, _ reason: String = "Nobody accepts this") {
        call.fail(.rejected, reason)
    }

    /// Rejects calls that do not come from bluetoothd, since every program on the bus can call.
    private func fromDaemon(
        _ body: @escaping @BluetoothActor (AgentRegistration, IncomingCall) -> Void
    ) -> @BluetoothActor (IncomingCall) -> Void {
        { [weak self] call in
            guard let self, let owner = self.client?.owner, call.sender == owner else {
                return Self.reject(call, "Only bluetoothd may ask")
            }
            body(self, call)
        }
    }

    // MARK: The agent to ask

    func peripheral(_ path: ObjectPath) -> Peripheral? {
        guard client?.mirror.devices[path] != nil else { return nil }
        return manager?.peripheral(at: path)
    }

    /// Returns the program's agent, if it may be asked about the device.
    private func asked(about path: ObjectPath) -> (PairingAgent, Peripheral)? {
        guard isDefault || devices[path] != nil, let agent, let peripheral = peripheral(path) else { return nil }
        return (agent, peripheral)
    }

    /// Asks a question, or refuses if no agent has a closure for it.
    private func ask<Answer>(
        _ call: IncomingCall,
        _ path: ObjectPath,
        _ question: (PairingAgent) -> PairingAgent.Question<Answer>?,
        _ write: @escaping @BluetoothActor (IncomingCall, Answer) -> Void
    ) {
        guard let (agent, peripheral) = asked(about: path), let question = question(agent) else {
            return Self.reject(call)
        }
        agent.ask(peripheral) { answer in
            if let answer { write(call, answer) } else { Self.reject(call) }
        } _: {
            question(peripheral, $0)
        }
    }

    // MARK: Questions

    private func requestPinCode(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath() else { return Self.reject(call) }
        ask(call, path, \.pinCodeHandler) { call, code in
            call.reply { (writer) throws(DBusError) in try writer.append(code.description) }
        }
    }

    private func requestPasskey(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath() else { return Self.reject(call) }
        ask(call, path, \.passkeyHandler) { call, passkey in
            call.reply { (writer) throws(DBusError) in try writer.append(.uint32(passkey.number)) }
        }
    }

    private func requestConfirmation(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath(), let passkey = (try? reader.readUInt32()).flatMap(Passkey.init)
        else { return Self.reject(call) }
        ask(call, path) { (agent: PairingAgent) -> PairingAgent.Question<Void>? in
            guard let handler = agent.confirmationHandler else { return nil }
            return { @BluetoothActor peripheral, reply in handler(peripheral, passkey, reply) }
        } _: { call, _ in
            call.reply()
        }
    }

    /// Accepts without a question if this process started the pairing, because there is nothing to compare.
    private func requestAuthorization(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath() else { return Self.reject(call) }
        if devices[path] != nil { return call.reply() }
        ask(call, path, \.authorizationHandler) { call, _ in call.reply() }
    }

    private func authorizeService(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath(),
            let service = (try? reader.readString()).flatMap(BluetoothUUID.init)
        else { return Self.reject(call) }
        ask(call, path) { (agent: PairingAgent) -> PairingAgent.Question<Void>? in
            guard let handler = agent.serviceAuthorizationHandler else { return nil }
            return { @BluetoothActor peripheral, reply in handler(peripheral, service, reply) }
        } _: { call, _ in
            call.reply()
        }
    }

    // MARK: Display

    private func displayPinCode(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath(), let code = (try? reader.readString()).flatMap(PinCode.init),
            let (agent, peripheral) = asked(about: path), let display = agent.displayPinCodeHandler
        else { return Self.reject(call) }
        display(peripheral, code)
        call.reply()
    }

    /// bluetoothd expects no answer. If the passkey cannot be shown, ending the pairing is the only way to refuse.
    private func displayPasskey(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath(), let passkey = (try? reader.readUInt32()).flatMap(Passkey.init),
            let entered = try? reader.readUInt16()
        else { return Self.reject(call) }
        guard let (agent, peripheral) = asked(about: path), let display = agent.displayPasskeyHandler else {
            if devices[path] != nil {
                client?.call(path, BlueZ.device, "CancelPairing", limit: Timeouts.disconnect) { _ in }
            }
            return Self.reject(call)
        }
        display(peripheral, passkey, Int(entered))
        call.reply()
    }

    // MARK: The end

    private func cancel(_ call: IncomingCall) {
        agent?.cancelQuestions()
        call.reply()
    }

    private func release(_ call: IncomingCall) {
        released()
        call.reply()
    }
}
