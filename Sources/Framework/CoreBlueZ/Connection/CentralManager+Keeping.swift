extension CentralManager {
    /// Keeps a device connected. Searches for the device if bluetoothd does not know it, connects it, and connects it
    /// again each time the link is lost, for as long as the policy says. By default, that is forever.
    ///
    /// ```swift
    /// central.keepConnected(to: address) { state in
    ///     if case .connected(let tag) = state { start(tag) }
    /// }
    /// ```
    ///
    /// It also waits for Bluetooth, at the start and later. It ends when you call `KeptConnection.stop` or
    /// `Peripheral.disconnect`, when the policy's attempts are used up, or when the manager is released.
    ///
    /// Errors are part of the states: `unavailable` has the codes of `waitUntilPoweredOn(timeout:completion:)`, and
    /// `disconnected` and `stopped` have those of `Peripheral.connect(options:completion:)`, or `disconnected` if the
    /// link has ended. `stopped` has the code `cancelled` if the manager was released.
    ///
    /// - Parameters:
    ///   - address: the device's address, which is its identifier on Linux. `knownPeripheralNames` is ignored.
    ///   - policy: how often to try, and how long to wait between attempts.
    ///   - stateHandler: called with each new state. You can also set `KeptConnection.stateHandler` later, or take the
    ///     states from `KeptConnection.states(bufferingUpTo:)`.
    ///   - setUp: sets the device up over each new link, before the state is `connected`: discovers services, switches
    ///     sensors on, writes what the device forgets. If it throws, the link is ended unless another program made it,
    ///     and the next attempt follows after the policy's delay. `KeptConnection.setUpHandler` is its closure form.
    @discardableResult
    public func keepConnected(
        to address: BluetoothAddress,
        policy: ReconnectPolicy = ReconnectPolicy(),
        stateHandler: KeptConnection<Peripheral>.StateHandler? = nil,
        setUp: KeptConnection<Peripheral>.SetUp? = nil
    ) -> KeptConnection<Peripheral> {
        keepConnected(to: address, as: Peripheral.self, policy: policy, stateHandler: stateHandler, setUp: setUp)
    }

    /// Keeps a device connected, as an object of the class that `makePeripheral` or `peripheralBuilder` creates for it;
    /// see `keepConnected(to:policy:stateHandler:setUp:)`. If they create an object of another class, it is not connected.
    @discardableResult
    public func keepConnected<Kind: Peripheral>(
        to address: BluetoothAddress,
        as type: Kind.Type,
        policy: ReconnectPolicy = ReconnectPolicy(),
        stateHandler: KeptConnection<Kind>.StateHandler? = nil,
        setUp: KeptConnection<Kind>.SetUp? = nil
    ) -> KeptConnection<Kind> {
        KeptConnection(.address(address), policy, of: self, stateHandler, setUp)
    }

    /// Keeps the first matching device connected: one that is already connected, or the first that advertises. See
    /// `keepConnected(to:policy:stateHandler:setUp:)`.
    ///
    /// ```swift
    /// for try await state in central.keepConnected(named: "SensorTag").states() { … }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the device's name; nil means any name that `isKnownPeripheral` accepts.
    ///   - services: matches only devices that have one of these services; nil matches all.
    ///   - policy: how often to try, and how long to wait between attempts.
    ///   - stateHandler: called with each new state.
    ///   - setUp: sets the device up over each new link; see `keepConnected(to:policy:stateHandler:setUp:)`.
    ///   - condition: returns whether a device matches. By default, every device does.
    @discardableResult
    public func keepConnected(
        named name: String? = nil,
        withServices services: [BluetoothUUID]? = nil,
        policy: ReconnectPolicy = ReconnectPolicy(),
        stateHandler: KeptConnection<Peripheral>.StateHandler? = nil,
        setUp: KeptConnection<Peripheral>.SetUp? = nil,
        where condition: @escaping @BluetoothActor (Peripheral, AdvertisementData) -> Bool = { (_, _) in true }
    ) -> KeptConnection<Peripheral> {
        keepConnected(
            as: Peripheral.self, named: name, withServices: services, policy: policy, stateHandler: stateHandler,
            setUp: setUp, where: condition)
    }

    /// Keeps the first matching device of a class connected, which `makePeripheral` or `peripheralBuilder` creates.
    /// Devices of other classes do not match. See `keepConnected(named:withServices:policy:stateHandler:setUp:where:)`.
    @discardableResult
    public func keepConnected<Kind: Peripheral>(
        as type: Kind.Type,
        named name: String? = nil,
        withServices services: [BluetoothUUID]? = nil,
        policy: ReconnectPolicy = ReconnectPolicy(),
        stateHandler: KeptConnection<Kind>.StateHandler? = nil,
        setUp: KeptConnection<Kind>.SetUp? = nil,
        where condition: @escaping @BluetoothActor (Kind, AdvertisementData) -> Bool = { (_, _) in true }
    ) -> KeptConnection<Kind> {
        let fits: @BluetoothActor (Kind, AdvertisementData) -> Bool = { peripheral, advertisement in
            (name == nil || peripheral.name == name) && condition(peripheral, advertisement)
        }
        return KeptConnection(.fitting(services, fits), policy, of: self, stateHandler, setUp)
    }
}
