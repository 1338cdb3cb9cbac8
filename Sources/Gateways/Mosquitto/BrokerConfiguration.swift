/// The address of a broker, and the client's credentials.
public struct BrokerConfiguration: Hashable, Sendable {
    /// The host's name or address.
    public var host: String
    /// The port: 1883 by default, 8883 with TLS.
    public var port: UInt16
    /// Whether the connection uses TLS, with the broker's certificate checked.
    public var usesTLS: Bool
    /// The user's name.
    public var user: String?
    /// The user's password.
    public var password: String?
    /// A file of certificates for checking the broker's; nil means the system's.
    public var authorities: String?
    /// A file with the client's certificate.
    public var certificate: String?
    /// A file with the certificate's private key, which must not need a passphrase.
    public var privateKey: String?
    /// The client identifier, up to 23 letters, digits and hyphens: brokers have to accept those (MQTT 5, 3.1.3.1).
    public var clientIdentifier: String

    /// Creates a configuration from a URL, such as `mqtt://broker.local`, `mqtts://broker.local:8883` or
    /// `mqtt://[fd00::1]`.
    ///
    /// - Returns: nil if the text is not such a URL. Names and passwords do not belong in it: they would show in the
    ///   list of processes.
    public init?(url: String, clientIdentifier: String) {
        let schemes = [("mqtt://", false), ("mqtts://", true)]
        guard let (scheme, isSecure) = schemes.first(where: { url.lowercased().hasPrefix($0.0) }) else { return nil }
        var rest = url.dropFirst(scheme.count)
        if rest.last == "/" { rest.removeLast() }
        guard let (host, port) = Self.split(rest) else { return nil }
        self.host = host
        self.port = port ?? (isSecure ? 8883 : 1883)
        usesTLS = isSecure
        self.clientIdentifier = clientIdentifier
    }

    /// The broker with its place, for logs and errors.
    var place: String { "the broker " + (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    /// Whether the password would be sent over a network in clear text: without TLS, and not on this machine.
    public var exposesPassword: Bool {
        let host = host.lowercased()
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let isLoopback =
            host == "localhost" || host == "::1" || (numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil))
        return password != nil && !usesTLS && !isLoopback
    }

    private static func split(_ text: Substring) -> (host: String, port: UInt16?)? {
        var host = text
        var tail: Substring = ""
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            tail = text[text.index(after: end)...]
            guard host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
        } else {
            if let colon = text.firstIndex(of: ":") {
                host = text[..<colon]
                tail = text[colon...]
            }
            let isName = host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            guard isName else { return nil }
        }
        guard !host.isEmpty, host.utf8.count <= 255 else { return nil }
        guard !tail.isEmpty else { return (String(host), nil) }
        guard tail.first == ":", let port = UInt16(tail.dropFirst()), port > 0 else { return nil }
        return (String(host), port)
    }
}
