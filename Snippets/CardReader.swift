// A framed card reader: found by connecting, asked for tracks, sent an APDU. And the layers below, each by itself.
import BLESerial
import CoreBlueZ
import FoundationEssentials

do {
    try await BluetoothActor.run {
        let central = CentralManager()
        let finder = SerialFinder(central, profiles: [.issc])
        let service = try await finder.find()
        try await service.open()
        let reader = CardReader(service)
        let tracks = try await reader.readTracks()
        let response = try await reader.sendAPDU(Data([0x00, 0xA4, 0x04, 0x00, 0x00]))
        print(tracks.masked.track2 ?? "no track 2", response.status)
        try await service.peripheral?.disconnect()
    }
} catch {
    print(error)
}

/// What became of a payment.
enum PaymentOutcome {
    case charged, notCharged, unknown
}

@BluetoothActor func pay(
    _ payment: Data, query: Data, on terminal: ExchangeTerminal, at address: String,
    outcome: (Data) -> PaymentOutcome
) async throws -> PaymentOutcome {
    if !terminal.isOpen { try await terminal.open(address) }
    guard let exchange = terminal.exchange else { throw ExchangeError.refused(.notOpened) }
    do throws(ExchangeError) {
        return outcome(try await exchange.exchange(payment, timeout: .seconds(60)))
    } catch {
        // It was not sent.
        if case .refused = error { throw error }
    }
    do {
        if !terminal.isOpen { try await terminal.open(address) }
        let reply = try await terminal.exchange?.exchange(query, timeout: .seconds(10))
        return reply.map(outcome) ?? .unknown
    } catch {
        return .unknown
    }
}

@BluetoothActor func messages(of service: SerialService) {
    let framed = FramedStream(service, framing: CardReaderFraming(checksum: .kermit))
    framed.receiveHandler = { event in
        switch event {
        case .success(let frame): print(frame.command, frame.data)
        case .failure(let error): print(error)
        }
    }
    framed.send(CardReaderFrame(command: 0xC1, subcommand: 0x07)) { error in }
}

@BluetoothActor func exchange(over framed: FramedStream<CardReaderFrame>, _ request: CardReaderFrame) {
    let exchange = Exchange(framed) { message, request in
        message.command == request?.command ? .reply : .unsolicited
    }
    exchange.exchange(request, timeout: .seconds(5)) {
        print("sent")
    } progress: { step in
        print(step)
    } completion: { reply, error in
        if let error { print(error, error.code?.recovery as Any) }
    }
    exchange.cancel()
}
