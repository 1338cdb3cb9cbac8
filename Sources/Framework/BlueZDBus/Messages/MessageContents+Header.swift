extension MessageContents {
    /// The part that messages with the same fields have in common: their kind and the positions of the fields (D-Bus
    /// specification, "Message Format").
    final class Header {
        let kind: Message.Kind
        var replySerial: UInt32 = 0
        var descriptorCount: UInt32 = 0
        // The positions of text fields.
        var path: WireBytes.Text?
        var interface: WireBytes.Text?
        var member: WireBytes.Text?
        var errorName: WireBytes.Text?
        var destination: WireBytes.Text?
        var sender: WireBytes.Text?
        var signature = WireBytes.Text()
        /// The end of the header, where the arguments begin.
        var end = 0

        init(_ kind: Message.Kind) { self.kind = kind }
    }
}

extension Message.Kind {
    /// Creates a kind from its number; nil for 0, which no message has.
    init?(_ number: UInt8) {
        switch number {
        case 0: return nil
        case 1: self = .methodCall
        case 2: self = .methodReturn
        case 3: self = .error
        case 4: self = .signal
        default: self = .unknown
        }
    }
}
