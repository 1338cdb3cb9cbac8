import BlueZClient
import BlueZDBus
import DequeModule
import FoundationEssentials

/// Sends notifications to bluetoothd by signals, not faster than it takes them. A signal has no reply, so from time to
/// time bluetoothd is asked for one (Ping), which it gives when it has handled the signals before it. Otherwise they
/// would pile up in the bus, which drops what exceeds its limit.
@BluetoothActor final class NotificationPacer {
    private struct Item {
        let value: Data
        weak var characteristic: LocalCharacteristic?
        let operation: Operation<Void>
        let endsWhenSent: Bool
    }

    /// How many signals may be on their way.
    private static let window = 128
    /// After how many signals bluetoothd is asked.
    private static let portion = 64
    /// How many values wait.
    private static let capacity = 4096

    private weak var client: BlueZClient?
    private var underway = 0
    private var isAsking = false
    private var waiting: Deque<Item> = []
    private var sent: [Operation<Void>] = []

    init(_ client: BlueZClient) {
        self.client = client
    }

    func send(
        _ value: Data, of characteristic: LocalCharacteristic, _ operation: Operation<Void>, endsWhenSent: Bool
    ) {
        if waiting.isEmpty, underway < Self.window {
            return emit(value, characteristic, operation, endsWhenSent)
        }
        guard waiting.count < Self.capacity else {
            let error = BluetoothError(
                .overflow, "\(operation.title): \(Self.capacity) values already wait for bluetoothd")
            return BluetoothActor.perform { operation.fail(error) }
        }
        waiting.append(
            Item(
                value: value, characteristic: characteristic, operation: operation, endsWhenSent: endsWhenSent))
    }

    /// Sends a value for which no operation is needed, because it need not wait and can be sent. Returns false otherwise.
    func sendAtOnce(_ value: Data, of characteristic: LocalCharacteristic) -> Bool {
        guard waiting.isEmpty, underway < Self.window else { return false }
        return (try? emit(value, characteristic)) != nil
    }

    private func emit(
        _ value: Data, _ characteristic: LocalCharacteristic, _ operation: Operation<Void>, _ endsWhenSent: Bool
    ) {
        do throws(DBusError) {
            try emit(value, characteristic)
            if endsWhenSent { finishSoon(operation) }
        } catch {
            let error = BluetoothError(error, in: .other, operation.title)
            BluetoothActor.perform { operation.fail(error) }
        }
    }

    private func emit(_ value: Data, _ characteristic: LocalCharacteristic) throws(DBusError) {
        guard let client, let connection = client.connection, let owner = client.owner, let path = characteristic.path
        else { throw .disconnected() }
        try connection.emit(characteristic.change(at: path, for: owner), value)
        underway += 1
        if underway >= Self.portion { ask() }
    }

    /// Ends operations in one job, because each job costs about as much as a signal.
    private func finishSoon(_ operation: Operation<Void>) {
        sent.append(operation)
        guard sent.count == 1 else { return }
        BluetoothActor.perform { [self] in
            let sent = sent
            self.sent = []
            for operation in sent { operation.succeed(()) }
        }
    }

    private func ask() {
        guard !isAsking, let client else { return }
        isAsking = true
        let asked = underway
        client.call(.root, StandardInterface.peer, "Ping", limit: client.timeouts.snapshot) { [weak self] _ in
            guard let self else { return }
            self.isAsking = false
            self.underway = max(0, self.underway - asked)
            self.sendWaiting()
        }
    }

    private func sendWaiting() {
        while underway < Self.window, let item = waiting.popFirst() {
            guard item.operation.isPending else { continue }
            if let characteristic = item.characteristic, characteristic.path != nil {
                emit(item.value, characteristic, item.operation, item.endsWhenSent)
            } else {
                item.operation.fail(
                    BluetoothError(.attributeGone, "\(item.operation.title): its service is no longer published"))
            }
        }
        if underway >= Self.portion { ask() }
    }

    /// Fails the values that wait, because bluetoothd or the manager is gone.
    func fail(_ error: BluetoothError) {
        let waiting = waiting
        self.waiting = []
        underway = 0
        for item in waiting { item.operation.fail(error) }
    }
}
