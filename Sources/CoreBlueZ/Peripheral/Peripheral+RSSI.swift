import DBus

extension Peripheral {
    /// The signal strength in dBm of the last received advertisement, from a current or earlier scan.
    ///
    /// bluetoothd does not measure links: for a connected peripheral that does not advertise there is no newer value.
    /// - Parameter completion: gets the value, or `notSupported` if no advertisement has been received yet.
    public func readRSSI(completion: @escaping @BluetoothActor (Int?, BluetoothError?) -> Void) {
        BluetoothActor.later { [self] in lastRSSI().split(completion) }
    }

    /// The signal strength of the last advertisement; the async form of `readRSSI(completion:)`.
    public func readRSSI() async throws(BluetoothError) -> Int {
        try lastRSSI().get()
    }

    /// Reads the signal strength repeatedly, until `stopRSSIPing` is called or the peripheral's manager is gone. The
    /// value changes only during a scan: see `readRSSI`.
    ///
    /// - Parameters:
    ///   - period: the time between two calls, at least 10 ms.
    ///   - handler: gets the results of `readRSSI`.
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
