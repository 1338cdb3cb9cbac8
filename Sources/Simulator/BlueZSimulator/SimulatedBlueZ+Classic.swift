import BlueZServer

extension SimulatedBlueZ {
    /// Connects a classic device to an RFCOMM service that a client offers. Makes the link if there is none.
    ///
    /// - Parameters:
    ///   - peripheral: the device.
    ///   - uuid: the UUID of the service.
    ///   - completion: gets the device's end of the channel; nil if no client offers the service, an agent does not
    ///     allow it, or the client does not accept the channel.
    public func simulateRFCOMMConnection(
        of peripheral: SimulatedPeripheral,
        to uuid: BluetoothUUID,
        completion: @escaping @SimulatorActor (SimulatedRFCOMMChannel?) -> Void
    ) {
        guard let adapter = adapters.first(where: { $0.isPresent && $0.isPowered })?.adapter,
            let device = adapter.findOrMake(peripheral.identity)
        else { return completion(nil) }
        device.accept(uuid) { host in
            SimulatedLink(to: peripheral, from: host, in: medium)
        } _: { channel in
            completion(channel as? SimulatedRFCOMMChannel)
        }
    }
}
