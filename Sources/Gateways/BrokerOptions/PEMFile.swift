import FoundationEssentials
import GatewayProtocol

/// The purpose of a file in the PEM format. It is checked here because OpenSSL's errors do not name the file.
enum PEMFile: String {
    case certificates = "certificate"
    case privateKey = "private key"

    /// The largest file that is read, in bytes. Files of CA certificates have some 200 KiB.
    private static let limit = 16 * 1024 * 1024

    /// Returns the path if the file contains what its purpose requires.
    ///
    /// - Throws: `BrokerError` with the code `configuration`; its message names the option and the remedy.
    func check(_ file: String, _ option: String) throws(BrokerError) -> String {
        guard FileManager.default.isReadableFile(atPath: file) else {
            throw Self.error(file, option, "this user cannot read it")
        }
        guard let data = FileManager.default.contents(atPath: file), data.count <= Self.limit else {
            throw Self.error(file, option, "it is not a file in the PEM format")
        }
        let text = String(decoding: data, as: UTF8.self)
        if self == .privateKey, text.contains("ENCRYPTED") {
            throw Self.error(file, option, "the key has a passphrase; remove it: openssl pkey -in \(file) -out FILE")
        }
        guard text.contains(marker) else {
            throw Self.error(file, option, "it has no \(rawValue) in the PEM format (\"\(marker)\")")
        }
        return file
    }

    /// The end of the line that begins such a block (RFC 7468, 5 and 10), as OpenSSL writes it.
    private var marker: String {
        switch self {
        case .certificates: "CERTIFICATE-----"
        case .privateKey: "PRIVATE KEY-----"
        }
    }

    private static func error(_ file: String, _ option: String, _ reason: String) -> BrokerError {
        BrokerError(.configuration, "The file \(file) of \(option) cannot be used: \(reason)")
    }
}
