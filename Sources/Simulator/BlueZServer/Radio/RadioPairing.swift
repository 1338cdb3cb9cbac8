import BlueZDBus

/// A pairing in progress, until it ends or is cancelled.
@BlueZServerActor package protocol RadioPairing: AnyObject {
    /// Gets the end; nil if the pairing has ended or is cancelled.
    var completion: (@BlueZServerActor (PairingEnd) -> Void)? { get set }

    /// Begins the pairing. The completion may be called before this method returns.
    func start()

    /// Withdraws what is under way. It is called once, at the end.
    ///
    /// - Parameter reason: that of `cancel`.
    func withdraw(_ reason: String?)
}

extension RadioPairing {
    /// Ends the pairing, unless it has ended.
    package func end(_ end: PairingEnd) {
        guard let completion = completion.take() else { return }
        withdraw(nil)
        completion(end)
    }

    /// Cancels the pairing. Its completion is not called.
    ///
    /// - Parameter reason: the name of the reason for the device, if any (Bluetooth Core Specification, Vol 3, Part H,
    ///   3.5.5).
    package func cancel(_ reason: String?) {
        if completion.take() != nil { withdraw(reason) }
    }
}

/// The properties of a requested pairing.
@BlueZServerActor package struct PairingRequest {
    /// The questions to the client's agent.
    package let dialogue: PairingDialogue
    /// Whether a client called `Pair`, so that it need not confirm the pairing if there is nothing to compare.
    package let isWanted: Bool
    /// Whether a number must be compared or typed.
    package let needsAuthentication: Bool
}

/// The result of a pairing.
package enum PairingEnd: Hashable, Sendable {
    /// The pairing succeeded, and there are keys.
    ///
    /// - isAuthenticated: whether a number was compared or typed.
    /// - isBonded: whether the device keeps them.
    case paired(isAuthenticated: Bool, isBonded: Bool)
    /// This side refused or cancelled.
    case refusedHere
    /// The device refused, or its number differed.
    case refusedThere
    /// A question was not answered in time. The link is dropped.
    case timedOut
    /// Another bus returned this error.
    case failed(DBusError)
}

/// The questions to a client's agent about one device during pairing.
@BlueZServerActor package struct PairingDialogue {
    private let agent: Agent?
    private let path: ObjectPath

    init(agent: Agent?, path: ObjectPath) {
        self.agent = agent
        self.path = path
    }

    /// The agent's capability by its name in BlueZ; nil without an agent.
    package var capability: String? { agent?.capability }

    /// Asks whether the device may pair.
    package func authorize(_ completion: @escaping @BlueZServerActor (Bool) -> Void) {
        ask("RequestAuthorization", []) { completion((try? $0.get()) != nil) }
    }

    /// Asks whether the device shows the same number.
    package func confirm(_ passkey: UInt32, _ completion: @escaping @BlueZServerActor (Bool) -> Void) {
        ask("RequestConfirmation", [.uint32(passkey)]) { completion((try? $0.get()) != nil) }
    }

    /// Asks for the number that the device shows. The completion gets nil if the agent refuses, and an impossible
    /// number if its reply has none.
    package func requestPasskey(_ completion: @escaping @BlueZServerActor (UInt32?) -> Void) {
        ask("RequestPasskey", []) { result in
            guard let message = try? result.get() else { return completion(nil) }
            var reader = message.reader
            completion((try? reader.readUInt32()) ?? .max)
        }
    }

    /// Shows a number, and how many of its digits have been typed on the device.
    package func display(_ passkey: UInt32, digits: UInt16) {
        agent?.object.tell("DisplayPasskey", [.objectPath(path), .uint32(passkey), .uint16(digits)])
    }

    /// Withdraws the question.
    package func cancel() {
        agent?.cancel()
    }

    private func ask(_ member: String, _ arguments: [Value], _ completion: @escaping Agent.Completion) {
        guard let agent else { return completion(.failure(BlueZError.doesNotExist)) }
        agent.ask(member, [.objectPath(path)] + arguments, completion)
    }
}
