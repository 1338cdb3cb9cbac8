import CoreBlueZ
import FoundationEssentials

extension SensorTagService {
    /// Whether the tag's firmware lets the period of this sensor be set.
    public var hasPeriod: Bool { self[Self.periodName]?.isDiscovered ?? false }

    /// Reads the period.
    ///
    /// - Parameter completion: gets the period, or why it could not be read: `notSupported` where the firmware has no
    ///   period for this sensor, `invalidData` for another length than 1 byte.
    public func readPeriod(completion: @escaping @BluetoothActor (SensorPeriod?, BluetoothError?) -> Void) {
        guard let characteristic = periodCharacteristic({ completion(nil, $0) }) else { return }
        characteristic.readValue { [self] value, error in
            guard let value else { return completion(nil, error) }
            do throws(SensorTagDataError) {
                let period = try SensorPeriod(from: value)
                self.period = period
                completion(period, nil)
            } catch {
                completion(nil, BluetoothError(error, name))
            }
        }
    }

    /// Sets the period, and writes it again whenever the sensor is switched on, until the link ends.
    ///
    /// - Parameters:
    ///   - milliseconds: the time between two measurements, within `periodLimits`, rounded to 10 ms.
    ///   - completion: gets nil, or why it was not set: `invalidArguments` outside of the limits (nothing is written
    ///     then), `notSupported` where the firmware has no period for this sensor, `att` with 0x80 where the tag
    ///     refuses it.
    public func setPeriod(
        milliseconds: Int,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        let period: SensorPeriod
        do throws(SensorTagDataError) {
            period = try SensorPeriod(milliseconds: milliseconds, limits: periodLimits)
        } catch {
            let error = BluetoothError(error, name)
            return perform({ done in done(error) }, completion: completion)
        }
        perform({ [self] done in write(period, done) }, completion: completion)
    }

    /// Reads the period; the async twin of `readPeriod(completion:)`.
    public func readPeriod() async throws(BluetoothError) -> SensorPeriod {
        try await waiting { readPeriod(completion: $0) }
    }

    /// Sets the period; the async twin of `setPeriod(milliseconds:completion:)`.
    public func setPeriod(milliseconds: Int) async throws(BluetoothError) {
        try await waiting { setPeriod(milliseconds: milliseconds, completion: $0) }
    }

    /// The tag may have gone back to its default since.
    func writeWantedPeriod(_ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard let wantedPeriod, hasPeriod else { return done(nil) }
        write(wantedPeriod, done)
    }

    private func write(_ period: SensorPeriod, _ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard let characteristic = periodCharacteristic(done) else { return }
        characteristic.writeByte(period.byte) { [self] error in
            if error == nil {
                self.period = period
                wantedPeriod = period
            }
            done(error)
        }
    }

    private func periodCharacteristic(_ fail: @BluetoothActor (BluetoothError?) -> Void) -> Characteristic? {
        guard let characteristic = characteristic(Self.periodName, fail) else { return nil }
        guard isDiscovered, !characteristic.isDiscovered else { return characteristic }
        fail(BluetoothError(.notSupported, "\(name): the tag's firmware has no period for this sensor"))
        return nil
    }
}
