/// The objects of MiBeacon that report events.
extension MiBeaconObjects {
    func readEvent(
        _ object: UInt16, _ part: inout AdvertisementPart, _ content: inout ByteReader
    ) throws(AdvertisementProblem) {
        func add(_ kind: AdvertisementEvent.Kind, _ actions: [Int: String], _ number: Int) throws(AdvertisementProblem)
        {
            guard let action = actions[number] else { throw .unknownObject(object) }
            part.events.append(AdvertisementEvent(kind, action))
        }
        switch object {
        case 0x0003: part.events.append(AdvertisementEvent(.motion, "detected"))
        case 0x0006:
            part.add(.keyIdentifier, Double(try content.unsigned(4)))
            try add(.fingerprint, Self.fingerprintActions, try content.unsigned(1))
        case 0x0007: try add(.door, Self.doorActions, try content.unsigned(1))
        case 0x000B:
            let operation = try content.unsigned(1)
            part.add(.keyIdentifier, Double(try content.unsigned(4)))
            if let method = Self.lockMethods[operation >> 4] { part.add(.lockMethod, method) }
            try add(.lock, Self.lockActions, operation & 0xF)
        case 0x000F:
            let illuminance = try content.unsigned(3)
            if Self.lightDetectors.contains(product) {
                part.add(.light, illuminance >= 100)
            } else {
                part.add(.illuminance, Double(illuminance), .lux)
            }
            part.events.append(AdvertisementEvent(.motion, "detected"))
        case 0x0010:
            try add(.toothbrush, [0: "start", 1: "end"], try content.unsigned(1))
            if let value = content.rest.first {
                part.add(part.events.last?.action == "start" ? .count : .score, Double(value))
            }
        case 0x3003:
            try add(.toothbrush, [0: "start", 1: "end"], try content.unsigned(1))
            part.add(.timestamp, Double(try content.unsigned(4)), .second)
            if let score = content.rest.first { part.add(.score, Double(score)) }
        case 0x1001: try readButton(object, &part, &content)
        case 0x4A0C, 0x560C: part.events.append(button("press", content.rest.first))
        case 0x4A0D, 0x560D: part.events.append(button("double_press", content.rest.first))
        case 0x4A0E, 0x560E: part.events.append(button("long_press", content.rest.first))
        case 0x4A13: if content.rest.first == 1 { part.events.append(AdvertisementEvent(.button, "press")) }
        case 0x4E0C where product == Self.singleSwitch:
            try add(.button, [1: "press", 8: "long_press", 15: "double_press"], try content.unsigned(1))
        case 0x4E0C: part.events += try buttons(object, "press", content.rest.first)
        case 0x4E0D: part.events += try buttons(object, "double_press", content.rest.first)
        case 0x4E0E: part.events += try buttons(object, "long_press", content.rest.first)
        default: throw .unknownObject(object)
        }
    }

    /// An event of the button with this number, from 0.
    private func button(_ action: String, _ number: UInt8?) -> AdvertisementEvent {
        AdvertisementEvent(.button, action, index: Int(number ?? 0) + 1)
    }

    /// An event of each of two buttons whose bit is set; of the first if there is only one.
    private func buttons(
        _ object: UInt16, _ action: String, _ bits: UInt8?
    ) throws(AdvertisementProblem) -> [AdvertisementEvent] {
        guard let bits, bits != 0 else { return [AdvertisementEvent(.button, action)] }
        guard bits < 4 else { throw .unknownObject(object) }
        return (0..<2).filter { bits >> $0 & 1 != 0 }.map { AdvertisementEvent(.button, action, index: $0 + 1) }
    }

    /// Buttons, cubes and knobs: the number of a button, a value, and what was done with it.
    private func readButton(
        _ object: UInt16, _ part: inout AdvertisementPart, _ content: inout ByteReader
    ) throws(AdvertisementProblem) {
        let number = try content.unsigned(1)
        let value = try content.signed(1)
        let type = try content.unsigned(1)
        switch (product, type) {
        case (Self.cube, 0) where number < 2:
            part.events.append(AdvertisementEvent(.dimmer, number == 0 ? "rotate_right" : "rotate_left"))
        case (Self.knob, 3) where number < 2:
            let action = number == 0 ? "press" : "long_press"
            part.events.append(AdvertisementEvent(.dimmer, action, steps: value))
        case (Self.knob, 4):
            // The knob is turned, or turned while it is pressed: then the number says how far.
            let steps = number == 0 ? value : Int(Int8(truncatingIfNeeded: number))
            let action = (steps < 0 ? "rotate_left" : "rotate_right") + (number == 0 ? "" : "_pressed")
            part.events.append(AdvertisementEvent(.dimmer, action, steps: abs(steps)))
        case (_, 0...3):
            let actions = Self.switches.contains(product) ? Self.switchActions : Self.buttonActions
            part.events.append(AdvertisementEvent(.button, actions[type], index: number + 1))
        default: throw .unknownObject(object)
        }
    }

    // Products whose values have a meaning of their own.
    private static let cube = 0x04E1
    private static let knob = 0x03B6
    private static let switches: Set = [0x1568, 0x1569, 0x0DFD]
    private static let singleSwitch = 0x1C10
    private static let lightDetectors: Set = [0x07F6, 0x0A8D]

    private static let buttonActions = ["press", "double_press", "long_press", "triple_press"]
    private static let switchActions = ["press", "long_press", "double_press", "triple_press"]
    private static let doorActions = [0: "opened", 1: "closed", 2: "left_open", 3: "knocked", 4: "pried", 5: "stuck"]
    private static let fingerprintActions = [
        0: "matched", 1: "failed", 2: "timed_out", 3: "low_quality", 4: "small_area", 5: "dry_skin", 6: "wet_skin",
    ]
    private static let lockActions = [
        0: "unlocked_outside", 1: "locked", 2: "deadlocked", 3: "deadlock_released", 4: "unlocked_inside",
        5: "locked_inside", 6: "child_lock_on", 7: "child_lock_off", 8: "locked_outside", 15: "abnormal",
    ]
    private static let lockMethods = [
        0: "bluetooth", 1: "password", 2: "biometrics", 3: "key", 4: "turntable", 5: "nfc", 6: "one_time_password",
        7: "two_steps", 8: "coercion", 9: "homekit", 10: "manual", 11: "automatic", 15: "abnormal",
    ]
}
