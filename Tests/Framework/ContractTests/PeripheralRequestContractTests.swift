import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    /// What a central can do with the services of this program.
    @Suite(.virtualTime, .enabled("needs a central") { try await Side.can("central-connect", "central-prepare") })
    struct PeripheralRole {
        @Test("Row 41: A read or write says who asks, with which MTU, and a central is known while it is connected")
        func requests() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                var reads: [ReadRequest] = []
                var writes: [WriteRequest] = []
                let value = fixture.value([.read, .write])
                value.readHandler = {
                    reads.append($0); $0.respond(with: Data([1, 2, 3]))
                }
                value.writeHandler = {
                    writes.append($0); $0.respond()
                }
                try await fixture.serve([value], by: manager)
                #expect(try await fixture.connectCentral(mtu: 247) == 247)
                #expect(try await fixture.readByCentral(value.uuid) == .success(Data([1, 2, 3])))
                #expect(try await fixture.writeByCentral(value.uuid, Data([4])) == .done)
                let central = try #require(manager.centrals.first)
                #expect(central.address == PeerCentral.address && central.isConnected && !central.isPaired)
                #expect(central.mtu == 247 && central.maximumUpdateValueLength == 244)
                #expect(reads.map(\.central) == [central] && reads.map(\.mtu) == [247] && reads.map(\.offset) == [0])
                #expect(writes.map(\.central) == [central] && writes.map(\.value) == [Data([4])])
                #expect(reads[0].transport == .le)
                try await fixture.disconnectCentral()
                try await fixture.wait(for: "the end of the link") { manager.centrals.isEmpty }
                #expect(!central.isConnected)
            }
        }

        @Test("Row 42: A long read asks for each part, and gets them of one value")
        func longRead() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                var reads = 0
                let value = fixture.value([.read])
                value.readHandler = { request in
                    reads += 1
                    request.respond(with: Data(repeating: UInt8(reads), count: 300))
                }
                try await fixture.serve([value], by: manager)
                try await fixture.connectCentral(mtu: 100)
                #expect(
                    try await fixture.readByCentral(value.uuid, isLong: true)
                        == .success(Data(repeating: 1, count: 300)))
                #expect(reads == 1)
                #expect(
                    try await fixture.readByCentral(value.uuid, offset: 301) == .failure(.invalidOffset))
            }
        }

        @Test("Row 43: Prepared writes arrive as one, with the offset of the first part, or fail as a whole")
        func prepared() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                var writes: [(offset: Int, value: Data)] = []
                let value = fixture.value([.read, .write])
                value.writeHandler = {
                    writes.append(($0.offset, $0.value)); $0.respond()
                }
                try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                #expect(
                    try await fixture.prepareByCentral(value.uuid, [(0, Data([1, 2])), (2, Data([3]))]) == .done)
                #expect(
                    try await fixture.prepareByCentral(value.uuid, [(3, Data([1, 2])), (5, Data([3]))]) == .done)
                #expect(writes.map(\.offset) == [0, 3])
                #expect(writes.map(\.value) == [Data([1, 2, 3]), Data([1, 2, 3])])
                // Parts with a gap are two writes, for which bluetoothd demands reliable writes.
                #expect(
                    try await fixture.prepareByCentral(value.uuid, [(0, Data([1])), (5, Data([2]))])
                        == .failure(.requestNotSupported))
                #expect(writes.count == 2)
            }
        }

        @Test("Row 44: Each error of a handler reaches the central as the one that the version of BlueZ makes of it")
        func errors() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let errors: [ATTError] = [
                    .requestNotSupported, .invalidOffset, .insufficientAuthorization, .invalidAttributeValueLength,
                    .procedureAlreadyInProgress, .unlikelyError, ATTError(rawValue: 0x80),
                ]
                let value = fixture.value([.read, .write])
                let descriptor = LocalDescriptor(PeerCentral.descriptor)
                let other = LocalCharacteristic(
                    PeerCentral.otherValue, properties: [.read], descriptors: [descriptor])
                try await fixture.serve([value, other], by: manager)
                try await fixture.connectCentral()
                let handle = try #require(descriptor.handle)
                for error in errors {
                    value.readHandler = { $0.fail(error) }
                    value.writeHandler = { $0.fail(error) }
                    descriptor.readHandler = { $0.fail(error) }
                    #expect(try await fixture.readByCentral(value.uuid) == .failure(error))
                    #expect(try await fixture.writeByCentral(value.uuid, Data([1])) == .failure(error))
                    #expect(try await fixture.readByCentral(handle: handle) == .failure(error))
                }
            }
        }

        @Test("Row 44: An error of the application keeps its code from 5.66 on, and is 0x80 before")
        func applicationErrors() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let value = fixture.value([.read, .write])
                value.readHandler = { $0.fail(ATTError(rawValue: 0x9F)) }
                value.writeHandler = { $0.fail(.writeNotPermitted) }
                try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                let answer = try await fixture.readByCentral(value.uuid)
                #expect([.failure(ATTError(rawValue: 0x9F)), .failure(ATTError(rawValue: 0x80))].contains(answer))
                #expect(try await fixture.writeByCentral(value.uuid, Data([1])) == .failure(.writeNotPermitted))
            }
        }

        @Test("Row 45: A handler that never responds is answered for, before bluetoothd's own limit")
        func neverAnswers() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                manager.responseTimeout = .seconds(1)
                let value = fixture.value([.read])
                var kept: [ReadRequest] = []
                var ended = 0
                value.readHandler = { request in
                    request.endHandler = { ended += 1 }
                    kept.append(request)
                }
                try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                #expect(try await fixture.readByCentral(value.uuid) == .failure(.unlikelyError))
                #expect(ended == 1 && !kept[0].isPending)
                kept[0].respond(with: Data([9]))
                value.readHandler = { $0.respond(with: Data([2])) }
                #expect(try await fixture.readByCentral(value.uuid) == .success(Data([2])))
            }
        }

        @Test("Row 46: A write request to a characteristic with write without response cannot be refused")
        func cannotRefuse() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                var writes: [Data] = []
                let value = fixture.value([.write, .writeWithoutResponse])
                value.writeHandler = {
                    writes.append($0.value); $0.fail(.writeNotPermitted)
                }
                try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                #expect(try await fixture.writeByCentral(value.uuid, Data([1])) == .done)
                #expect(try await fixture.writeByCentral(value.uuid, Data([2]), withResponse: false) == .done)
                try await fixture.wait(for: "both writes") { writes == [Data([1]), Data([2])] }
            }
        }

        @Test("Row 46: A write without response reaches a characteristic that only takes requests")
        func commandToWrite() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let value = fixture.value([.write])
                try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                #expect(try await fixture.writeByCentral(value.uuid, Data([7]), withResponse: false) == .done)
                try await fixture.wait(for: "the write") { value.value == Data([7]) }
            }
        }

        @Test("Row 47: Services come and go while a central is connected, each with its own handles")
        func comeAndGo() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let value = fixture.value([.read])
                try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                let first = try await fixture.discoverByCentral()
                #expect(first[PeerCentral.service]?[value.uuid] == value.handle)
                let other = LocalService(
                    PeerCentral.otherService,
                    characteristics: [
                        LocalCharacteristic(PeerCentral.otherValue, properties: [.read], value: Data([2]))
                    ])
                try await manager.publish(other)
                let both = try await fixture.discoverByCentral()
                #expect(both[PeerCentral.service] == first[PeerCentral.service])
                #expect(both[PeerCentral.otherService]?.count == 1)
                #expect(try await fixture.readByCentral(PeerCentral.otherValue) == .success(Data([2])))
                await manager.unpublish(other)
                let rest = try await fixture.discoverByCentral()
                #expect(rest[PeerCentral.otherService] == nil)
                #expect(rest[PeerCentral.service] == first[PeerCentral.service])
                #expect(try await fixture.readByCentral(value.uuid) == .success(Data()))
            }
        }

        @Test(
            "Row 47: A service brings those that it includes, and takes them with it",
            .enabled(if: Side.bluezVersion != "5.55", "bluetoothd 5.55 ends when an included service is unregistered")
        )
        func included() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let included = LocalService(
                    PeerCentral.base.replacingShort(with: 0x0102), isPrimary: false,
                    characteristics: [
                        LocalCharacteristic(
                            PeerCentral.base.replacingShort(with: 0x0004), properties: [.read], value: Data([4]))
                    ])
                let service = LocalService(
                    PeerCentral.service, characteristics: [fixture.value([.read])], includedServices: [included])
                try await manager.publish(service)
                _ = try await manager.startAdvertising(LocalAdvertisement(localName: "Lab"))
                try await fixture.connectCentral()
                let both = try await fixture.discoverByCentral()
                #expect(both[service.uuid]?.count == 1 && both[included.uuid]?.count == 1)
                await manager.unpublish(service)
                let rest = try await fixture.discoverByCentral()
                #expect(rest[service.uuid] == nil && rest[included.uuid] == nil)
            }
        }
    }
}
