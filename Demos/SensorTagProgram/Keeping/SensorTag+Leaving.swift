import CommandLineSupport
import CoreBlueZ
import SensorTag

extension SensorTag {
    /// How long a tag may take to do what ends a program, before it is disconnected.
    package static let patience = Duration.seconds(5)

    /// Switches all sensors off and disconnects, whatever state they are in. A tag that does not answer in time is
    /// disconnected: that switches its sensors off as well, if the tag hears of it.
    ///
    /// - Returns: what could not be done, with the status of the first error; nil if everything was.
    package func leave(within patience: Duration = patience) async -> CommandFailure? {
        guard isConnected else { return nil }
        let (end, cut) = (Stopper(), Stopper())
        Task {
            let failure = await switchOff().adding(disconnectAtLast())
            // What was cut fails for that reason.
            if !cut.isStopped { end.stop(failure.map { .failed($0) } ?? .finished) }
        }
        let timer = Task {
            try await Task.sleep(for: patience)
            cut.stop(.interrupted)
            end.stop(.failed(await disconnectAtLast() ?? unanswered(for: patience)))
        }
        await end.wait()
        timer.cancel()
        guard case .failed(let failure) = end.reason else { return nil }
        return failure
    }

    private func switchOff() async -> CommandFailure? {
        var failure: CommandFailure?
        for sensor in sensors where sensor.isOn {
            do throws(BluetoothError) {
                try await sensor.turnOff()
            } catch {
                failure = failure.adding(
                    Self.failure("\(deviceText): the \(sensor.name) sensor may still be on", error))
            }
        }
        return failure
    }

    private func disconnectAtLast() async -> CommandFailure? {
        do throws(BluetoothError) {
            try await disconnect()
            return nil
        } catch {
            return Self.failure("\(deviceText) could not be disconnected: its sensors may still be on", error)
        }
    }

    /// Why a tag was disconnected that did not answer in time.
    package func unanswered(for patience: Duration = patience) -> CommandFailure {
        CommandFailure(
            .timedOut, "\(deviceText) did not answer for \(patience) and was disconnected: its sensors may still be on")
    }

    private static func failure(_ what: String, _ error: BluetoothError) -> CommandFailure {
        CommandFailure(ExitStatus(error), "\(what): \(error)")
    }

    /// The address, or else what distinguishes the tag from others.
    package var deviceText: String { address?.description ?? displayName }
}

extension CommandFailure? {
    /// Both failures, with the status of the first.
    package func adding(_ other: CommandFailure?) -> CommandFailure? {
        guard let self, let other else { return self ?? other }
        return CommandFailure(self.status, "\(self.message)\n\(other.message)")
    }
}
