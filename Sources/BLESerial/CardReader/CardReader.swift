import CoreBlueZ
import FoundationEssentials

/// The framed card reader: reads magnetic stripes, and passes APDUs to chip cards.
///
/// The reader does not advertise its service, so `SerialFinder` finds it by connecting; it has the ISSC profile. The
/// command numbers depend on the maker: see `CardReaderCommands`.
@BluetoothActor public final class CardReader {
    /// Requests and replies in frames. Leftovers of an earlier reply are discarded before each command.
    public let exchange: Exchange<CardReaderFrame>
    /// The numbers of the commands.
    public let commands: CardReaderCommands
    /// The stream to the reader.
    public let stream: any ByteStream

    /// A card reader at the other end of a stream.
    ///
    /// - Parameters:
    ///   - stream: the stream to it.
    ///   - framing: its CRC, and the size of its buffer.
    ///   - commands: the numbers of its commands.
    ///   - classify: decides what a frame is; by default a frame with the request's command and subcommand is its reply,
    ///     and all others are unsolicited.
    public init(
        _ stream: any ByteStream,
        framing: CardReaderFraming = CardReaderFraming(),
        commands: CardReaderCommands = CardReaderCommands(),
        classify: @escaping Exchange<CardReaderFrame>.Classifier = CardReader.isReplyOfSameCommand
    ) {
        self.stream = stream
        self.commands = commands
        exchange = Exchange(FramedStream(stream, framing: framing), classify: classify)
        exchange.clearsBeforeSending = true
    }

    /// A frame with the request's command and subcommand is its reply.
    public static func isReplyOfSameCommand(
        _ frame: CardReaderFrame, _ request: CardReaderFrame?
    ) -> ExchangeMessageKind {
        guard let request else { return .unsolicited }
        return frame.command == request.command && frame.subcommand == request.subcommand ? .reply : .unsolicited
    }

    /// Asks for the tracks of a magnetic stripe, and waits until a card is swiped.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait.
    ///   - completion: gets the tracks, or why there are none. Runs exactly once.
    public func readTracks(
        timeout: Duration = .seconds(30),
        completion: @escaping @BluetoothActor (MagneticTracks?, ExchangeError?) -> Void
    ) {
        exchange.exchange(commands.readTracks, timeout: timeout) { reply, error in
            completion(reply.map { MagneticTracks($0.data) }, error)
        }
    }

    /// Asks for the tracks of a magnetic stripe; the async form of `readTracks(timeout:completion:)`.
    public func readTracks(timeout: Duration = .seconds(30)) async throws(ExchangeError) -> MagneticTracks {
        MagneticTracks(try await exchange.exchange(commands.readTracks, timeout: timeout).data)
    }

    /// Sends a command APDU to the chip card (ISO/IEC 7816-4: CLA, INS, P1, P2 and more) and waits for its response.
    ///
    /// - Parameters:
    ///   - apdu: at least 4 bytes, and at most as many as a frame takes.
    ///   - timeout: how long to wait.
    ///   - completion: gets the response, or why there is none. Runs exactly once.
    public func sendAPDU(
        _ apdu: Data,
        timeout: Duration = .seconds(10),
        completion: @escaping @BluetoothActor (ResponseAPDU?, ExchangeError?) -> Void
    ) {
        do throws(ExchangeError) {
            exchange.exchange(try frame(apdu), timeout: timeout) { reply, error in
                guard let reply else { return completion(nil, error) }
                do throws(ExchangeError) {
                    completion(try ResponseAPDU(reply.data), nil)
                } catch {
                    completion(nil, error)
                }
            }
        } catch {
            BluetoothActor.later { completion(nil, error) }
        }
    }

    /// Sends a command APDU to the chip card; the async form of `sendAPDU(_:timeout:completion:)`.
    public func sendAPDU(_ apdu: Data, timeout: Duration = .seconds(10)) async throws(ExchangeError) -> ResponseAPDU {
        try ResponseAPDU(try await exchange.exchange(try frame(apdu), timeout: timeout).data)
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

    /// Ends the stream; the link stays.
    public func close() {
        exchange.close()
    }
}

/// The numbers of a card reader's commands.
///
/// The article that describes the frame gives one command, C1 07 with two bytes of data, and does not say what the
/// numbers mean; here it asks for the tracks. **C1 08, for APDUs, is this project's own choice**: only the simulated
/// reader is known to have it. For any other reader, use its maker's numbers.
public struct CardReaderCommands: Hashable, Sendable {
    /// Asks for the tracks of a magnetic stripe.
    public var readTracks: CardReaderFrame
    /// Passes on an APDU, which becomes the data. The default is this project's own.
    public var sendAPDU: CardReaderFrame

    /// The numbers of the simulated reader, or others.
    public init(
        readTracks: CardReaderFrame = CardReaderFrame(command: 0xC1, subcommand: 0x07, data: Data([0, 0])),
        sendAPDU: CardReaderFrame = CardReaderFrame(command: 0xC1, subcommand: 0x08)
    ) {
        self.readTracks = readTracks
        self.sendAPDU = sendAPDU
    }
}
