extension CentralManager {
    /// Keeps a device connected that need not be known yet: it is searched for, connected, and connected again after each
    /// loss, as long as the policy says, by default forever. A device that bluetoothd remembers is connected without a
    /// search.
    ///
    /// ```swift
    /// central.keepConnected(to: address) { state in
    ///     if case .connected(let tag) = state { start(tag) }
    /// }
    /// ```
    ///
    /// Waiting for Bluetooth is part of it, at the start and later. It ends with `KeptConnection.stop`, with
    /// `Peripheral.disconnect`, and with the manager.
    ///
    /// - Parameters:
    ///   - address: the device's address, its identifier on Linux. `knownPeripheralNames` does not matter.
    ///   - policy: how often and how fast to try.
    ///   - stateHandler: gets each new state: becomes `KeptConnection.stateHandler`. `KeptConnection.states` returns them as
    ///     a sequence.
    @discardableResult
    public func keepConnected(
        to address: BluetoothAddress,
        policy: ReconnectPolicy = ReconnectPolicy(),
        stateHandler: (@BluetoothActor (KeptConnection<Peripheral>.State) -> Void)? = nil
    ) -> KeptConnection<Peripheral> {
        keep(.address(address), policy, stateHandler)
    }

    /// Keeps a device connected, as an object of the class that `makePeripheral` or `peripheralBuilder` makes for it; see
    /// `keepConnected(to:policy:stateHandler:)`.
    @discardableResult
    public func keepConnected<Kind: Peripheral>(
        to address: BluetoothAddress,
        as type: Kind.Type,
        policy: ReconnectPolicy = ReconnectPolicy(),
        stateHandler: (@BluetoothActor (KeptConnection<Kind>.State) -> Void)? = nil
    ) -> KeptConnection<Kind> {
        keep(.address(address), policy, stateHandler)
    }

    /// Keeps the first device connected that fits: that is connected already, or advertises; see
    /// `keepConnected(to:policy:stateHandler:)`.
    ///
    /// - Parameters:
    ///   - name: the device's name; nil means any that `isKnownPeripheral` lets pass.
    ///   - services: as for scanning.
    ///   - policy: how often and how fast to try.
    ///   - condition: whether this is the one.
    ///   - stateHandler: gets each new state.
    @discardableResult
    public func keepConnected(
        named name: String? = nil,
        withServices services: [BluetoothUUID]? = nil,
        policy: ReconnectPolicy = ReconnectPolicy(),
        where condition: @escaping @BluetoothActor (Peripheral, AdvertisementData) -> Bool = { (_, _) in true },
        stateHandler: @escaping @BluetoothActor (KeptConnection<Peripheral>.State) -> Void
    ) -> KeptConnection<Peripheral> {
        keep(target(name, services, condition), policy, stateHandler)
    }

    /// Keeps the first device connected that fits, for code that takes the states from `KeptConnection.states`; see
    /// `keepConnected(named:withServices:policy:where:stateHandler:)`.
    ///
    /// ```swift
    /// for try await state in central.keepConnected(named: "SensorTag").states() { … }
    /// ```
    @discardableResult
    public func keepConnected(
        named name: String? = nil,
        withServices services: [BluetoothUUID]? = nil,
        policy: ReconnectPolicy = ReconnectPolicy(),
        where condition: @escaping @BluetoothActor (Peripheral, AdvertisementData) -> Bool = { (_, _) in true }
    ) -> KeptConnection<Peripheral> {
        keep(target(name, services, condition), policy, nil)
    }

    /// Keeps the first device of a class connected that fits, as `makePeripheral` or `peripheralBuilder` builds it; others do
    /// not fit. See `keepConnected(named:withServices:policy:where:stateHandler:)`.
    @discardableResult
    public func keepConnected<Kind: Peripheral>(
        as type: Kind.Type,
        named name: String? = nil,
        withServices services: [BluetoothUUID]? = nil,
        policy: ReconnectPolicy = ReconnectPolicy(),
        where condition: @escaping @BluetoothActor (Kind, AdvertisementData) -> Bool = { (_, _) in true },
        stateHandler: @escaping @BluetoothActor (KeptConnection<Kind>.State) -> Void
    ) -> KeptConnection<Kind> {
        keep(target(name, services, condition), policy, stateHandler)
    }

    /// Keeps the first device of a class connected that fits, for code that takes the states from `KeptConnection.states`.
    @discardableResult
    public func keepConnected<Kind: Peripheral>(
        as type: Kind.Type,
        named name: String? = nil,
        withServices services: [BluetoothUUID]? = nil,
        policy: ReconnectPolicy = ReconnectPolicy(),
        where condition: @escaping @BluetoothActor (Kind, AdvertisementData) -> Bool = { (_, _) in true }
    ) -> KeptConnection<Kind> {
        keep(target(name, services, condition), policy, nil)
    }

    private func target<Kind>(
        _ name: String?,
        _ services: [BluetoothUUID]?,
        _ condition: @escaping @BluetoothActor (Kind, AdvertisementData) -> Bool
    ) -> KeptConnection<Kind>.Target {
        .fitting(services) { peripheral, advertisement in
            (name == nil || peripheral.name == name) && condition(peripheral, advertisement)
        }
    }

    private func keep<Kind>(
        _ target: KeptConnection<Kind>.Target,
        _ policy: ReconnectPolicy,
        _ handler: (@BluetoothActor (KeptConnection<Kind>.State) -> Void)?
    ) -> KeptConnection<Kind> {
        let connection = KeptConnection(target, policy, of: self)
        connection.stateHandler = handler
        return connection
    }
}
