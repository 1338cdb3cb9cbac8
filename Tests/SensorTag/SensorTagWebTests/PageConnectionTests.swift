import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

@testable import sensortag_web

@Suite("Time is limited for each connection of the page") struct PageConnectionTests {
    /// A channel whose clock stands still, with a connection.
    private func channel(_ stand: WebStand) async throws -> NIOAsyncTestingChannel {
        let channel = try await NIOAsyncTestingChannel { channel in
            try channel.pipeline.syncOperations.addHandler(IdleStateHandler(writeTimeout: PageServer.stall))
            try channel.pipeline.syncOperations.addHandler(PageConnection(channel, stand.responder))
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        return channel
    }

    private func head(_ stand: WebStand, _ path: String) -> HTTPRequestHead {
        HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: ["Host": stand.host])
    }

    @Test("A request has to come within ten seconds, however it comes") func firstRequest() async throws {
        try await WebStand.run { stand in
            for isBegun in [false, true] {
                let channel = try await channel(stand)
                if isBegun { try await channel.writeInbound(HTTPServerRequestPart.head(head(stand, "/"))) }
                await channel.testingEventLoop.advanceTime(by: .seconds(9))
                #expect(channel.isActive)
                await channel.testingEventLoop.advanceTime(by: .seconds(1))
                #expect(!channel.isActive)
            }
        }
    }

    @Test("A connection that was served waits thirty seconds for the next request") func nextRequest() async throws {
        try await WebStand.run { stand in
            let channel = try await channel(stand)
            try await channel.writeInbound(HTTPServerRequestPart.head(head(stand, "/icon.svg")))
            try await channel.writeInbound(HTTPServerRequestPart.end(nil))
            try await channel.receiveEnd()
            try await channel.waits(as: .idle)
            await channel.testingEventLoop.advanceTime(by: .seconds(29))
            #expect(channel.isActive)
            await channel.testingEventLoop.advanceTime(by: .seconds(1))
            #expect(!channel.isActive)
        }
    }
}

extension NIOAsyncTestingChannel {
    /// Takes the parts of a response up to its end.
    fileprivate func receiveEnd() async throws {
        var part: HTTPServerResponsePart
        repeat { part = try await waitForOutboundWrite() } while part != .end(nil)
    }

    /// Waits until the connection is used in a way.
    fileprivate func waits(as use: ConnectionTable.Use) async throws {
        try await Patience.wait(for: "\(use)") {
            try await testingEventLoop.executeInContext { [self] in
                try pipeline.syncOperations.handler(type: PageConnection.self).use == use
            }
        }
    }
}
