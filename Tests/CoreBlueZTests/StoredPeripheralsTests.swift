import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

/// The file of found peripherals is written aside, while a scan goes on.
@Suite struct StoredPeripheralsTests {
    @Test("Many found peripherals are one file, written aside, and nothing is lost at the end")
    func storedSoon() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "corebluez-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await BluetoothActor.run {
            let path = directory.path
            let addresses = try (10..<99).map { number in
                try #require(BluetoothAddress("00:00:00:00:00:\(number)"))
            }
            var store = Optional(try StoredPeripherals(directory: path))
            for address in addresses + addresses { store?.addSoon(address) }
            #expect(store?.identifiers == addresses)
            try await Patience.wait(for: "the first") {
                try StoredPeripherals(directory: path).identifiers.first == addresses.first
            }
            store = nil
            #expect(try StoredPeripherals(directory: path).identifiers == addresses)
            let again = try StoredPeripherals(directory: path)
            again.addSoon(try #require(BluetoothAddress("00:00:00:00:00:01")))
            try again.removeAll()
            let last = again
            last.writeSoon()
            last.flush()
            #expect(try StoredPeripherals(directory: path).identifiers.isEmpty)
        }
    }
}
