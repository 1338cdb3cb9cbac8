import BlueZDBus

extension Peripheral {
    /// Reads the signal strength of the last received advertisement, from a current or earlier scan. No request is
    /// sent. The operation fails with `notSupported` if no advertisement has been received, with `peripheralGone` if
    /// bluetoothd no longer knows the device, and with `cancelled` if the manager was released.
    ///
    /// bluetoothd does not measure links. For a connected peripheral that does not advertise there is no newer value.
    /// - Parameter completion: gets the signal strength in dBm, or the error.
    public func readRSSI(completion: @escaping @BluetoothActor (Int?, BluetoothError?) -> Void) {
        BluetoothActor.perform { [self] in lastRSSI().split(completion) }
    }

    /// Returns the signal strength of the last advertisement, in dBm; the async form of `readRSSI(completion:)`.
    public func readRSSI() async throws(BluetoothError) -> Int {
        try lastRSSI().get()
    }

    /// Reads the signal strength repeatedly, until `stopRSSIPing` is called or the peripheral's manager is released.
    /// The value changes only during a scan; see `readRSSI(completion:)`.
    ///
    /// - Parameters:
    ///   - period: the time between two calls: at least 10 ms, by default 2 s.
    ///   - handler: called with the results of `readRSSI(completion:)`.
    public func startRSSIPing(
        every period: Duration = .seconds(2),
        handler: @escaping @BluetoothActor (Int?, BluetoothError?) -> Void
    ) {
        stopRSSIPing()
        schedulePing(Swift.max(.milliseconds(10), period), handler)
    }

    /// Stops the calls that `startRSSIPing` started.
    public func stopRSSIPing() {
        rssiPing?.cancel()
        rssiPing = nil
    }

    private func schedulePing(_ period: Duration, _ handler: @escaping @BluetoothActor (Int?, BluetoothError?) -> Void)
    {
        rssiPing = BluetoothActor.after(period) { [weak self] in
            guard let self, self.central != nil else { return }
            self.schedulePing(period, handler)
            self.lastRSSI().split(handler)
        }
    }

    private func lastRSSI() -> Result<Int, BluetoothError> {
        guard let properties else { return .failure(goneError) }
        if let rssi = properties.rssi ?? properties.lastRSSI { return .success(rssi) }
        let message =
            "No advertisement of \(displayName) was received yet, and bluetoothd does not measure links; scan for it"
        return .failure(BluetoothError(.notSupported, message))
    }
}
