import BlueZPrintableText
import FoundationEssentials

/// Decides which requests are allowed. Another page that is open in the browser can send requests here, but it cannot
/// choose their Host and Origin, and does not know the secret.
struct Access: Sendable {
    /// Why a request is refused.
    enum Refusal: Equatable {
        case wrongHost
        case wrongOrigin
        case wrongToken

        /// The text for users.
        var text: String {
            switch self {
            case .wrongHost:
                "This page is not served under that name or address; to allow it, start sensortag web with --host NAME"
            case .wrongOrigin: "The request is from another page"
            case .wrongToken: "Open the page with the address that the program printed to switch something"
            }
        }
    }

    /// The authorities that browsers may send as Host: name, colon, port.
    let hosts: Set<String>
    /// The secret for requests that change something: 32 hexadecimal digits.
    let token: String

    /// Access for a page at an address and port, under more names.
    init(address: String, port: UInt16, otherNames: [String] = [], token: String = Access.newToken()) {
        var names = [address] + otherNames
        if IPv4Address(address)?.isLoopback == true || address == "0.0.0.0" { names += ["localhost", "127.0.0.1"] }
        hosts = Set(
            names.flatMap { name in
                let name = name.lowercased()
                return port == 80 ? [name, "\(name):80"] : ["\(name):\(port)"]
            })
        self.token = token
    }

    /// Why a request is refused, or nil.
    ///
    /// - Parameter changes: whether it changes something.
    func refusal(host: String?, origin: String?, token: String?, changes: Bool) -> Refusal? {
        guard let host, hosts.contains(host.lowercased()) else { return .wrongHost }
        if let origin {
            let scheme = "http://"
            guard origin.lowercased().hasPrefix(scheme),
                hosts.contains(String(origin.lowercased().dropFirst(scheme.count)))
            else { return .wrongOrigin }
        }
        guard !changes || isSecret(token) else { return .wrongToken }
        return nil
    }

    /// Whether a text is the secret. Compares in constant time.
    func isSecret(_ text: String?) -> Bool {
        guard let text else { return false }
        let (own, other) = (Array(token.utf8), Array(text.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// A new secret of 128 random bits.
    static func newToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(hexadecimal: generator.next() as UInt64, digits: 16) }.joined()
    }
}

/// An IPv4 address in its text form.
struct IPv4Address: Equatable, Sendable, CustomStringConvertible {
    /// The address that only this machine can reach.
    static let loopback = IPv4Address(127, 0, 0, 1)

    let text: String

    private init(_ numbers: UInt8...) {
        text = numbers.map(String.init).joined(separator: ".")
    }

    /// nil unless the text has four numbers of 0 to 255, separated by dots.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts.allSatisfy({ UInt8($0) != nil && $0.utf8.allSatisfy { $0 != UInt8(ascii: "+") } })
        else { return nil }
        self.text = text
    }

    var description: String { text }

    /// Whether only this machine can reach it.
    var isLoopback: Bool { text.hasPrefix("127.") }
}
