import BlueZPrintableText
import FoundationEssentials

@testable import BlueZAdvertisements

/// The bytes of hexadecimal digits, between which spaces may be.
func bytes(_ digits: String) -> [UInt8] {
    let digits = digits.filter { $0 != " " }
    guard let bytes = [UInt8](hexadecimal: digits) else { preconditionFailure("\(digits) isn't hexadecimal") }
    return bytes
}

extension AdvertisementData {
    /// Data with one payload, given by its hexadecimal digits.
    init(_ source: AdvertisementSource, _ digits: String) {
        self.init()
        switch source {
        case .manufacturer(let company): manufacturerData[company] = Data(bytes(digits))
        case .service(let uuid): serviceData[uuid] = Data(bytes(digits))
        case .structure(let type): structures[type] = Data(bytes(digits))
        case .anyManufacturer: manufacturerData[0x0118] = Data(bytes(digits))
        }
    }
}

extension AdvertisementKeys {
    /// Keys with a bind key of a device.
    init(_ device: String, _ digits: String) {
        self.init()
        set(bindKey: bytes(digits), of: device)
    }
}

extension Advertisement {
    /// The readings as they are printed, separated by commas.
    var text: String { readings.map(\.description).joined(separator: ", ") }
}
