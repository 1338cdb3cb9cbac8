import FoundationEssentials
import TestSupport

@testable import CoreBlueZ

/// What was asked for in one round, and how it ended: the operations of the program and of the centrals, the requests
/// that the handlers got, and the subscriptions.
@BluetoothActor final class RoleRecord: FaultRecord {
    /// How a handler responds.
    enum Answer {
        case now, late, never, twice, afterLink, byTask, withError, dropped
    }

    private struct Track {
        let title: String
        weak var request: LocalRequest?
        var isDropped = false
        /// How often the handler responded to a pending request.
        var answers = 0
        /// How often the request reported its end.
        var ends = 0
    }

    /// How handlers respond from now on.
    var answer = Answer.now
    private var operations: [(title: String, ends: Int)] = []
    private var tracks: [Track] = []
    private var kept: [LocalRequest] = []
    private var late: [@BluetoothActor () -> Void] = []
    private var subscribed: [String: Central?] = [:]
    private var effective: Set<UInt32> = []
    private var lastNumber: UInt32 = 0
    private var noted: [FaultFinding] = []

    // MARK: Operations

    func begin(_ title: String) -> Int {
        operations.append((title, 0))
        return operations.count - 1
    }

    func end(_ index: Int) { operations[index].ends += 1 }

    /// What has not ended yet.
    var pending: [String] {
        operations.filter { $0.ends == 0 }.map(\.title) + tracks.filter { $0.request?.isPending == true }.map(\.title)
    }

    // MARK: Values

