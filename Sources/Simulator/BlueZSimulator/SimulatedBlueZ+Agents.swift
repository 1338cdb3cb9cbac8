import BlueZDBus
import BlueZServer

extension SimulatedBlueZ {
    /// Releases all agents, as bluetoothd does before an orderly end.
    public func simulateAgentRelease() {
        daemon.agents.releaseAll()
    }

    /// Asks an agent whether a device may use a service of this machine.
    ///
    /// - Parameters:
    ///   - uuid: the UUID of the service.
    ///   - peripheral: the device.
    ///   - completion: gets whether the device may use the service; false if there is no agent.
    public func simulateServiceAuthorization(
        _ uuid: BluetoothUUID,
        of peripheral: SimulatedPeripheral,
        completion: @escaping @SimulatorActor (Bool) -> Void
    ) {
        ask("AuthorizeService", peripheral, [.string(uuid.fullString)]) { completion((try? $0.get()) != nil) }
    }

    /// Asks an agent for the PIN code of a device with legacy pairing, from before Bluetooth 2.1.
    ///
    /// - Parameters:
    ///   - peripheral: the device.
    ///   - completion: gets the code, or nil if the agent refuses, or returns one that is too short or too long.
    public func simulatePinCodeRequest(
        for peripheral: SimulatedPeripheral,
        completion: @escaping @SimulatorActor (String?) -> Void
    ) {
        ask("RequestPinCode", peripheral) { result in
            guard let message = try? result.get() else { return completion(nil) }
            var reader = message.reader
            let code = try? reader.readString()
            completion(code.flatMap { (1...16).contains($0.utf8.count) ? $0 : nil })
        }
    }

    /// Asks an agent to show a PIN code.
    ///
    /// - Parameters:
    ///   - code: the PIN code to show.
    ///   - peripheral: the device.
    ///   - completion: gets whether the agent showed the code.
    public func simulatePinCodeDisplay(
        _ code: String,
        for peripheral: SimulatedPeripheral,
        completion: @escaping @SimulatorActor (Bool) -> Void
    ) {
        ask("DisplayPinCode", peripheral, [.string(code)]) { completion((try? $0.get()) != nil) }
    }

    /// Withdraws the question to the default agent.
    public func simulateAgentCancel() {
        daemon.agents.agent(of: nil)?.cancel()
    }

    private func ask(
        _ member: String,
        _ peripheral: SimulatedPeripheral,
        _ arguments: [Value] = [],
        _ completion: @escaping Agent.Completion
    ) {
        guard let device = daemon.adapters.lazy.compactMap({ $0.device(at: peripheral.address) }).first,
            let agent = daemon.agents.agent(of: nil)
        else { return completion(.failure(BlueZError.doesNotExist)) }
        agent.ask(member, [.objectPath(device.path)] + arguments, completion)
    }
}
