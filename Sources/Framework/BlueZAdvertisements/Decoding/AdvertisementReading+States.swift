/// What is true or false: the name says what is so if the value is true.
extension AdvertisementReading.Kind {
    /// Whether the battery is low.
    public static let batteryLow = Self(rawValue: "batteryLow")
    /// Whether the device calibrates itself, so that its values aren't accurate yet.
    public static let calibrating = Self(rawValue: "calibrating")
    /// Whether the battery is being charged.
    public static let charging = Self(rawValue: "charging")
    /// Whether carbon monoxide was detected.
    public static let carbonMonoxide = Self(rawValue: "carbonMonoxide")
    /// Whether it is cold.
    public static let cold = Self(rawValue: "cold")
    /// Whether the device has a connection.
    public static let connected = Self(rawValue: "connected")
    /// Whether the voltage at the input of a thermometer is high.
    public static let digitalInput = Self(rawValue: "digitalInput")
    /// Whether the output of a thermometer is on.
    public static let digitalOutput = Self(rawValue: "digitalOutput")
    /// Whether a door is open.
    public static let doorOpen = Self(rawValue: "doorOpen")
    /// Whether the device was removed by force.
    public static let forciblyRemoved = Self(rawValue: "forciblyRemoved")
    /// Whether a garage door is open.
    public static let garageDoorOpen = Self(rawValue: "garageDoorOpen")
    /// Whether gas was detected.
    public static let gasDetected = Self(rawValue: "gasDetected")
    /// Whether it is hot.
    public static let hot = Self(rawValue: "hot")
    /// Whether a door or window has been open for too long.
    public static let leftOpen = Self(rawValue: "leftOpen")
    /// Whether light was detected.
    public static let light = Self(rawValue: "light")
    /// Whether a lock is locked.
    public static let locked = Self(rawValue: "locked")
    /// Whether motion was detected.
    public static let motion = Self(rawValue: "motion")
    /// Whether the device moves.
    public static let moving = Self(rawValue: "moving")
    /// Whether somebody is present, such as in a room.
    public static let occupancy = Self(rawValue: "occupancy")
    /// Whether the device is on; the device says what that means.
    public static let on = Self(rawValue: "on")
    /// Whether a door or window is open.
    public static let opening = Self(rawValue: "opening")
    /// Whether a plug is plugged in.
    public static let pluggedIn = Self(rawValue: "pluggedIn")
    /// Whether the power is on.
    public static let powerOn = Self(rawValue: "powerOn")
    /// Whether somebody is at home.
    public static let presence = Self(rawValue: "presence")
    /// Whether there is a problem.
    public static let problem = Self(rawValue: "problem")
    /// Whether a machine runs.
    public static let running = Self(rawValue: "running")
    /// Whether it is safe.
    public static let safe = Self(rawValue: "safe")
    /// Whether smoke was detected.
    public static let smoke = Self(rawValue: "smoke")
    /// Whether sound was detected.
    public static let sound = Self(rawValue: "sound")
    /// Whether the device was tampered with.
    public static let tamper = Self(rawValue: "tamper")
    /// Whether a lock is unlocked.
    public static let unlocked = Self(rawValue: "unlocked")
    /// Whether vibration was detected.
    public static let vibration = Self(rawValue: "vibration")
    /// Whether it is wet.
    public static let wet = Self(rawValue: "wet")
    /// Whether a window is open.
    public static let windowOpen = Self(rawValue: "windowOpen")
}
