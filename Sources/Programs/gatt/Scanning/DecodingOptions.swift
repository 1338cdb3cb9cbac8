import ArgumentParser
import BlueZAdvertisements
import BlueZScript
import FoundationEssentials

/// How advertisements are decoded.
struct DecodingOptions: ParsableArguments {
    @Flag(help: "Shows what advertisements mean, such as a temperature, instead of services and companies.")
    var decode = false

    @Option(
        help: ArgumentHelp(
            """
            A file with the keys of devices, with mode 0600: in each line a device, "bindkey" or "irk", and the key's \
            hexadecimal digits.
            """,
            valueName: "file"),
        completion: .file())
    var keys: String?

    func validate() throws {
        if keys != nil, !decode { throw ValidationError("--keys decodes advertisements: add --decode") }
    }

    /// The decoder; nil without --decode.
    func decoder() throws(CommandFailure) -> AdvertisementDecoder? {
        guard decode else { return nil }
        guard let keys else { return AdvertisementDecoder() }
        return AdvertisementDecoder(keys: try Self.read(keys))
    }

    /// Reads a file of keys that only its owner can.
    private static func read(_ path: String) throws(CommandFailure) -> AdvertisementKeys {
        let data = try Input.read(path)
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let mode = (attributes?[.posixPermissions] as? any BinaryInteger).map({ Int($0) }), mode & 0o077 == 0
        else {
            throw CommandFailure(
                .configuration, "Others can read the keys in \(path), or it is no file: run chmod 600 \(path)")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandFailure(.data, "\(path) is not UTF-8 text")
        }
        do {
            return try AdvertisementKeys(text: text)
        } catch {
            throw CommandFailure(.data, "\(path): \(error)")
        }
    }
}
