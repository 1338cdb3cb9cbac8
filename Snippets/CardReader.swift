// A framed card reader: found by connecting, asked for tracks, sent an APDU. And the layers below, each by itself.
import BlueZSerial
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
