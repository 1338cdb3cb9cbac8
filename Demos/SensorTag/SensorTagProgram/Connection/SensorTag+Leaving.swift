import BlueZScript
import BlueZSensorTag
import CoreBlueZ

extension SensorTag {
    /// The timeout for each step at the end of a program, after which a tag is disconnected.
    package static let leaveTimeout = Duration.seconds(5)

    /// Switches all sensors off and disconnects. A tag that does not respond is disconnected, which also switches its
    /// sensors off if the tag notices it. A tag that responds slowly may take the timeout for each of its sensors.
    ///
    /// - Returns: the failures, with the status of the first; nil if there was none.
    package func leave(within timeout: Duration = leaveTimeout) async -> CommandFailure? {
        guard isConnected else { return nil }
        let (end, cut) = (Stopper(), Stopper())
        Task {
            var failure: CommandFailure?
            for sensor in sensors where sensor.isOn && !cut.isStopped {
                let timer = timer(timeout, end: end, cut: cut)
                failure = failure.adding(await switchOff(sensor))
                timer.cancel()
            }
            let timer = timer(timeout, end: end, cut: cut)
            failure = failure.adding(await disconnectAtLast())
            timer.cancel()
            // Operations that were cut off fail for that reason.
            if !cut.isStopped { end.stop(failure.map { .failed($0) } ?? .finished) }
        }
        await end.wait()
        guard case .failed(let failure) = end.reason else { return nil }
        return failure
    }

    private func timer(_ timeout: Duration, end: Stopper, cut: Stopper) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: timeout)
            cut.stop(.interrupted)
            end.stop(.failed(await disconnectAtLast() ?? noResponse(after: timeout)))
        }
    }

    private func switchOff(_ sensor: SensorTagService) async -> CommandFailure? {
        do throws(BluetoothError) {
            try await sensor.turnOff()
            return nil
        } catch {
            return Self.failure("\(deviceText): the \(sensor.name) sensor may still be on", error)
        }
    }

    private func disconnectAtLast() async -> CommandFailure? {
        do throws(BluetoothError) {
            try await disconnectOwnLink()
            return nil
        } catch {
            return Self.failure("\(deviceText) could not be disconnected: its sensors may still be on", error)
        }
    }

    /// The failure for a tag that was disconnected because it did not respond in time.
    package func noResponse(after timeout: Duration = leaveTimeout) -> CommandFailure {
        CommandFailure(
            .timedOut, "\(deviceText) did not respond for \(timeout) and was disconnected: its sensors may still be on")
    }

    private static func failure(_ what: String, _ error: BluetoothError) -> CommandFailure {
        CommandFailure(ExitStatus(error), "\(what): \(error)")
    }

    /// The address, otherwise a name that distinguishes the tag from others.
    package var deviceText: String { address?.description ?? displayName }
}

extension CommandFailure? {
    /// Both failures, with the status of the first.
    package func adding(_ other: CommandFailure?) -> CommandFailure? {
        guard let self, let other else { return self ?? other }
        return CommandFailure(self.status, "\(self.message)\n\(other.message)")
    }
}
