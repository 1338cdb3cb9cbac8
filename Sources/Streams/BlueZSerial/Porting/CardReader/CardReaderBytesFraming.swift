import CoreBlueZ
import FoundationEssentials

/// The card reader's framing for programs that make and parse the frames: a message is the bytes of a whole frame.
struct CardReaderBytesFraming: Framing {
    private(set) var framing: CardReaderFraming

    init(_ framing: CardReaderFraming) { self.framing = framing }

    func encode(_ message: Data) -> Data { message }

    mutating func receive(_ bytes: Data) -> [Result<Data, FramingError>] { framing.receiveBytes(bytes) }

    var idleDeadline: Duration? { framing.idleDeadline }

    mutating func idle() -> [Result<Data, FramingError>] { framing.finishBytes() }

    mutating func finish() -> [Result<Data, FramingError>] { framing.finishBytes() }

    mutating func clear() { framing.clear() }
}
