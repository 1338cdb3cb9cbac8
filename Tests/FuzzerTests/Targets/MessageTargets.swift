import BlueZValues

@testable import BlueZDBus
@testable import GatewayProtocol

extension FuzzTarget {
    static func testMessages(_ bytes: [UInt8]) throws {
        let message = Message.received(bytes)
        try check(message?.bytes == Message.reference(bytes), "libdbus reads something else")
        guard let message else { return }
        _ = (message.path, message.interface, message.member, message.sender, message.destination, message.error)
        var reader = message.reader
        _ = try? reader.readRemainingValues()
    }

    static func testGateways(_ bytes: [UInt8]) throws {
        try repeatable(GatewayStatus.self, bytes)
        try repeatable(GatewayAdvertisement.self, bytes)
        try repeatable(GatewayRequest.self, bytes)
        try repeatable(GatewayEvent.self, bytes)
        try repeatable(GatewayResponse<HelloResult>.self, bytes)
        try repeatable(GatewayResponse<ConnectResult>.self, bytes)
        try repeatable(GatewayResponse<DiscoverResult>.self, bytes)
        try repeatable(GatewayResponse<RenewResult>.self, bytes)
        try repeatable(GatewayResponse<ValueResult>.self, bytes)
    }

    private static func repeatable<M: GatewayMessage>(_ type: M.Type, _ bytes: [UInt8]) throws {
        guard let message = try? M(payload: bytes), let payload = try? message.payload() else { return }
        let again = try M(payload: payload)
        try check(try again.payload() == payload, "\(M.self) is another message after it was written")
    }

    static func testAdvertisements(_ bytes: [UInt8]) throws {
        guard let data = AdvertisementData(encoded: bytes) else { return }
        let encoded = data.encoded
        try check(encoded.count <= GatewayLimits.advertisement, "\(encoded.count) bytes")
        let again = AdvertisementData(encoded: encoded)
        try check(again?.encoded == encoded, "the data are different after they were written")
    }
}
