import BlueZSerial
import CoreBlueZ

/// A connected device that speaks at least one of the application's protocols. `AccessoryManager` creates it when the
/// device's services are resolved. A device that connects again becomes another accessory.
@BluetoothActor public final class Accessory {
    /// A number that identifies this connection while the program runs.
    public nonisolated let connectionID: Int
    /// The peripheral of the device.
    public nonisolated let peripheral: Peripheral
    /// The device's name, or its address if it has no name.
    public let name: String
    /// The manufacturer, from Device Information (0x2A29); nil if the device does not report it.
    public var manufacturer: String? { information.manufacturer }
    /// The model number (0x2A24); nil if the device does not report it.
    public var modelNumber: String? { information.modelNumber }
    /// The serial number (0x2A25); nil if the device does not report it.
    public var serialNumber: String? { information.serialNumber }
    /// The revision of the firmware (0x2A26); nil if the device does not report it.
    public var firmwareRevision: String? { information.firmwareRevision }
    /// The revision of the hardware (0x2A27); nil if the device does not report it.
    public var hardwareRevision: String? { information.hardwareRevision }
    /// The names of the declared protocols that the device speaks, in the order of their declaration. The order has no
    /// meaning.
    public var protocolStrings: [String] { protocols.map(\.name) }
    /// Whether the accessory is still connected.
    public private(set) var isConnected = true
    /// Called once when the accessory is disconnected.
    public var disconnectHandler: (@BluetoothActor (Accessory) -> Void)?

    private struct WeakSession {
        weak var session: AccessorySession?
        let port: AccessoryProtocol.Port
    }

    private let information: DeviceInformation
    private let protocols: [AccessoryProtocol]
    private weak var manager: AccessoryManager?
    private var sessionsByProtocol: [String: WeakSession] = [:]
    /// The protocols whose sessions are being opened, each with its port.
    private var opening: [String: [AccessoryProtocol.Port]] = [:]

    init(
        _ connectionID: Int,
        _ peripheral: Peripheral,
        _ information: DeviceInformation,
        _ protocols: [AccessoryProtocol],
        _ manager: AccessoryManager
    ) {
        self.connectionID = connectionID
        self.peripheral = peripheral
        self.information = information
        self.protocols = protocols
        self.manager = manager
        name = peripheral.displayName
    }

    /// The open sessions, at most one per protocol.
    public var sessions: [AccessorySession] {
        sessionsByProtocol.values.compactMap(\.session).filter(\.isOpen)
    }

    /// Opens a session. There is one session per protocol at a time, and one per port if several protocols share a
    /// serial port or an RFCOMM service.
    ///
    /// The operation fails with:
    /// - `notConnected` if the accessory is no longer connected.
    /// - `notSupported` if the accessory does not speak the protocol.
    /// - `sessionExists` if a session for the protocol is open or being opened, or another protocol, which the message
    ///   names, uses the port.
    /// - The codes of `SerialService.open(_:completion:)` and `Peripheral.openRFCOMMChannel(_:options:completion:)`.
    ///
    /// - Parameters:
    ///   - protocolString: the name of the protocol, as declared.
    ///   - completion: gets the session, or the error.
    public func openSession(
        for protocolString: String,
        completion: @escaping @BluetoothActor (AccessorySession?, BluetoothError?) -> Void
    ) {
        Task {
            do throws(BluetoothError) {
                completion(try await openSession(for: protocolString), nil)
            } catch {
                completion(nil, error)
            }
        }
    }

    /// Opens a session; the async form of `openSession(for:completion:)`.
    public func openSession(for protocolString: String) async throws(BluetoothError) -> AccessorySession {
        guard isConnected else { throw BluetoothError(.notConnected, "\(name) is no longer connected") }
        guard let wanted = protocols.first(where: { $0.name == protocolString }) else {
            let spoken = protocolStrings.joined(separator: ", ")
            throw BluetoothError(.notSupported, "\(name) does not speak \(protocolString); it speaks \(spoken)")
        }
        guard !isInUse(for: protocolString) else {
            throw BluetoothError(
                .sessionExists, "There is a session for \(protocolString) of \(name) already; close it first")
        }
        opening[protocolString] = []
        defer { opening[protocolString] = nil }
        let (stream, port) = try await openStream(wanted)
        guard isConnected, stream.isOpen else {
            stream.close()
            throw BluetoothError(.disconnected, "\(name) was disconnected meanwhile")
        }
        let session = AccessorySession(self, protocolString, stream)
        sessionsByProtocol[protocolString] = WeakSession(session: session, port: port)
        return session
    }

    /// Returns whether a session for the protocol is open or being opened.
    func isInUse(for protocolString: String) -> Bool {
        sessionsByProtocol[protocolString]?.session?.isOpen == true || opening[protocolString] != nil
    }

    /// Returns the protocol whose session uses the port, or is about to.
    private func holder(of port: AccessoryProtocol.Port) -> String? {
        sessionsByProtocol.first { $0.value.port == port && $0.value.session?.isOpen == true }?.key
            ?? opening.first { $0.value.contains(port) }?.key
    }

    private func openStream(
        _ wanted: AccessoryProtocol
    ) async throws(BluetoothError) -> (any BufferedByteStream, AccessoryProtocol.Port) {
        var reason = BluetoothError(.notSupported, "\(name) no longer offers what carries \(wanted.name)")
        for carrier in wanted.carriers where carrier.isOffered(by: peripheral) {
            if let holder = holder(of: carrier.port) {
                reason = BluetoothError(
                    .sessionExists,
                    "The session for \(holder) of \(name) has the port of \(wanted.name); close it first")
                continue
            }
            opening[wanted.name] = [carrier.port]
            do throws(BluetoothError) {
                switch carrier {
                case .serial(let profile, let options):
                    let service = try await peripheral.discoverSerialService([profile])
                    try await service.open(options)
                    return (service, carrier.port)
                case .rfcomm(let profile):
                    if let channel = manager?.takeChannel(of: peripheral, profile.uuid) {
                        return (RFCOMMStream(channel), carrier.port)
                    }
                    return (try await peripheral.openRFCOMMStream(profile.uuid), carrier.port)
                }
            } catch {
                if error.code == .cancelled || !isConnected { throw error }
                reason = error
            }
        }
        throw reason
    }

    /// Called when the link is gone, which has ended the streams.
    func didDisconnect() {
        guard isConnected else { return }
        isConnected = false
        disconnectHandler.take()?(self)
    }
}

extension Accessory: Hashable, Identifiable {
    /// Returns whether both are the same object.
    public nonisolated static func == (left: Accessory, right: Accessory) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The connection identifier.
    public nonisolated var id: Int { connectionID }
}

extension BluetoothError.Code {
    /// A session for the protocol is already open, or one for another protocol that shares its port.
    public static let sessionExists = Self(rawValue: "sessionExists")
}
