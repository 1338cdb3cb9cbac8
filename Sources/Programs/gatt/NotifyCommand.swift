import ArgumentParser
import BlueZPrintableText
import BlueZScript
import CoreBlueZ

/// `gatt notify`
struct NotifyCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify",
        abstract: "Prints the values that characteristics notify or indicate, as they arrive.",
        discussion: """
            The command ends after --count values or the time of --duration, with Ctrl-C (status 130), or when the \
            link is lost (status 68). With several characteristics, each line begins with the characteristic's name \
            and a tab.

            Examples:
              gatt notify Strap "heart rate measurement" --json
              gatt notify Weather temperature humidity --duration 1h
              gatt notify Button FFE1 --count 1 --duration 1h
                                       status 75 if the button is not pressed
            """)

    @Argument(help: .device, completion: .device)
    var device: String

    @Argument(help: .characteristic)
    var characteristics: [String]

    @Option(
        help: ArgumentHelp(
            "Ends after this many values of all characteristics together. If --duration ends first, the status is 75.",
            valueName: "number"))
    var count: Int?

    @Option(
        help: ArgumentHelp("Ends after this time: seconds, or 500ms, 2m, 1h.", valueName: "time"),
        transform: Duration.init(typed:))
    var duration: Duration?

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: ValueOutputOptions

    var isStreaming: Bool { true }

    func validate() throws {
        if let count, count < 1 { throw ValidationError("Give --count a number of at least 1") }
        guard characteristics.count == 1 || output.format != .raw else {
            throw ValidationError(
                "With --format raw, values of several characteristics cannot be distinguished; choose another format"
            )
        }
    }

    @BluetoothActor func run(in session: Session) async throws {
        let peripheral = try await session.services(device, connection)
        let wanted = try found(on: peripheral)
        let notified = NotifiedValues(of: wanted.count)
        for characteristic in wanted {
            try await session.access("Subscribing to \(characteristic.uuid)", peripheral) {
                try await characteristic.startNotifying(notified.handler(of: characteristic))
            }
            session.willNotify(characteristic)
        }
        let clock = duration.map { duration in
            Task { @BluetoothActor in
                guard (try? await BluetoothActor.sleep(for: duration)) != nil else { return }
                for characteristic in wanted { try? await characteristic.setNotifyValue(false) }
                notified.finish()
            }
        }
        defer { clock?.cancel() }
        let labels = Self.labels(of: wanted)
        var received = 0
        for try await arrival in notified.values {
            let attribute = Attribute(characteristic: arrival.characteristic)
            let label = labels[arrival.characteristic.handle]
            try output.write(arrival.value, of: attribute, "notify", at: arrival.time, label: label, session)
            received += 1
            if received == count { return }
        }
        try Task.checkCancellation()
        guard let count, let duration else { return }
        let time = duration.roundedText
        throw CommandFailure(.timedOut, "Received \(received) of \(count) values within \(time)")
    }

    /// The characteristics for the arguments, each once.
    @BluetoothActor private func found(on peripheral: Peripheral) throws -> [Characteristic] {
        var found: [Characteristic] = []
        for text in characteristics {
            let characteristic = try CharacteristicMatch.find(text, for: .notifying, on: peripheral)
            try AttributeUse.notifying.check(characteristic)
            if !found.contains(where: { $0 === characteristic }) { found.append(characteristic) }
        }
        return found
    }

    /// The labels of several characteristics' lines, by handle: their names; if two are the same, also the services';
    /// otherwise the handles.
    @BluetoothActor private static func labels(of characteristics: [Characteristic]) -> [UInt16: String] {
        guard characteristics.count > 1 else { return [:] }
        let forms: [@BluetoothActor (Characteristic) -> String] = [
            { name($0.uuid) },
            { name($0.service?.uuid) + "/" + name($0.uuid) },
            { name($0.uuid) + " @" + CharacteristicMatch.hexadecimal($0.handle) },
        ]
        let distinct = forms.first { Set(characteristics.map($0)).count == characteristics.count }
        return Dictionary(
            characteristics.map { ($0.handle, (distinct ?? forms[2])($0)) }, uniquingKeysWith: { first, _ in first })
    }

    private static func name(_ uuid: BluetoothUUID?) -> String {
        uuid.map { $0.name ?? $0.description } ?? "?"
    }
}
