import BlueZDBus
import BlueZValues

extension Adapter {
    /// property_set_mode() for Powered.
    func setPowered(_ isOn: Bool, _ call: IncomingCall) {
        guard !isChangingPower else { return call.fail(BlueZError.named(.busy, "")) }
        guard isOn != isPowered else { return call.reply() }
        if !isOn { removeTemporaryDevices() }
        if powerState != "off-blocked" { setPowerState(isOn ? "off-enabling" : "on-disabling") }
        isChangingPower = true
        BlueZServerActor.perform(after: settings.timing.power) { [weak self] in self?.finish(call, isOn) }
    }

    private func finish(_ call: IncomingCall, _ isOn: Bool) {
        isChangingPower = false
        guard isPresent else { return call.abandon() }
        if isOn, isBlocked {
            setPowerState("off-blocked")
            return call.fail(BlueZError.named(.blocked, "Blocked through rfkill"))
        }
        if isOn, let refusal = radio.powerRefusal {
            setPowerState("off")
            return call.fail(refusal)
        }
        if !isOn { dropLinks() }
        call.reply()
        applyPower(isOn)
    }

    private func removeTemporaryDevices() {
        for device in devices where device.isTemporary { remove(device) }
    }

    /// Ends the links, as the kernel does before it reports that the power is off.
    private func dropLinks() {
        for device in devices where device.isConnected { device.linkLost(.local) }
        for device in devices where device.attempt != nil {
            device.attemptFailed(BlueZError.failed("le-connection-abort-by-local"))
        }
    }

    private func setPowerState(_ state: String) {
        guard powerState != state else { return }
        powerState = state
        if isExperimental { changed("PowerState") }
    }

    /// settings_changed() with adapter_start() or adapter_stop().
    private func applyPower(_ isOn: Bool) {
        guard isPowered != isOn else { return }
        isPowered = isOn
        setPowerState(isOn ? "on" : isBlocked ? "off-blocked" : "off")
        changed("Powered")
        advertising.kernel.update()
        defer {
            listeningChanged()
            radio.acceptanceChanged()
        }
        guard !isOn else { return }
        clients.removeAll()
        endDiscovery()
        isDiscovering = false
        changed("Discovering")
    }

    /// Handles a program other than bluetoothd that switches the controller on or off.
    package func powerChanged(_ isOn: Bool) {
        guard isPresent, isOn != isPowered, !(isOn && isBlocked) else { return }
        if !isOn { dropLinks() }
        applyPower(isOn)
    }

    /// Handles rfkill, which blocks the adapter and so switches it off, or unblocks it and so restores its previous
    /// power.
    package func rfkillChanged(_ isBlocked: Bool) {
        guard isPresent, self.isBlocked != isBlocked else { return }
        if isBlocked {
            wasPowered = isPowered
            dropLinks()
            self.isBlocked = true
            applyPower(false)
            setPowerState("off-blocked")
        } else {
            self.isBlocked = false
            setPowerState("off")
            if wasPowered { applyPower(true) }
        }
    }

    /// Unplugs the adapter. The objects of its devices are removed first, then its own. bluetoothd remembers the
    /// devices that are no longer temporary.
    package func unplug() {
        guard isPresent else { return }
        isUnplugged = true
        lose()
        advertising.destroy()
        server.unregister(GATTManager.interface, at: path)
        server.unregister(Self.monitorManager, at: path)
        server.unregister(Self.interface, at: path)
    }

    /// Plugs the adapter in again, with the power of its description.
    ///
    /// - Parameter number: the number that the kernel assigns this time, such as 1 for hci1; by default, the previous
    ///   one.
    package func replug(asNumber number: UInt8? = nil) {
        guard isUnplugged else { return }
        if let number, let other = try? path.parent?.appending("hci\(number)"), other != path {
            path = other
            reloadDevices()
        }
        isUnplugged = false
        isPowered = description.isPowered && !isBlocked
        if server.connection != nil { export() }
    }

    /// Forgets everything that bluetoothd had in memory about the adapter.
    func lose() {
        isPresent = false
        clients.removeAll()
        isDiscovering = false
        if isListening { radio.stopListening() }
        isListening = false
        isChangingPower = false
        applications.removeAll()
        reloadDevices()
        gatt.lose()
        radio.acceptanceChanged()
    }
}
