import BlueZPrintableText
import BlueZScript
import CoreBlueZ

/// DEVICE, as it was typed, and how well devices match it.
@BluetoothActor struct DeviceName {
    /// How well a device matches.
    enum Match: Comparable {
        /// Its address, name or alias begins with the text, in any case.
        case beginning
        /// The text is its name or alias in another case. Twelve digits are an address first, and a name like this one.
        case similar
        /// The text is its address, name or alias.
        case exact
    }

    let text: String
    private let address: BluetoothAddress?
    private let folded: String

    /// Whether the text can only be an address.
    var isAddress: Bool { address != nil && text.utf8.count != 12 }

    init(_ text: String) {
        self.text = text
        address = BluetoothAddress(typed: text)
        folded = text.lowercased()
    }

    /// How well a device matches; nil if it doesn't.
    func match(_ peripheral: Peripheral) -> Match? {
        if let address, peripheral.address == address { return .exact }
        guard !isAddress else { return nil }
        let names = [peripheral.name, peripheral.alias].compactMap(\.self)
        if address == nil, names.contains(text) { return .exact }
        let others = names.map { $0.lowercased() }
        if others.contains(folded) { return .similar }
        guard address == nil else { return nil }
        let start = peripheral.address?.description.lowercased() ?? ""
        let isBeginning = others.contains { $0.hasPrefix(folded) } || start.hasPrefix(folded.replacing("-", with: ":"))
        return isBeginning ? .beginning : nil
    }
}

/// A search for the device that DEVICE means, among all devices that it has seen.
@BluetoothActor final class DeviceSearch {
    private struct Candidate {
        let peripheral: Peripheral
        /// The best match: the name may be another one by now.
        var match: DeviceName.Match
        /// bluetoothd removes the signal strength at the end of a scan.
        var rssi: Int?
    }

    let name: DeviceName
    private let central: CentralManager
    private var candidates: [Candidate] = []
    private(set) var settling: Task<Void, Never>?

    /// How long to wait for more matches after the first, if DEVICE is not an address; at most a quarter of the time.
    private static let settlingTime = Duration.seconds(2)

    /// Begins with the devices that BlueZ knows.
    init(_ name: DeviceName, _ central: CentralManager) {
        self.name = name
        self.central = central
        for peripheral in central.retrieveKnownPeripherals() { see(peripheral, peripheral.rssi) }
    }

    /// Scans until an address is found or, for a name, until the settling time after the first match. If BlueZ has
    /// forgotten all that match by then, the scan goes on.
    func scan(for duration: Duration) async throws {
        // What is known already settles from the beginning of the scan.
        let observation = central.observeEvents { [weak self] event in
            if case .scanBegan = event { self?.stopAfterSettling(duration) }
        }
        defer {
            observation.cancel()
            settling?.cancel()
        }
        try await central.scanForPeripherals(options: ScanOptions(duration: duration)) { [self] peripheral, _, rssi in
            see(peripheral, rssi)
            if name.isAddress, best != nil { return central.stopScan() }
            stopAfterSettling(duration)
        }
        try Task.checkCancellation()
    }

    private func stopAfterSettling(_ duration: Duration) {
        guard settling == nil, best != nil else { return }
        settling = Task { @BluetoothActor in
            guard (try? await BluetoothActor.sleep(for: min(Self.settlingTime, duration / 4))) != nil else { return }
            settling = nil
            if best != nil { central.stopScan() }
        }
    }

    /// Takes in what BlueZ reports about a device.
    private func see(_ peripheral: Peripheral, _ rssi: Int?) {
        let index = candidates.firstIndex { $0.peripheral === peripheral }
        if let index, let rssi { candidates[index].rssi = rssi }
        guard let match = name.match(peripheral) else { return }
        if let index {
            candidates[index].match = max(candidates[index].match, match)
        } else {
            candidates.append(Candidate(peripheral: peripheral, match: match, rssi: rssi))
        }
    }

    /// A device that matches, which BlueZ may have forgotten; nil if there was none.
    var seen: Peripheral? { candidates.first?.peripheral }

    /// The best match of the devices that BlueZ still knows; nil if there is none.
    var best: DeviceName.Match? { present.map(\.match).max() }

    /// BlueZ forgets a device half a minute after its last advertisement.
    private var present: [Candidate] {
        guard !candidates.isEmpty else { return [] }
        let known = Set(central.retrieveKnownPeripherals())
        return candidates.filter { known.contains($0.peripheral) }
    }

    /// The one device that matches best; nil if none matches.
    ///
    /// - Parameter least: how well it must match.
    /// - Throws: `usage` if several match equally well.
    func only(_ least: DeviceName.Match = .beginning) throws(CommandFailure) -> Peripheral? {
        guard let best, best >= least else { return nil }
        let fitting = present.filter { $0.match == best }
        guard fitting.count > 1 else { return fitting.first?.peripheral }
        throw CommandFailure(
            .usage,
            "\"\(name.text)\" matches several devices; give the address of one:\n"
                + Self.list(fitting.map { ($0.peripheral, $0.rssi) }))
    }

    /// The devices that match in some way, in lines; nil if there is none.
    var others: String? {
        let present = present
        return present.isEmpty ? nil : Self.list(present.map { ($0.peripheral, $0.rssi) })
    }

    /// The name that was probably meant, as a question after a message; empty if there is none.
    var question: String {
        let names = central.retrieveKnownPeripherals().compactMap(\.name)
        let near = name.text.nearest(among: names.map { $0.lowercased() })
        return names.first { $0.lowercased() == near }
            .map { "; did you mean \"\($0.escapedForTerminal())\"?" } ?? ""
    }

    /// The connected devices, which don't advertise, and whose names may have been replaced; nil if there is none.
    var connected: String? {
        let connected = central.retrieveKnownPeripherals().filter(\.isConnected)
        return connected.isEmpty ? nil : Self.list(connected.map { ($0, nil) })
    }

    /// A line for each device, with what tells devices of one name apart.
    private static func list(_ devices: [(peripheral: Peripheral, rssi: Int?)]) -> String {
        devices.map { peripheral, rssi in
            let alias = peripheral.alias == peripheral.name ? nil : peripheral.alias.map { "alias \"\($0)\"" }
            let details = [
                alias, rssi.map { "\($0) dBm" }, peripheral.isConnected ? "connected" : nil,
                peripheral.isPaired ? "paired" : nil,
            ].compactMap(\.self)
            let fields = [
                peripheral.address?.description ?? "?", peripheral.name?.escapedForTerminal() ?? "",
                details.joined(separator: ", "),
            ]
            return "  " + fields.filter { !$0.isEmpty }.joined(separator: "  ")
        }
        .sorted().joined(separator: "\n")
    }
}
