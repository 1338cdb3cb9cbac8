/// An agent that asks the user pairing questions and shows passkeys, on behalf of bluetoothd (doc/org.bluez.Agent.rst).
///
/// Set the closures that your program supports, and pass the agent to
/// ``CentralManager/registerPairingAgent(_:asDefault:completion:)`` before you call `pair`:
///
/// ```swift
/// let agent = PairingAgent()
/// agent.confirmationHandler = { peripheral, passkey, reply in
///     dialogue.show("Does \(peripheral.displayName) show \(passkey)?", yes: reply.accept, no: reply.reject)
/// }
/// agent.cancelHandler = { _ in dialogue.close() }
/// try await central.registerPairingAgent(agent)
/// try await peripheral.pair()
/// ```
///
/// **Refusals.** The agent refuses every question for which you set no closure (`org.bluez.Error.Rejected`), and every
/// question about a device that this process is not pairing, unless the agent was registered as the default. Without an
/// agent, `pair` supports only "Just Works" and refuses everything else.
///
/// **Security.** A man in the middle can attack a link while it is being paired. Only a person who compares or types
/// the number prevents that: don't accept a confirmation by program, don't log passkeys, and show the name *and* the
/// address of the device that asks, because any device can advertise any name. "Just Works" protects only from passive
/// eavesdroppers. It is accepted without a question only if this process called `pair`.
///
/// A program has one agent per bus. The agent is retained until it is unregistered, with everything that its closures
/// capture. A manager that they capture strongly is not released before that.
@BluetoothActor public final class PairingAgent {
    /// A closure that asks a question about a peripheral, and passes the answer to the reply.
    public typealias Question<Answer> = @BluetoothActor (Peripheral, PairingReply<Answer>) -> Void

    /// The capability given to the initializer; nil derives it from the closures that are set.
    public let statedCapability: PairingCapability?

    /// Creates an agent without closures.
    /// - Parameter capability: what the program can show and ask for. Nil, the default, derives it from the closures;
    ///   see ``capability``.
    public init(capability: PairingCapability? = nil) {
        statedCapability = capability
    }

    /// The capability that is reported to bluetoothd when the agent is registered. Closures that you set later don't
    /// change it. If the initializer got no capability, it is `keyboardDisplay` with passkeys and confirmations,
    /// `keyboardOnly` with passkeys or PIN codes, `displayYesNo` with confirmations, `displayOnly` with something to
    /// show, and otherwise `noInputNoOutput`.
    public var capability: PairingCapability {
        if let statedCapability { return statedCapability }
        let canType = passkeyHandler != nil || pinCodeHandler != nil
        if confirmationHandler != nil { return canType ? .keyboardDisplay : .displayYesNo }
        if canType { return .keyboardOnly }
        return displayPasskeyHandler != nil || displayPinCodeHandler != nil ? .displayOnly : .noInputNoOutput
    }

    // MARK: Questions

    /// Asks for the PIN code of the device, which is often in its manual (`RequestPinCode`; devices before Bluetooth
    /// 2.1).
    public var pinCodeHandler: Question<PinCode>?

    /// Asks for the passkey that the device shows (`RequestPasskey`).
    public var passkeyHandler: Question<Passkey>?

    /// Asks whether the device shows this number (`RequestConfirmation`).
    public var confirmationHandler: (@BluetoothActor (Peripheral, Passkey, PairingReply<Void>) -> Void)?

    /// Asks whether to pair with a device when there is nothing to compare or type (`RequestAuthorization`) because the
    /// device started the pairing, or reading a value did. Not called if this process called `pair`.
    public var authorizationHandler: Question<Void>?

    /// Asks whether the device may use a service of this machine (`AuthorizeService`). Not called for trusted devices.
    public var serviceAuthorizationHandler: (@BluetoothActor (Peripheral, BluetoothUUID, PairingReply<Void>) -> Void)?

    // MARK: Display

    /// Shows a PIN code to type on the device (`DisplayPinCode`).
    public var displayPinCodeHandler: (@BluetoothActor (Peripheral, PinCode) -> Void)?

