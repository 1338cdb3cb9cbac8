import BlueZSimulator
import CommandLineSupport
import FoundationEssentials

/// The input of `gatt simulate`: one peripheral, or `adapters` and `peripherals`. Documentation/gatt.md describes it.
struct SimulationFile: Decodable {
    struct Adapter: Decodable {
        var address: String?
        var name: String?
        var powered: Bool?
    }

    struct Peripheral: Decodable {
        var name: String
        var address: String?
        var addressType: String?
        var rssi: Int16?
        var mtu: UInt16?
        var appearance: UInt16?
        var txPower: Int8?
        var advertisedServices: [String]?
        var manufacturerData: [String: String]?
        var services: [Service]?
        var serial: Serial?
        var pairing: Pairing?
        /// Seconds.
        var appearsAfter: Double?
        var disconnectsAfter: Double?
        var refusesConnections: Bool?
    }

    struct Pairing: Decodable {
        var io: String
        var passkey: UInt32?
        var accepts: Bool?
        var confirms: Bool?
    }

    struct Service: Decodable {
        var uuid: String
        var primary: Bool?
        var handle: UInt16?
        var characteristics: [Characteristic]?
    }

    struct Characteristic: Decodable {
        var uuid: String
        var properties: [String]
        var value: String?
        var text: String?
        var handle: UInt16?
        var encrypted: Bool?
        var authenticated: Bool?
        var readError: UInt8?
        var writeError: UInt8?
        /// Seconds.
        var delay: Double?
        var notifications: Notifications?
        var descriptors: [Descriptor]?
    }

    struct Notifications: Decodable {
        var values: [String]
        /// Seconds.
        var interval: Double?
        var `repeat`: Bool?
    }

    struct Descriptor: Decodable {
        var uuid: String
        var value: String?
        var text: String?
        var writable: Bool?
    }

    var adapters: [Adapter]?
    /// Whether a link ends at once; bluetoothd ends it two seconds after the request.
    var instant: Bool?
    var peripherals: [Peripheral]?

    static func read(_ path: String) throws(CommandFailure) -> SimulationFile {
        let data = try Input.read(path)
        do {
            var file = try JSONDecoder().decode(SimulationFile.self, from: data)
            if file.peripherals == nil { file.peripherals = [try JSONDecoder().decode(Peripheral.self, from: data)] }
            return file
        } catch let error as DecodingError {
            throw CommandFailure(.data, "\(path): \(describe(error))")
        } catch {
            throw CommandFailure(.data, "\(path): \(error)")
        }
    }

    private static func describe(_ error: DecodingError) -> String {
        let context: DecodingError.Context
        switch error {
        case .keyNotFound(let key, let found):
            return "\(place(found.codingPath)) has no \"\(key.stringValue)\""
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found): context = found
        @unknown default: return "\(error)"
        }
        return "\(place(context.codingPath)): \(context.debugDescription)"
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "the file" : path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
    }
}