    /// A number that is used once, as bytes: four, or as many as need several reads with the smallest MTU.
    func makeValue() -> Data {
        lastNumber += 1
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: lastNumber >> ($0 * 8)) }
        return Data((0..<(lastNumber % 3 == 0 ? 20 : 1)).flatMap { _ in bytes })
    }

    private static func number(_ bytes: some Collection<UInt8>) -> UInt32? {
        bytes.count < 4 ? nil : bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Notes the response that a central got to a read or write of a value: that of one handler.
    func received(_ bytes: [UInt8], _ title: String) {
        let isWhole = bytes.indices.allSatisfy { bytes[$0] == bytes[$0 % 4] }
        guard isWhole, let number = Self.number(bytes), effective.remove(number) != nil else {
            return note(.received, "\(title): the central got \(bytes), which no response of a handler was")
        }
    }

    /// Checks the values that a central got without asking.
    func checkUpdates(_ values: [[UInt8]]) {
        let numbers = values.compactMap { Self.number($0) }
        if Set(numbers).count < numbers.count { note(.received, "a central got an update twice: \(numbers)") }
    }

    // MARK: Requests

    /// Responds to a request in the way of this time.
    ///
    /// - Parameters:
    ///   - value: the value that the response is about.
    ///   - respond: responds with success.
    ///   - byTask: lets an async handler respond.
    func take(
        _ request: LocalRequest, _ title: String, _ value: Data, _ respond: @escaping @BluetoothActor () -> Void,
        byTask: () -> Void
    ) {
        // A write by a socket has its response already.
        guard request.isPending else { return }
        let index = tracks.count
        tracks.append(Track(title: "\(title) answered \(answer)", request: request))
        request.endHandler = { [weak self] in self?.tracks[index].ends += 1 }
        let give: @BluetoothActor () -> Void = { [self] in succeed(request, value, respond) }
        switch answer {
        case .now: give()
        case .late: _ = BluetoothActor.after(.milliseconds(4), give)
        case .never: kept.append(request)
        case .twice:
            give()
            give()
            request.fail(.readNotPermitted)
        case .afterLink: late.append(give)
        case .byTask: byTask()
        case .withError:
            tracks[index].answers += 1
            request.fail(ATTError(rawValue: 0x80))
        case .dropped: tracks[index].isDropped = true
        }
    }

    /// Responds, and notes whether that had an effect.
    func succeed(_ request: LocalRequest, _ value: Data, _ respond: @BluetoothActor () -> Void) {
        let wasPending = request.isPending
        respond()
        if request.isPending { note(.incomplete, "a request is pending after its response") }
        guard wasPending, let index = tracks.lastIndex(where: { $0.request === request }) else { return }
        tracks[index].answers += 1
        if let number = Self.number(value) { effective.insert(number) }
    }

    /// Responds to what waits for the end of a link, or for ever.
    func answerLate() {
        let late = late
        self.late = []
        for each in late { each() }
    }

    /// Checks that no request has outlasted the publication of its service.
    func checkUnpublished() {
        for track in tracks where track.request?.isPending == true {
            note(.incomplete, "\(track.title): pending although its service is unpublished")
        }
    }

    /// Releases the requests.
    func release() {
        answerLate()
        kept = []
    }

    // MARK: Subscriptions

    func changed(_ uuid: BluetoothUUID, _ central: Central?, _ isSubscribed: Bool) {
        let key = "\(uuid) by \(central.map { "\($0.path)" } ?? "anybody")"
        let earlier = subscribed[key]
        subscribed[key] = isSubscribed ? .some(central) : nil
        if isSubscribed == (earlier != nil) { note(.doubled, "\(key): subscribed \(isSubscribed) twice") }
        if let earlier, earlier !== central { note(.doubled, "\(key): another object of the same central") }
    }

    // MARK: Findings

    private func note(_ kind: FaultFinding.Kind, _ text: String) { noted.append(FaultFinding(kind, text)) }

    var doubled: [FaultFinding] {
        noted + operations.filter { $0.ends > 1 }.map { FaultFinding(.doubled, "\($0.title) ended \($0.ends) times") }
    }

    /// What must not be after the manager was released.
    var findings: [FaultFinding] {
        var findings = doubled
        for track in tracks where track.answers + track.ends != (track.isDropped ? 0 : 1) {
            let text = "\(track.title): \(track.answers) responses and \(track.ends) ends"
            findings.append(FaultFinding(track.answers + track.ends > 1 ? .doubled : .incomplete, text))
        }
        let requests = tracks.filter { $0.request != nil }.map(\.title)
        if !requests.isEmpty { findings.append(FaultFinding(.leftOver, "requests are left: \(requests)")) }
        if !subscribed.isEmpty { findings.append(FaultFinding(.endless, "subscriptions are left: \(subscribed.keys)")) }
        return findings
    }
}

/// A characteristic whose handlers respond as the record says, and that notes what happens to it.
@BluetoothActor final class FaultyCharacteristic: LocalCharacteristic {
    private let record: RoleRecord

    init(_ uuid: BluetoothUUID, _ properties: CharacteristicProperties, _ record: RoleRecord) {
        self.record = record
        super.init(uuid, properties: properties, descriptors: [LocalDescriptor(0x2901, value: Data([65]))])
        setReadHandler { [record] request in
            try await BluetoothActor.sleep(for: .milliseconds(4))
            let value = record.makeValue()
            record.succeed(request, value) { request.respond(with: value) }
            return value
        }
        setWriteHandler { [record] request in
            try await BluetoothActor.sleep(for: .milliseconds(4))
            record.succeed(request, request.value) { request.respond() }
        }
    }

    override func didReceiveRead(_ request: ReadRequest) {
        let value = record.makeValue()
        record.take(request, "a read of \(uuid)", value, { request.respond(with: value) }) {
            super.didReceiveRead(request)
        }
    }

    override func didReceiveWrite(_ request: WriteRequest) {
        record.take(request, "a write of \(uuid)", request.value, { request.respond() }) {
            super.didReceiveWrite(request)
        }
    }

    override func didSubscribe(_ central: Central?) { record.changed(uuid, central, true) }
    override func didUnsubscribe(_ central: Central?) { record.changed(uuid, central, false) }
}
