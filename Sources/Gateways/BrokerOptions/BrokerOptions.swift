import ArgumentParser
import BlueZScript
import FoundationEssentials
import GatewayProtocol
import Mosquitto

/// The options for the connection to the broker.
public struct BrokerOptions: ParsableArguments {
    /// What exit statuses mean in programs that use a broker.
    public static let statuses: [ExitStatus: String] = [
        .unavailable: "the broker does not support MQTT 5", .permission: "the broker refuses the user",
        .configuration: "a file of the options cannot be used",
    ]

    /// The broker's URL.
    @Option(
        help: ArgumentHelp(
            "The URL of an MQTT 5 broker: mqtt://host[:1883], or mqtts://host[:8883] for TLS.",
            valueName: "url"))
    public var broker: String

    /// The first levels of all topics.
    @Option(help: "The first level of all topics; it must be the same for gateways and fleets.")
    public var prefix = "corebluez"

    /// The user name at the broker; nil connects without one.
    @Option(help: "The user name at the broker.")
    public var username: String?

    /// The file whose first line is the password; requires `username`.
    @Option(
        help: ArgumentHelp(
            "The file whose first line is the password. Only its owner should be able to read it.", valueName: "file"))
    public var passwordFile: String?

    /// The file of CA certificates, instead of the system's; requires TLS.
    @Option(
        help: ArgumentHelp(
            "The file of CA certificates (PEM) that verify the broker's, instead of the system's.",
            valueName: "file"))
    public var cafile: String?

    /// The file with the client's certificate; requires TLS and `key`.
    @Option(help: ArgumentHelp("The file with this client's certificate (PEM). Requires --key.", valueName: "file"))
    public var cert: String?

    /// The file with the private key of the client's certificate.
    @Option(
        help: ArgumentHelp(
            "The file with the certificate's private key (PEM), without a passphrase.", valueName: "file"))
    public var key: String?

    /// Creates options for the parser.
    public init() {}

    /// Checks that the options go together.
    ///
    /// - Throws: `ValidationError` if they do not.
    public func validate() throws {
        guard (cert == nil) == (key == nil) else { throw ValidationError("Give both --cert and --key, or neither") }
        guard passwordFile == nil || username != nil else {
            throw ValidationError("Give --password-file only with --username")
        }
        guard let parsed = BrokerConfiguration(url: broker, clientIdentifier: "") else {
            throw ValidationError(
                "\"\(broker)\" is not the URL of a broker, such as mqtt://broker.local or mqtts://10.0.0.2:8883")
        }
        guard parsed.usesTLS || (cafile == nil && cert == nil) else {
            throw ValidationError("Give --cafile, --cert and --key only with a broker URL that begins with mqtts://")
        }
    }

    /// Creates the broker, with the password read from its file. Warns on the standard error if the password would be
    /// sent over a network without TLS.
    ///
    /// - Parameter name: the beginning of the client identifier.
    /// - Throws: `BrokerError` if a file cannot be read.
    public func makeBroker(name: String) throws(BrokerError) -> MosquittoBroker {
        // Every broker accepts 23 characters. The digits make the identifier unique.
        let digits = String(UInt64.random(in: 0..<1 << 40), radix: 36)
        let identifier = String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(14)) + digits
        guard var configuration = BrokerConfiguration(url: broker, clientIdentifier: String(identifier.prefix(23)))
        else {
            throw BrokerError(.configuration, "\"\(broker)\" is not the URL of a broker")
        }
        configuration.user = username
        configuration.password = try passwordFile.map(Self.password)
        if configuration.exposesPassword {
            ExitReport.warn(
                "The password is sent to \(configuration.host) unencrypted: anyone on the network can read it. "
                    + "Use a broker URL that begins with mqtts://")
        }
        configuration.authorities = try cafile.map { file throws(BrokerError) in
            try PEMFile.certificates.check(file, "--cafile")
        }
        configuration.certificate = try cert.map { file throws(BrokerError) in
            try PEMFile.certificates.check(file, "--cert")
        }
        configuration.privateKey = try key.map { file throws(BrokerError) in
            try PEMFile.privateKey.check(file, "--key")
        }
        return MosquittoBroker(configuration)
    }

    private static func password(_ file: String) throws(BrokerError) -> String {
        guard let data = FileManager.default.contents(atPath: file), data.count <= 4096,
            let text = String(bytes: data, encoding: .utf8)
        else { throw BrokerError(.configuration, "The password file \(file) cannot be read") }
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
        guard !line.isEmpty else {
            throw BrokerError(.configuration, "The first line of the password file \(file) is empty")
        }
        return line.last == "\r" ? String(line.dropLast()) : String(line)
    }
}

extension GatewayName: ExpressibleByArgument {
    /// Parses a name; nil if it has characters other than letters, digits, _ and -.
    public init?(argument: String) { self.init(argument) }
}