    /// Shows a passkey to type on the device, and how many of its digits have been typed so far (`DisplayPasskey`).
    /// Called again for each key if the device reports keys, as few do. Hide the passkey when `pair` ends.
    public var displayPasskeyHandler: (@BluetoothActor (Peripheral, Passkey, _ entered: Int) -> Void)?

    // MARK: The end

    /// Called when a question is withdrawn before it was answered, because bluetoothd cancelled it (`Cancel`) or
    /// stopped, or because the pairing ended. The reply no longer has any effect. Close the dialogue.
    public var cancelHandler: (@BluetoothActor (Peripheral) -> Void)?

    /// Called when bluetoothd releases the agent because it stops (`Release`). The agent is registered again when
    /// bluetoothd is back.
    public var releaseHandler: (@BluetoothActor () -> Void)?

    // MARK: Pending questions

    private struct Pending {
        let peripheral: Peripheral
        let withdraw: @BluetoothActor () -> Void
    }

    private var pending: [ObjectIdentifier: Pending] = [:]

    /// Asks a question, and passes on its answer, or nil if the question was refused.
    func ask<Answer>(
        _ peripheral: Peripheral,
        _ answered: @escaping @BluetoothActor (Answer?) -> Void,
        _ question: @BluetoothActor (PairingReply<Answer>) -> Void
    ) {
        // Does not retain the reply, because releasing it counts as a refusal.
        let token = Token()
        let key = ObjectIdentifier(token)
        let reply = PairingReply<Answer> { [weak self] answer in
            self?.pending[key] = nil
            withExtendedLifetime(token) { answered(answer) }
        }
        pending[key] = Pending(peripheral: peripheral) { [weak reply] in
            reply?.withdraw()
            answered(nil)
        }
        question(reply)
    }

    private final class Token {}

    /// Withdraws the questions about a device, or all questions.
    func cancelQuestions(about peripheral: Peripheral? = nil) {
        let withdrawn = pending.filter { peripheral == nil || $0.value.peripheral === peripheral }
        for (key, question) in withdrawn {
            pending[key] = nil
            question.withdraw()
            cancelHandler?(question.peripheral)
        }
    }
}

extension PairingAgent {
    /// Answers questions with PIN codes; the async form of `pinCodeHandler`, which it sets. Throwing an error refuses.
    /// The task is cancelled if the question is withdrawn.
    public func setPinCodeHandler(_ body: @escaping @BluetoothActor (Peripheral) async throws -> PinCode) {
        pinCodeHandler = { peripheral, reply in reply.accept { try await body(peripheral) } }
    }

    /// Answers questions with passkeys; the async form of `passkeyHandler`, which it sets. Throwing an error refuses.
    /// The task is cancelled if the question is withdrawn.
    public func setPasskeyHandler(_ body: @escaping @BluetoothActor (Peripheral) async throws -> Passkey) {
        passkeyHandler = { peripheral, reply in reply.accept { try await body(peripheral) } }
    }

    /// Confirms numbers by returning true; the async form of `confirmationHandler`, which it sets. Throwing an error
    /// refuses. The task is cancelled if the question is withdrawn.
    public func setConfirmationHandler(_ body: @escaping @BluetoothActor (Peripheral, Passkey) async throws -> Bool) {
        confirmationHandler = { peripheral, passkey, reply in reply.accept { try await body(peripheral, passkey) } }
    }

    /// Allows pairing without a comparison by returning true; the async form of `authorizationHandler`, which it sets.
    /// Throwing an error refuses. The task is cancelled if the question is withdrawn.
    public func setAuthorizationHandler(_ body: @escaping @BluetoothActor (Peripheral) async throws -> Bool) {
        authorizationHandler = { peripheral, reply in reply.accept { try await body(peripheral) } }
    }

    /// Allows services by returning true; the async form of `serviceAuthorizationHandler`, which it sets. Throwing an
    /// error refuses. The task is cancelled if the question is withdrawn.
    public func setServiceAuthorizationHandler(
        _ body: @escaping @BluetoothActor (Peripheral, BluetoothUUID) async throws -> Bool
    ) {
        serviceAuthorizationHandler = { peripheral, service, reply in
            reply.accept { try await body(peripheral, service) }
        }
    }
}

extension PairingReply {
    /// Answers with the result of a task, and refuses if it fails.
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
