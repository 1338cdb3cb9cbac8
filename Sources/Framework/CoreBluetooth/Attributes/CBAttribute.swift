import CoreBlueZ

/// The base class of services, characteristics and descriptors.
open class CBAttribute: NSObject {
    private let identifier: CBUUID
    /// What the attribute is called where bluetoothd's objects are.
    let token: Int
    /// The order of attributes.
    let handle: UInt16

    init(_ description: AttributeDescription) {
        identifier = CBUUID(description.uuid)
        token = description.token
        handle = description.handle
    }

    /// The UUID that identifies the kind of attribute. A peripheral can have several attributes with the same one.
    open var uuid: CBUUID { identifier }

    /// The object's class, address and values, for logs.
    func describe(_ values: String) -> String {
        "<\(type(of: self)): \(Misuse.address(of: self)), \(values)>"
    }
}
