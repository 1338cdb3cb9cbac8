import BlueZScript
import CoreBlueZ

extension Session {
    /// Finds the device for DEVICE. One that BlueZ knows by exactly this address, name or alias is used at once. What
    /// matches less counts only after a scan that found no such device.
    ///
    /// - Throws: `usage` if several match, `timedOut` if none is found in time.
    func find(_ text: String, _ options: AdapterOptions, within timeout: Duration) async throws -> Peripheral {
        deadline = Deadline(timeout)
        return try await find(text, options)
    }

    /// Does so before the deadline.
    func find(_ text: String, _ options: AdapterOptions) async throws -> Peripheral {
        guard !text.isEmpty else { throw CommandFailure(.usage, "DEVICE is empty") }
        let central = try await central(options)
        if let connected = connectedDevice(text, central) { return connected }
        let search = DeviceSearch(DeviceName(text), central)
        if let known = try search.only(.exact) { return known }
        if let connected = search.connected, search.best == nil {
            Progress.report("Scanning for \(text). The connected devices, which do not advertise, are:\n\(connected)")
        }
        try await Progress.during("Looking for \(text)") {
            try await search.scan(for: deadline.remaining)
        }
        guard let found = try search.only() else {
            if deadline.remaining > .zero, let peripheral = search.seen {
                throw CommandFailure.onlyAdvertises(peripheral)
            }
            throw CommandFailure(
                .timedOut,
                "The device \(text) was not found within \(deadline.total.roundedText)\(search.question); see: gatt scan"
                    + Self.connectedList(search))
        }
        return told(found, as: search.name)
    }

    /// Finds the device for DEVICE among those that BlueZ knows, to end or remove what it has. The beginning of a name is
    /// not enough for that.
    ///
    /// - Throws: `usage` if several match, `notFound` if none does.
    func known(_ text: String, _ options: AdapterOptions) async throws -> Peripheral {
        let central = try await central(options)
        if let connected = connectedDevice(text, central) { return connected }
        let search = DeviceSearch(DeviceName(text), central)
        if !text.isEmpty, let known = try search.only(.similar) { return told(known, as: search.name) }
        var message = "BlueZ does not know the device \(text)\(search.question); see: gatt scan"
        if !text.isEmpty, let others = search.others {
            message += "\nIf you mean one of these, give its whole name or its address:\n\(others)"
        } else {
            message += Self.connectedList(search)
        }
        throw CommandFailure(.notFound, message)
    }

    /// The device that this DEVICE has connected, in this process or with `gatt connect`, while it is connected.
    private func connectedDevice(_ text: String, _ central: CentralManager) -> Peripheral? {
        let name = DeviceName(text)
        guard !name.isAddress else { return nil }
        if let peripheral = connected[text], peripheral.central === central, peripheral.isConnected {
            return peripheral
        }
        do {
            guard let address = try ConnectedNames.address(of: text),
                let peripheral = central.retrieveKnownPeripherals().first(where: { $0.address == address }),
                peripheral.isConnected
            else { return nil }
            connected[text] = peripheral
            return told(peripheral, as: name)
        } catch {
            Progress.report("\(error)")
            return nil
        }
    }

    /// Says which device is used, unless it is exactly what was typed.
    private func told(_ peripheral: Peripheral, as name: DeviceName) -> Peripheral {
        if name.match(peripheral) != .exact {
            let address = peripheral.address?.description ?? "?"
            let shown = peripheral.displayName
            Progress.report("Using \(shown)\(shown == address ? "" : " (\(address))")")
        }
        return peripheral
    }

    private static func connectedList(_ search: DeviceSearch) -> String {
        search.connected.map { "\nThe connected devices, whose names BlueZ may have replaced, are:\n\($0)" }
            ?? ""
    }
}
