extension MessageContents {
    /// Where the header's fields are (D-Bus specification, "Message Format").
    struct Header {
        private(set) var path: WireBytes.Text?
        private(set) var interface: WireBytes.Text?
        private(set) var member: WireBytes.Text?
        private(set) var sender: WireBytes.Text?
        private(set) var signature = WireBytes.Text()
        /// Where the header ends, and the arguments begin.
        private(set) var end = 0

        /// A header without fields.
        init() {}

        /// Reads the fields that are wanted, up to one that is not all there.
        init(_ wire: WireBytes) {
            let fieldsEnd = 16 + Int(wire.load(UInt32.self, at: 12) ?? 0)
            end = WireBytes.align(fieldsEnd, to: 8)
            var offset = 16
            while offset < fieldsEnd {
                // A field is a structure of a byte and a variant. libdbus has made sure of the types of the fields that it
                // knows, of which these are: all have one character.
                offset = WireBytes.align(offset, to: 8)
                let value = offset + 4
                switch wire.byte(at: offset) {
                case 1: path = wire.text(at: value, &offset)
                case 2: interface = wire.text(at: value, &offset)
                case 3: member = wire.text(at: value, &offset)
                case 7: sender = wire.text(at: value, &offset)
                case 8:
                    guard let text = wire.signature(at: value) else { return }
                    signature = text
                    offset = text.start + text.count + 1
                default:
                    guard let type = wire.signature(at: offset + 1) else { return }
                    offset = wire.endOfValue(type: type.start, at: type.start + type.count + 1) ?? fieldsEnd
                }
            }
        }
    }
}
