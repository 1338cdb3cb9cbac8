import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// A fleet, Mosquitto and a gateway, if the broker does not take or deliver everything.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ChainTests {
    @Test("Requests that the broker refuses end at once, were not carried out, and leave the link as it is")
    func requests() async throws {
        let broker = try await TestBroker(
            .init(users: Chain.users, accessControl: Chain.gatewayAccess + Chain.fleetAccess))
        // The broker refuses to renew leases, too, for as long as it refuses requests.
        try await Chain.with(broker, lease: .seconds(600)) { chain, value in
            try await value.writeValue(Data([1]))
            try broker.setAccessControl(
                Chain.gatewayAccess + Chain.fleetAccess.filter { !$0.hasPrefix("topic write") })
            try await broker.untilItAnswers(false, "fleet", "corebluez/1/gateways/nobody/requests/fleet")
            let error = await #expect(throws: BluetoothError.self) { try await value.writeValue(Data([2])) }
            #expect(error?.bluezName == "org.bluez.Error.Failed")
            #expect(error?.bluezMessage?.contains("was not sent") == true)
            try broker.setAccessControl(Chain.gatewayAccess + Chain.fleetAccess)
            try await broker.untilItAnswers(true, "fleet", "corebluez/1/gateways/nobody/requests/fleet")
            try await value.writeValue(Data([3]))
            #expect(await chain.writes == [[1], [3]])
        }
    }

    @Test("If the broker refuses a gateway's answer, the write ends as unknown and is carried out once")
    func answers() async throws {
        let broker = try await TestBroker(
            .init(users: Chain.users, accessControl: Chain.gatewayAccess + Chain.fleetAccess))
        try await Chain.with(broker, lease: .seconds(600)) { chain, value in
            try await value.writeValue(Data([1]))
            try broker.setAccessControl(Chain.gatewayAccess.dropLast() + Chain.fleetAccess)
            try await broker.untilItAnswers(false, "kitchen", "corebluez/1/clients/nobody/responses/kitchen")
            let error = await #expect(throws: BluetoothError.self) { try await value.writeValue(Data([2])) }
            #expect(error?.bluezName == "org.freedesktop.DBus.Error.Timeout")
            try broker.setAccessControl(Chain.gatewayAccess + Chain.fleetAccess)
            try await broker.untilItAnswers(true, "kitchen", "corebluez/1/clients/nobody/responses/kitchen")
            try await value.writeValue(Data([3]))
            #expect(await chain.writes == [[1], [2], [3]])
        }
    }

    @Test("A broker whose queue is full drops requests: each write ends once, and what was confirmed was done once")
    func drops() async throws {
        let broker = try await TestBroker(.init(lines: ["max_queued_messages 1"]))
        let proxy = try await Proxy(to: broker.port)
        let witness = try TestClient(
            broker.url, subscriptions: ["corebluez/1/gateways/kitchen/requests/+"], quality: .atMostOnce)
        try await Chain.with(broker, gateway: proxy.url, lease: .seconds(600)) { chain, value in
            let values = await Chain.others(beside: value)
            #expect(values.count == Chain.others)
            let before = witness.messages.count
            proxy.freeze()
            var outcomes: [Outcome] = []
            try await withThrowingTaskGroup(of: Outcome.self) { group in
                for (index, other) in values.enumerated() {
                    let number = UInt8(index)
                    group.addTask { Outcome(number: number, error: await Chain.write(number, to: other)) }
                }
                try await Patience.wait(for: "all requests") { witness.messages.count >= before + values.count }
                proxy.thaw()
                for try await outcome in group { outcomes.append(outcome) }
            }
            #expect(await value.service?.peripheral?.isConnected == true)
            let writes = await chain.writes.map { $0[0] }
            #expect(writes.count == Set(writes).count)
            #expect(outcomes.count == values.count)
            #expect(Set(outcomes.filter { $0.error == nil }.map(\.number)).isSubset(of: writes))
            let lost = outcomes.compactMap(\.error)
            #expect(lost.count > 0)
            #expect(lost.allSatisfy { $0.bluezName == "org.freedesktop.DBus.Error.Timeout" })
        }
        await witness.broker.stop(nil)
    }

    private struct Outcome {
        var number: UInt8
        var error: BluetoothError?
    }
}

extension TestBroker {
    /// Waits until the broker takes a user's messages to a topic, or refuses them.
    func untilItAnswers(_ takes: Bool, _ user: String, _ topic: String) async throws {
        let client = try TestClient(url) {
            $0.user = user
            $0.password = Chain.users[user]
        }
        try await client.waitUntilConnected()
        try await Patience.wait(for: "the access control list") {
            let before = (client.refusals(of: topic), client.refusals(of: "forbidden"))
            client.publish(topic, "x")
            // The broker answers in order.
            client.publish("forbidden", "x")
            try await Patience.wait(for: "the answer") { client.refusals(of: "forbidden") > before.1 }
            return takes == (client.refusals(of: topic) == before.0)
        }
        await client.broker.stop(nil)
    }
}
