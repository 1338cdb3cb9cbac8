/// Asks the user pairing questions and shows passkeys, for bluetoothd (doc/org.bluez.Agent.rst).
///
/// Set the closures that the program supports, and pass the agent to
/// ``CentralManager/registerPairingAgent(_:asDefault:completion:)`` before `pair`:
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
/// **What is refused.** A question whose closure is not set is refused (`org.bluez.Error.Rejected`), and so is every
/// question about a device that this process is not pairing itself, unless the agent was registered as default. Without
/// an agent, `pair` supports only "Just Works" and refuses everything else.
///
/// **Security.** Pairing is the moment at which a man in the middle can get in. Only a person who compares or types the
/// number keeps them out: do not accept a confirmation by program, do not log passkeys, and show which device asks by
/// its name *and* address, because any device can advertise any name. "Just Works" protects only from passive
/// listeners, and is accepted without a question only if this process called `pair`.
///
/// A program has one agent for each bus. It is retained until it is unregistered, with everything its closures capture:
/// a manager that they capture strongly lives as long.
@BluetoothActor public final class PairingAgent {
    /// A question: the peripheral, and the reply that takes the answer.
    public typealias Question<Answer> = @BluetoothActor (Peripheral, PairingReply<Answer>) -> Void

    /// The capability given to the initializer; nil derives it from the closures that are set.
    public let statedCapability: PairingCapability?

    /// Creates an agent.
    /// - Parameter capability: what the program can show and ask for; nil derives it from the closures, see
    ///   ``capability``.
    public init(capability: PairingCapability? = nil) {
        statedCapability = capability
    }

    /// The capability that bluetoothd learns when the agent is registered; later changes of closures have no effect. If
    /// none was given: `keyboardDisplay` with passkeys and confirmations, `keyboardOnly` with passkeys or PIN codes,
    /// `displayYesNo` with confirmations, `displayOnly` with something to show, otherwise `noInputNoOutput`.
    public var capability: PairingCapability {
        if let statedCapability { return statedCapability }
        let canType = passkeyHandler != nil || pinCodeHandler != nil
        if confirmationHandler != nil { return canType ? .keyboardDisplay : .displayYesNo }
        if canType { return .keyboardOnly }
        return displayPasskeyHandler != nil || displayPinCodeHandler != nil ? .displayOnly : .noInputNoOutput
    }

    // MARK: Questions

    /// Asks for the PIN code that the device requires or came with (`RequestPinCode`; devices before Bluetooth 2.1).
    public var pinCodeHandler: Question<PinCode>?

    /// Asks for the passkey that the device shows (`RequestPasskey`).
    public var passkeyHandler: Question<Passkey>?

    /// Asks whether the device shows this number (`RequestConfirmation`).
    public var confirmationHandler: (@BluetoothActor (Peripheral, Passkey, PairingReply<Void>) -> Void)?

    /// Asks whether to pair with a device if there is nothing to compare or type (`RequestAuthorization`): the device
    /// started the pairing, or reading a value did. Not asked if this process called `pair`.
    public var authorizationHandler: Question<Void>?

    /// Asks whether the device may use a service of this computer (`AuthorizeService`); not called for trusted devices.
    public var serviceAuthorizationHandler: (@BluetoothActor (Peripheral, BluetoothUUID, PairingReply<Void>) -> Void)?

    // MARK: Display

    /// Shows a PIN code to type on the device (`DisplayPinCode`).
    public var displayPinCodeHandler: (@BluetoothActor (Peripheral, PinCode) -> Void)?

    /// Shows a passkey to type on the device, and how many of its digits have been typed so far (`DisplayPasskey`).
    /// Called again with each key if the device reports keys, as few do. It is over when `pair` ends.
    public var displayPasskeyHandler: (@BluetoothActor (Peripheral, Passkey, _ entered: Int) -> Void)?

    // MARK: The end

    /// Called when a question is withdrawn before it was answered: bluetoothd cancelled it (`Cancel`), stopped, or the
    /// pairing ended. Its reply no longer has any effect; close the dialogue.
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

    /// Asks a question and passes its answer on: nil if it was refused.
    func ask<Answer>(
        _ peripheral: Peripheral,
        _ answered: @escaping @BluetoothActor (Answer?) -> Void,
        _ question: @BluetoothActor (PairingReply<Answer>) -> Void
    ) {
        // Does not keep the reply itself: releasing it is an answer.
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

    /// Withdraws the questions about a device, or all.
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
    /// Answers questions with PIN codes; the async form of `pinCodeHandler`, which it sets. An error refuses. The task
    /// is cancelled if the question is withdrawn.
    public func setPinCodeHandler(_ body: @escaping @BluetoothActor (Peripheral) async throws -> PinCode) {
        pinCodeHandler = { peripheral, reply in reply.accept { try await body(peripheral) } }
    }

    /// Answers questions with passkeys; the async form of `passkeyHandler`, which it sets. An error refuses. The task
    /// is cancelled if the question is withdrawn.
    public func setPasskeyHandler(_ body: @escaping @BluetoothActor (Peripheral) async throws -> Passkey) {
        passkeyHandler = { peripheral, reply in reply.accept { try await body(peripheral) } }
    }

    /// Confirms numbers by returning true; the async form of `confirmationHandler`, which it sets. An error refuses.
    /// The task is cancelled if the question is withdrawn.
    public func setConfirmationHandler(_ body: @escaping @BluetoothActor (Peripheral, Passkey) async throws -> Bool) {
        confirmationHandler = { peripheral, passkey, reply in reply.accept { try await body(peripheral, passkey) } }
    }

    /// Allows pairing without a comparison by returning true; the async form of `authorizationHandler`, which it sets.
    /// An error refuses. The task is cancelled if the question is withdrawn.
    public func setAuthorizationHandler(_ body: @escaping @BluetoothActor (Peripheral) async throws -> Bool) {
        authorizationHandler = { peripheral, reply in reply.accept { try await body(peripheral) } }
    }

    /// Allows services by returning true; the async form of `serviceAuthorizationHandler`, which it sets. An error
    /// refuses. The task is cancelled if the question is withdrawn.
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
