import BLESerial
import CoreBlueZ

/// A connected device that speaks at least one of the application's protocols. `AccessoryManager` makes it when the device's
/// services are resolved; a device that connects again becomes another accessory.
@BluetoothActor public final class Accessory {
    /// A number that no other connection has while the program runs.
    public nonisolated let connectionID: Int
    /// The device.
    public nonisolated let peripheral: Peripheral
    /// The device's name, or its address if it has told none.
    public let name: String
    /// The manufacturer, from Device Information (0x2A29); nil if the device does not say.
    public var manufacturer: String? { information.manufacturer }
    /// The model number (0x2A24); nil if the device does not say.
    public var modelNumber: String? { information.modelNumber }
    /// The serial number (0x2A25); nil if the device does not say.
    public var serialNumber: String? { information.serialNumber }
    /// The revision of the firmware (0x2A26); nil if the device does not say.
    public var firmwareRevision: String? { information.firmwareRevision }
    /// The revision of the hardware (0x2A27); nil if the device does not say.
    public var hardwareRevision: String? { information.hardwareRevision }
    /// The names of the declared protocols that the device speaks, in the order of their declaration, which means nothing.
    public var protocolStrings: [String] { protocols.map(\.name) }
    /// Whether it is still connected.
    public private(set) var isConnected = true
    /// Called once, when the accessory is disconnected.
    public var disconnectHandler: (@BluetoothActor (Accessory) -> Void)?

    private struct WeakSession {
        weak var session: AccessorySession?
    }

    private let information: DeviceInformation
    private let protocols: [AccessoryProtocol]
    private weak var manager: AccessoryManager?
    private var sessionsByProtocol: [String: WeakSession] = [:]
    private var opening: Set<String> = []

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

    /// The sessions that are open.
    public var sessions: [AccessorySession] {
        sessionsByProtocol.values.compactMap(\.session).filter(\.isOpen)
    }

    /// Opens a session: one for each protocol at a time.
    ///
    /// - Parameters:
    ///   - protocolString: the protocol's name.
    ///   - completion: gets the session; or `notConnected`, `notSupported` if the accessory does not speak the protocol,
    ///     `sessionExists` if there is a session already or one is being opened, or why no bytes can pass.
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

    /// Opens a session; the async twin of `openSession(for:completion:)`.
    public func openSession(for protocolString: String) async throws(BluetoothError) -> AccessorySession {
        guard isConnected else { throw BluetoothError(.notConnected, "\(name) is no longer connected") }
        guard let wanted = protocols.first(where: { $0.name == protocolString }) else {
            let spoken = protocolStrings.joined(separator: ", ")
            throw BluetoothError(.notSupported, "\(name) does not speak \(protocolString); it speaks \(spoken)")
        }
        guard sessionsByProtocol[protocolString]?.session?.isOpen != true,
            opening.insert(protocolString).inserted
        else {
            throw BluetoothError(
                .sessionExists, "There is a session for \(protocolString) of \(name) already; close it first")
        }
        defer { opening.remove(protocolString) }
        let stream = try await openStream(wanted)
        guard isConnected, stream.isOpen else {
            stream.close()
            throw BluetoothError(.disconnected, "\(name) was disconnected meanwhile")
        }
        let session = AccessorySession(self, protocolString, stream)
        sessionsByProtocol[protocolString] = WeakSession(session: session)
        return session
    }

    private func openStream(_ wanted: AccessoryProtocol) async throws(BluetoothError) -> any BufferedByteStream {
        var reason = BluetoothError(.notSupported, "\(name) no longer offers what carries \(wanted.name)")
        for carrier in wanted.carriers where carrier.isOffered(by: peripheral) {
            do throws(BluetoothError) {
                switch carrier {
                case .serial(let profile, let options):
                    let service = try await peripheral.discoverSerialService([profile])
                    try await service.open(options)
                    return service
                case .rfcomm(let profile):
                    if let channel = manager?.takeChannel(of: peripheral, profile.uuid) { return RFCOMMStream(channel) }
                    return try await peripheral.openRFCOMMStream(profile.uuid)
                }
            } catch {
                if error.code == .cancelled || !isConnected { throw error }
                reason = error
            }
        }
        throw reason
    }

    /// The link is gone; the streams have ended by it.
    func didDisconnect() {
        guard isConnected else { return }
        isConnected = false
        let handler = disconnectHandler
        disconnectHandler = nil
        handler?(self)
    }
}

extension Accessory: Hashable, Identifiable {
    /// Whether both are the same object.
    public nonisolated static func == (left: Accessory, right: Accessory) -> Bool { left === right }

    /// By identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The connection identifier.
    public nonisolated var id: Int { connectionID }
}

extension BluetoothError.Code {
    /// The accessory has a session for the protocol already.
    public static let sessionExists = Self(rawValue: "sessionExists")
}
