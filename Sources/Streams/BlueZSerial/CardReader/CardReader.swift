import CoreBlueZ
import FoundationEssentials

/// A card reader with framed messages, which reads magnetic stripes and passes APDUs to chip cards.
///
/// The reader does not advertise its service, so `SerialFinder` finds it by connecting. It has the ISSC profile. The
/// command numbers depend on the maker; see `CardReaderCommands`.
@BluetoothActor public final class CardReader {
    /// The exchange of framed requests and responses. The remains of an earlier response are discarded before each
    /// command.
    public let exchange: Exchange<CardReaderFrame>
    /// The numbers of the reader's commands.
    public let commands: CardReaderCommands
    /// The stream that carries the frames.
    public let stream: any ByteStream
    /// Called when the first frame has shown which CRC the reader's frames have, or with nil if it has none of the known
    /// ones. Only with a framing that has `detectsChecksum`.
    public var checksumHandler: (@BluetoothActor (CardReaderChecksum?) -> Void)? {
        get { search.foundHandler }
        set { search.foundHandler = newValue }
    }

    private let search: ChecksumSearch

    /// Creates a card reader at the other end of a stream.
    ///
    /// - Parameters:
    ///   - stream: the stream to the reader.
    ///   - framing: the CRC and the size of the reader's buffer. With `detectsChecksum`, **a command may be sent up to
    ///     six times**: a reader can ignore a command whose CRC is not its own, so until a byte has arrived, `readTracks`
    ///     and `sendAPDU` send the command again with each known CRC, 2 s apart, or an eighth of their timeout.
    ///   - commands: the numbers of the reader's commands.
    ///   - classify: returns the kind of a frame. By default, a frame with the request's command and subcommand is its
    ///     reply, and all others are unsolicited.
    public init(
        _ stream: any ByteStream,
        framing: CardReaderFraming = CardReaderFraming(),
        commands: CardReaderCommands = CardReaderCommands(),
        classify: @escaping Exchange<CardReaderFrame>.Classifier = CardReader.isReplyOfSameCommand
    ) {
        self.stream = stream
        self.commands = commands
        let framed = FramedStream(stream, framing: framing)
        let search = ChecksumSearch(framed)
        self.search = search
        exchange = Exchange(framed) { frame, request in
            let kind = classify(frame, request)
            search.frameDidArrive(kind, isRequested: request != nil)
            return kind
        }
        exchange.clearsBeforeSending = true
    }

    /// Returns `reply` for a frame with the request's command and subcommand, otherwise `unsolicited`.
    public static func isReplyOfSameCommand(
        _ frame: CardReaderFrame, _ request: CardReaderFrame?
    ) -> ExchangeMessageKind {
        guard let request else { return .unsolicited }
        return frame.command == request.command && frame.subcommand == request.subcommand ? .reply : .unsolicited
    }

    /// Requests the tracks of a magnetic stripe, and waits until a card is swiped. It fails with the errors of
    /// `Exchange.exchange(_:timeout:sent:progress:completion:)`: `timedOut` if no card is swiped in time.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait for the response.
    ///   - completion: gets the tracks, or the error. Called exactly once.
    public func readTracks(
        timeout: Duration = .seconds(30),
        completion: @escaping @BluetoothActor (MagneticTracks?, ExchangeError?) -> Void
    ) {
        send(commands.readTracks, timeout) { reply, error in completion(reply.map { MagneticTracks($0.data) }, error) }
    }

    /// Requests the tracks of a magnetic stripe; the async form of `readTracks(timeout:completion:)`.
    public func readTracks(timeout: Duration = .seconds(30)) async throws(ExchangeError) -> MagneticTracks {
        MagneticTracks(try await send(commands.readTracks, timeout).data)
    }

    /// Sends a command APDU to the chip card (ISO/IEC 7816-4: CLA, INS, P1, P2 and more), and waits for its response.
    /// It fails with the errors of `Exchange.exchange(_:timeout:sent:progress:completion:)`, with `byteFormat` if the
    /// APDU is too short or too long, and with `decodeFailed` if the response has no status bytes.
    ///
    /// - Parameters:
    ///   - apdu: the APDU: at least 4 bytes, and at most as many as a frame can contain.
    ///   - timeout: how long to wait for the response.
    ///   - completion: gets the response, or the error. Called exactly once.
    public func sendAPDU(
        _ apdu: Data,
        timeout: Duration = .seconds(10),
        completion: @escaping @BluetoothActor (ResponseAPDU?, ExchangeError?) -> Void
    ) {
        do throws(ExchangeError) {
            send(try frame(apdu), timeout) { reply, error in
                guard let reply else { return completion(nil, error) }
                do throws(ExchangeError) {
                    completion(try ResponseAPDU(reply.data), nil)
                } catch {
                    completion(nil, error)
                }
            }
        } catch {
            BluetoothActor.perform { completion(nil, error) }
        }
    }

    /// Sends a command APDU to the chip card; the async form of `sendAPDU(_:timeout:completion:)`.
    public func sendAPDU(_ apdu: Data, timeout: Duration = .seconds(10)) async throws(ExchangeError) -> ResponseAPDU {
        try ResponseAPDU(try await send(try frame(apdu), timeout).data)
    }

    private func send(
        _ frame: CardReaderFrame,
        _ timeout: Duration,
        completion: @escaping @BluetoothActor (CardReaderFrame?, ExchangeError?) -> Void
    ) {
        let attempt = search.attempt(frame, timeout)
        exchange.exchange(frame, timeout: timeout) {
            attempt.begin()
        } completion: { reply, error in
            attempt.end()
            completion(reply, error)
        }
    }

    private func send(_ frame: CardReaderFrame, _ timeout: Duration) async throws(ExchangeError) -> CardReaderFrame {
        let attempt = search.attempt(frame, timeout)
        defer { attempt.end() }
        return try await exchange.exchange(frame, timeout: timeout, sent: { attempt.begin() })
    }

    private func frame(_ apdu: Data) throws(ExchangeError) -> CardReaderFrame {
        guard apdu.count >= 4 else {
            throw .failed(
                .byteFormat, "A command APDU has at least 4 bytes (CLA, INS, P1, P2), this one has \(apdu.count)")
        }
        var frame = commands.sendAPDU
        frame.data = apdu
        return frame
    }

    /// Closes the stream. The link stays up.
    public func close() {
        exchange.close()
    }
}

/// The numbers of a card reader's commands.
///
/// The article that describes the frame contains one command, C1 07 with two bytes of data, without the meaning of its
/// numbers. Here it requests the tracks. **C1 08, for APDUs, is this project's own choice**, which only the simulated
/// reader is known to support. For any other reader, use the numbers of its maker.
public struct CardReaderCommands: Hashable, Sendable {
    /// The command that requests the tracks of a magnetic stripe.
    public var readTracks: CardReaderFrame
    /// The command that passes on an APDU, which becomes the data of the frame. The default is this project's own
    /// choice.
    public var sendAPDU: CardReaderFrame

    /// Creates the numbers. By default, they are those of the simulated reader.
    public init(
        readTracks: CardReaderFrame = CardReaderFrame(command: 0xC1, subcommand: 0x07, data: Data([0, 0])),
        sendAPDU: CardReaderFrame = CardReaderFrame(command: 0xC1, subcommand: 0x08)
    ) {
        self.readTracks = readTracks
        self.sendAPDU = sendAPDU
    }
}
