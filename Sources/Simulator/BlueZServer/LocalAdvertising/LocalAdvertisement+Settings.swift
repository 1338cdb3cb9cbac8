import BlueZDBus

/// The parsers of properties that are no advertised data.
extension LocalAdvertisement {
    func parseTimeout(_ value: MessageReader?) -> Bool {
        guard var value else {
            timeout = 0
            timer = nil
            return true
        }
        guard let seconds = try? value.readUInt16() else { return false }
        timeout = seconds
        timer =
            seconds == 0
            ? nil
            : BlueZServerActor.schedule(after: .seconds(Int(seconds))) { [weak self] in
                if let self { self.manager.timedOut(self) }
            }
        return true
    }

    func parseDiscoverable(_ value: MessageReader?) -> Bool {
        guard var value else {
            data.clearFlags()
            return true
        }
        guard let isDiscoverable = try? value.readBoolean() else { return false }
        if !isDiscoverable, manager.version >= 80, !isPeripheral { return true }
        // As in bluetoothd, flags that do not change are invalid, and cleared (ad_replace_data).
        guard setFlags(isDiscoverable ? 0x02 : 0) else {
            data.clearFlags()
            return false
        }
        return true
    }

    /// set_flags()
    func setFlags(_ flags: UInt8) -> Bool {
        if flags == 0, manager.version < 69 {
            data.clearFlags()
            return true
        }
        // BR/EDR is not offered while the adapter itself is not discoverable.
        let hasBREDR = manager.kernel.capabilities.hasBREDR && manager.adapter.isDiscoverable
        return data.setFlags(hasBREDR ? flags : flags | 0x04)
    }

    func parseDiscoverableTimeout(_ value: MessageReader?) -> Bool {
        guard var value else {
            discoverableTimeout = 0
            discoverableTimer = nil
            return true
        }
        guard let seconds = try? value.readUInt16() else { return false }
        discoverableTimeout = seconds
        discoverableTimer =
            seconds == 0 && manager.version >= 73
            ? nil
            : BlueZServerActor.schedule(after: .seconds(Int(seconds))) { [weak self] in
                guard let self else { return }
                self.discoverableTimer = nil
                self.data.clearFlags()
                _ = self.refresh()
            }
        return true
    }

    func parseSecondaryChannel(_ value: MessageReader?) -> Bool {
        guard var value else {
            includes.subtract(.secondary)
            return true
        }
        guard let name = try? value.readString() else { return false }
        includes.subtract(.secondary)
        guard let channel = AdvertisingManager.secondaryChannels.first(where: { $0.name == name }),
            manager.kernel.capabilities.flags.contains(channel.flag)
        else { return false }
        includes.insert(channel.flag)
        return true
    }

    /// Intervals and power have no effect before 5.77 without `--experimental`.
    private var hasSettings: Bool { manager.version >= 77 || manager.adapter.isExperimental }

    func parseInterval(
        _ interval: ReferenceWritableKeyPath<LocalAdvertisement, UInt32>, _ value: MessageReader?
    ) -> Bool {
        guard hasSettings else { return true }
        guard var value else {
            self[keyPath: interval] = 0
            return false
        }
        guard let milliseconds = try? value.readUInt32() else { return false }
        let units = UInt64(milliseconds) * 8 / 5
        // The range of Bluetooth 5.2, volume 4, part E, 7.8.53.
        guard (0x20...0xFF_FFFF).contains(units) else {
            self[keyPath: interval] = 0
            return false
        }
        self[keyPath: interval] = UInt32(units)
        return true
    }

    func parseTxPower(_ value: MessageReader?) -> Bool {
        guard hasSettings else { return true }
        guard var value else {
            txPower = nil
            return false
        }
        guard let power = try? value.readInt16(), (-127...20).contains(power) else { return false }
        txPower = Int8(power)
        return true
    }
}
