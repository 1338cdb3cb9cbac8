/// The strings of the device information service: model, serial number, revisions, manufacturer; also the device name.
public enum DeviceInformationText {
    /// Decodes a string of any length: everything before the first NUL, as UTF-8.
    ///
    /// The CC2541 sends a NUL behind some of its strings. Bytes that are no UTF-8 become U+FFFD. Control characters
    /// stay: escape them before they reach a terminal.
    public static func text(from payload: some Collection<UInt8>) -> String {
        String(decoding: payload.prefix { $0 != 0 }, as: UTF8.self)
    }
}
