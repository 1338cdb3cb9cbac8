/// A number as in IEEE 11073-20601, annex F: in 16 bits (SFLOAT; GATT's medfloat16), an exponent of 4 bits and a mantissa
/// of 12; in 32 bits (FLOAT; medfloat32), of 8 and 24. Both are in two's complement, and the base is 10.
package enum MedicalFloat: Hashable, Sendable {
    /// A number.
    case number(GATTNumber)
    /// Not a number: the result is invalid, or missing.
    case notANumber
    /// Not at this resolution: the result can't be represented.
    case notAtThisResolution
    /// The result is too great, or too small.
    case positiveInfinity, negativeInfinity
    /// The value that the standard reserves.
    case reserved

    /// Decodes the integer in 16 bits, or in 32.
    package init(_ integer: Int64, bits: Int) {
        let form = Form(bits: bits)
        let mantissa = Form.signed(integer, form.mantissaBits)
        let exponent = Form.signed(integer >> Int64(form.mantissaBits), bits - form.mantissaBits)
        // The special values have the exponent 0. With any other, the same mantissas are numbers.
        self =
            switch mantissa {
            case form.greatest where exponent == 0: .notANumber
            case form.greatest - 1 where exponent == 0: .positiveInfinity
            case 1 - form.greatest where exponent == 0: .negativeInfinity
            case -form.greatest where exponent == 0: .reserved
            case -form.greatest - 1 where exponent == 0: .notAtThisResolution
            default: .number(GATTNumber(mantissa, exponent: Int(exponent)))
            }
    }

    /// The integer in 16 bits, or in 32; nil if the number has more digits, or another exponent, than these allow.
    package func integer(bits: Int) -> Int64? {
        let form = Form(bits: bits)
        switch self {
        case .notANumber: return form.integer(form.greatest)
        case .notAtThisResolution: return form.integer(-form.greatest - 1)
        case .positiveInfinity: return form.integer(form.greatest - 1)
        case .negativeInfinity: return form.integer(1 - form.greatest)
        case .reserved: return form.integer(-form.greatest)
        case .number(let number):
            var (mantissa, exponent) = (number.significand, number.exponent)
            if mantissa == 0 { exponent = 0 }
            while mantissa != 0, mantissa % 10 == 0,
                exponent < form.exponents.lowerBound || !form.holds(mantissa, exponent)
            {
                mantissa /= 10
                exponent += 1
            }
            while exponent > form.exponents.upperBound, form.holds(mantissa, exponent) {
                mantissa *= 10
                exponent -= 1
            }
            guard form.exponents.contains(exponent), form.holds(mantissa, exponent) else { return nil }
            return form.integer(mantissa, exponent: exponent)
        }
    }

    /// One of the two forms.
    private struct Form {
        let bits: Int
        let mantissaBits: Int
        /// The greatest mantissa.
        let greatest: Int64
        let exponents: ClosedRange<Int>

        init(bits: Int) {
            self.bits = bits
            mantissaBits = bits == 16 ? 12 : 24
            greatest = (1 << Int64(mantissaBits - 1)) - 1
            exponents = bits == 16 ? -8...7 : -128...127
        }

        /// Whether a number can have the mantissa with this exponent.
        func holds(_ mantissa: Int64, _ exponent: Int) -> Bool {
            exponent == 0
                ? mantissa.magnitude <= greatest.magnitude - 2 : (-greatest - 1...greatest).contains(mantissa)
        }

        func integer(_ mantissa: Int64, exponent: Int = 0) -> Int64 {
            let integer = Int64(exponent) << Int64(mantissaBits) | mantissa & ((1 << Int64(mantissaBits)) - 1)
            return integer & ((1 << Int64(bits)) - 1)
        }

        /// The lowest bits in two's complement.
        static func signed(_ integer: Int64, _ bits: Int) -> Int64 {
            let shifted = integer << Int64(64 - bits)
            return shifted >> Int64(64 - bits)
        }
    }
}

extension MedicalFloat: CustomStringConvertible {
    /// The number, or what it is in place of one.
    package var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .notANumber: "NaN"
        case .notAtThisResolution: "NRes"
        case .positiveInfinity: "+infinity"
        case .negativeInfinity: "-infinity"
        case .reserved: "reserved"
        }
    }
}
