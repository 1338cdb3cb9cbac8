import FoundationEssentials
import TestSupport

@testable import CoreBlueZ

extension CentralRound {
    /// Begins what lasts: its beginning is an operation, and it has an end.
    func startLasting(
        _ operation: CentralSchedule.Operation, _ attribute: CentralSchedule.Attribute,
        _ characteristic: Characteristic,
        _ way: CentralSchedule.Way
    ) {
        let track = record.track(
            "\(operation) \(attribute) by \(way)", attribute, takesValues: operation != .acquireWrite)
        switch (operation, way) {
        case (.acquireNotify, .closure): acquireNotify(characteristic, track)
        case (.acquireWrite, .closure): acquireWrite(characteristic, track)
        case (.acquireWrite, .task): acquireWriteByTask(characteristic, track)
        case (.acquireNotify, .task):
            consume(track) { () throws(BluetoothError) in try await characteristic.acquireNotify() }
        default:
            // A sequence has no form with a closure.
            consume(track) { () throws(BluetoothError) in try await characteristic.notifications() }
        }
    }

    private func consume<Values: AsyncSequence>(
        _ track: CentralRecord.Track, _ begin: @escaping @BluetoothActor () async throws(BluetoothError) -> Values
    ) where Values.Element == Data, Values.Failure == BluetoothError {
        let index = record.begin(track.title, track.attribute, isTask: true)
        let task = Task { @BluetoothActor [record] in
            record.taskBegins(index)
            let values: Values
            do throws(BluetoothError) {
                values = try await begin()
            } catch {
                return record.end(index, error)
            }
            record.end(index, nil)
            track.isEstablished = true
            // How it ends is free; that it does is what matters.
            do { for try await value in values { track.lastValue = value } } catch {}
            track.ends += 1
        }
        tasks.append(task)
    }

    private func acquireNotify(_ characteristic: Characteristic, _ track: CentralRecord.Track) {
        let index = record.begin(track.title, track.attribute, isTask: false)
        characteristic.acquireNotify { value in
            track.lastValue = value
        } ended: { _ in
            track.ends += 1
        } completion: { [weak self, record] notifications, error in
            record.end(index, error)
            guard let notifications else { return }
            track.isEstablished = true
            self?.acquired.append(notifications)
        }
    }

    private func acquireWrite(_ characteristic: Characteristic, _ track: CentralRecord.Track) {
        let index = record.begin(track.title, track.attribute, isTask: false)
        characteristic.acquireWrite { _ in
            track.ends += 1
        } completion: { [weak self, record] writer, error in
            record.end(index, error)
            guard let writer else { return }
            track.isEstablished = true
            self?.writers[track.attribute] = writer
        }
    }

    private func acquireWriteByTask(_ characteristic: Characteristic, _ track: CentralRecord.Track) {
        let index = record.begin(track.title, track.attribute, isTask: true)
        let task = Task { @BluetoothActor [weak self, record] in
            record.taskBegins(index)
            do throws(BluetoothError) {
                let writer = try await characteristic.acquireWrite()
                self?.writers[track.attribute] = writer
                record.end(index, nil)
            } catch {
                record.end(index, error)
            }
        }
        tasks.append(task)
    }

    /// Writes through the socket that is open, if one is.
    func writeAcquired(_ attribute: CentralSchedule.Attribute, _ way: CentralSchedule.Way) {
        guard let writer = writers[attribute] else { return }
        let number = record.makeNumber()
        let value = Data(CentralRecord.bytes(number))
        let index = record.begin(
            "acquiredWrite \(attribute) by \(way)", attribute, isTask: way == .task, number: number,
            isThroughSocket: true)
        switch way {
        case .closure: writer.write(value) { [record] in record.end(index, $0) }
        case .task:
            let task = Task { @BluetoothActor [record] in
                record.taskBegins(index)
                do throws(BluetoothError) {
                    try await writer.write(value)
                    record.end(index, nil)
                } catch {
                    record.end(index, error)
                }
            }
            tasks.append(task)
        }
    }
}
