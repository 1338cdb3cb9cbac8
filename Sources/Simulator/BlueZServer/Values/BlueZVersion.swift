/// A version of bluetoothd, for what differs between versions.
package struct BlueZVersion: Comparable, Hashable, Sendable {
    /// The number after "5.".
    let minor: Int

    /// The version of Debian 11.
    package static let v5_55 = BlueZVersion(minor: 55)
    /// The first version that returns the requested part of a value. There is an MTU property from 5.62 on.
    static let v5_60 = BlueZVersion(minor: 60)
    /// The first version whose database looks for the value of a client configuration.
    static let v5_64 = BlueZVersion(minor: 64)
    /// The version of Debian 12, which is the default.
    package static let v5_66 = BlueZVersion(minor: 66)
    /// The first version with a socket per device for an application's characteristic. The UUIDs of service data are also
    /// in `UUIDs`.
    package static let v5_69 = BlueZVersion(minor: 69)
    /// The first version that reports the controller's manufacturer and version.
    static let v5_71 = BlueZVersion(minor: 71)
    /// The first version whose database notes its last handle, instead of the next one.
    static let v5_72 = BlueZVersion(minor: 72)
    /// The first version that places local attributes by the handles that their application requests.
    static let v5_74 = BlueZVersion(minor: 74)
    /// The first version that reports longer advertised data than legacy packets have.
    package static let v5_76 = BlueZVersion(minor: 76)
    /// The first version that lets a device stay for which pairing fails while it is connected.
    static let v5_77 = BlueZVersion(minor: 77)
    /// The first version that refuses `Connect` and `Pair` while the other one is in progress.
    static let v5_81 = BlueZVersion(minor: 81)
    /// The version of Debian 13.
    package static let v5_82 = BlueZVersion(minor: 82)
    /// The first version that reports why a link ended.
    package static let v5_83 = BlueZVersion(minor: 83)
    /// The first version that removes white space around every name, and what follows invalid UTF-8.
    package static let v5_84 = BlueZVersion(minor: 84)
    /// The newest version that was compared.
    package static let v5_87 = BlueZVersion(minor: 87)

    /// name2utf8() of src/eir.c and profiles/gap/gas.c. The name ends at its first NUL.
    func text(ofName bytes: [UInt8]) -> String {
        var name = Array(bytes.prefix { $0 != 0 })
        if self >= .v5_84 {
            while String(validating: name, as: UTF8.self) == nil { name.removeLast() }
        } else if let text = String(validating: name, as: UTF8.self) {
            return text
        } else {
            name = name.map { $0 < 0x80 ? $0 : UInt8(ascii: " ") }
        }
        // g_strstrip()
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B }
        let end = name.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
        return String(decoding: name[..<end].drop(while: isSpace), as: UTF8.self)
    }

    package static func < (left: BlueZVersion, right: BlueZVersion) -> Bool { left.minor < right.minor }
}
