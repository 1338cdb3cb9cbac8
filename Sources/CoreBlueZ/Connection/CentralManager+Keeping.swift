extension CentralManager {
    /// Keeps a device connected, even if it is not known yet: searches for it, connects it, and connects it again after
    /// each loss, as long as the policy says, by default forever. A device that bluetoothd remembers is connected
    /// without a search.
    ///
    /// ```swift
    /// central.keepConnected(to: address) { state in
    ///     if case .connected(let tag) = state { start(tag) }
    /// }
    /// ```
    ///
    /// It also waits for Bluetooth, at the start and later. It ends with `KeptConnection.stop`, with
    /// `Peripheral.disconnect`, and with the manager.
    ///
    /// - Parameters:
    ///   - address: the device's address, which is its identifier on Linux. `knownPeripheralNames` is ignored.
    ///   - policy: how often and how fast to try.
    ///   - stateHandler: gets each new state; becomes `KeptConnection.stateHandler`. `KeptConnection.states` returns
    ///     them as a sequence.
    @discardableResult
    public func keepConnected(
        to address: BluetoothAddress,
        policy: ReconnectPolicy = ReconnectPolicy(),
        stateHandler: KeptConnection<Peripheral>.StateHandler? = nil
    ) -> KeptConnection<Peripheral> {
        keepConnected(to: address, as: Peripheral.self, policy: policy, stateHandler: stateHandler)
    }

    /// Keeps a device connected, as an object of the class that `makePeripheral` or `peripheralBuilder` makes for it;
    /// see `keepConnected(to:policy:stateHandler:)`.
    @discardableResult
    public func keepConnected<Kind: Peripheral>(
        to address: BluetoothAddress,
        as type: Kind.Type,
        policy: ReconnectPolicy = ReconnectPolicy(),
        stateHandler: KeptConnection<Kind>.StateHandler? = nil
    ) -> KeptConnection<Kind> {
        KeptConnection(.address(address), policy, of: self, stateHandler)
    }

    /// Keeps the first matching device connected, which is connected already or advertises; see
    /// `keepConnected(to:policy:stateHandler:)`.
    ///
    /// ```swift
    /// for try await state in central.keepConnected(named: "SensorTag").states() { … }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the device's name; nil means any that `isKnownPeripheral` accepts.
    ///   - services: the same as for scanning.
    ///   - policy: how often and how fast to try.
    ///   - stateHandler: gets each new state.
    ///   - condition: whether a device matches.
    @discardableResult
    public func keepConnected(
        named name: String? = nil,
        withServices services: [BluetoothUUID]? = nil,
        policy: ReconnectPolicy = ReconnectPolicy(),
        stateHandler: KeptConnection<Peripheral>.StateHandler? = nil,
        where condition: @escaping @BluetoothActor (Peripheral, AdvertisementData) -> Bool = { (_, _) in true }
    ) -> KeptConnection<Peripheral> {
        keepConnected(
            as: Peripheral.self, named: name, withServices: services, policy: policy, stateHandler: stateHandler,
            where: condition)
    }

    /// Keeps the first matching device of a class connected, as built by `makePeripheral` or `peripheralBuilder`;
    /// devices of other classes do not match. See `keepConnected(named:withServices:policy:stateHandler:where:)`.
    @discardableResult
    public func keepConnected<Kind: Peripheral>(
        as type: Kind.Type,
        named name: String? = nil,
        withServices services: [BluetoothUUID]? = nil,
        policy: ReconnectPolicy = ReconnectPolicy(),
        stateHandler: KeptConnection<Kind>.StateHandler? = nil,
        where condition: @escaping @BluetoothActor (Kind, AdvertisementData) -> Bool = { (_, _) in true }
    ) -> KeptConnection<Kind> {
        let fits: @BluetoothActor (Kind, AdvertisementData) -> Bool = { peripheral, advertisement in
            (name == nil || peripheral.name == name) && condition(peripheral, advertisement)
        }
        return KeptConnection(.fitting(services, fits), policy, of: self, stateHandler)
    }
}
