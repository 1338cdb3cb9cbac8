/// Encodes numbers as sensors send them: rounded, clamped, and little-endian.
enum RawValue {
    /// The nearest integer of the type; values out of range become the limits, values that are not a number become
    /// zero.
    static func nearest<Raw: FixedWidthInteger>(_ value: Double) -> Raw {
        guard !value.isNaN else { return 0 }
        let rounded = value.rounded()
        if rounded <= Double(Raw.min) { return .min }
        return Raw(exactly: rounded) ?? .max
    }

    /// The low bytes of an integer, the least significant first.
    static func bytes<Raw: FixedWidthInteger>(_ value: Raw, count: Int = MemoryLayout<Raw>.size) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The nearest integers of the type for three axes, one after the other.
    static func bytes<Raw: FixedWidthInteger>(
        _ vector: SensorEnvironment.Vector,
        perUnit factor: Double,
        as type: Raw.Type
    ) -> [UInt8] {
        [vector.x, vector.y, vector.z].flatMap { bytes(nearest($0 * factor) as Raw) }
    }
}
