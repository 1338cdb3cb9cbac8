import BlueZValues

extension BluetoothUUID {
    /// The UUID as attributes contain it: two bytes if there is a short form, otherwise sixteen, the last one first.
    var attributeBytes: [UInt8] {
        if let short { return short.attributeBytes }
        return [low, high].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * $0)) } }
    }
}
