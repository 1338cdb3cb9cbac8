import ArgumentParser
import FoundationEssentials
import GatewayProtocol
import Mosquitto

/// The options by which a program finds its broker.
public struct BrokerOptions: ParsableArguments {
    /// The broker's URL.
    @Option(
        help: ArgumentHelp(
            "Where the broker is: mqtt://host, mqtt://host:port, or mqtts:// for TLS. It must speak MQTT 5.",
            valueName: "url"))
    public var broker: String

    /// The first levels of all topics.
    @Option(help: "The first level of all topics. A gateway and a fleet need the same one.")
    public var prefix = "corebluez"

    /// The user's name.
    @Option(help: "The name of the broker's user.")
    public var username: String?

    /// The file with the password.
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the password. It should be readable by its owner only.", valueName: "file"))
    public var passwordFile: String?

    /// The file with certificates of authorities.
    @Option(
        help: ArgumentHelp(
            "A file of certificates (PEM) that the broker's is checked with, instead of the system's.",
            valueName: "file"))
    public var cafile: String?

    /// The client's certificate.
    @Option(help: ArgumentHelp("A file with this client's certificate (PEM).", valueName: "file"))
    public var cert: String?

    /// The private key of the client's certificate.
    @Option(
        help: ArgumentHelp("A file with the certificate's private key (PEM), without a passphrase.", valueName: "file"))
    public var key: String?

    /// Makes options to be parsed.
    public init() {}

    /// Checks the options against each other.
    public func validate() throws {
        guard (cert == nil) == (key == nil) else { throw ValidationError("--cert and --key belong together") }
        guard passwordFile == nil || username != nil else {
            throw ValidationError("--password-file needs --username")
        }
        guard let parsed = BrokerConfiguration(url: broker, clientIdentifier: "") else {
            throw ValidationError(
                "\"\(broker)\" is not the URL of a broker, such as mqtt://broker.local or mqtts://10.0.0.2:8883")
        }
        guard parsed.usesTLS || (cafile == nil && cert == nil) else {
            throw ValidationError("--cafile, --cert and --key need a broker URL that begins with mqtts://")
        }
    }

    /// The broker, with the password read from its file. If that would be sent over a network without TLS, a warning
    /// goes to the standard error.
    ///
    /// - Parameter name: the beginning of the client identifier.
    /// - Throws: `BrokerError` if a file cannot be read.
    public func makeBroker(name: String) throws(BrokerError) -> MosquittoBroker {
        // Every broker accepts 23 characters; the digits make it unique.
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
                "The password is sent to \(configuration.host) unencrypted: everybody on the way can read it. "
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
