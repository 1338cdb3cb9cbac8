/// What is measured.
extension AdvertisementReading.Kind {
    /// The acceleration.
    public static let acceleration = Self(rawValue: "acceleration")
    /// The acceleration along the first axis.
    public static let accelerationX = Self(rawValue: "accelerationX")
    /// The acceleration along the second axis.
    public static let accelerationY = Self(rawValue: "accelerationY")
    /// The acceleration along the third axis.
    public static let accelerationZ = Self(rawValue: "accelerationZ")
    /// The charge of the battery.
    public static let battery = Self(rawValue: "battery")
    /// The temperature of the circuit board, in a thermometer for the skin.
    public static let boardTemperature = Self(rawValue: "boardTemperature")
    /// The concentration of carbon dioxide.
    public static let co2 = Self(rawValue: "co2")
    /// The electrical conductivity, such as that of soil.
    public static let conductivity = Self(rawValue: "conductivity")
    /// How much is left of what the device uses up.
    public static let consumable = Self(rawValue: "consumable")
    /// A count, of what the device counts.
    public static let count = Self(rawValue: "count")
    /// The electric current.
    public static let current = Self(rawValue: "current")
    /// The dew point.
    public static let dewPoint = Self(rawValue: "dewPoint")
    /// A direction, such as that of the wind, clockwise from north.
    public static let direction = Self(rawValue: "direction")
    /// A distance.
    public static let distance = Self(rawValue: "distance")
    /// A duration.
    public static let duration = Self(rawValue: "duration")
    /// How long somebody has been present.
    public static let durationDetected = Self(rawValue: "durationDetected")
    /// How long nobody has been present.
    public static let durationCleared = Self(rawValue: "durationCleared")
    /// The electric energy.
    public static let energy = Self(rawValue: "energy")
    /// The concentration of formaldehyde.
    public static let formaldehyde = Self(rawValue: "formaldehyde")
    /// The volume of gas that was used.
    public static let gas = Self(rawValue: "gas")
    /// The speed of a rotation.
    public static let gyroscope = Self(rawValue: "gyroscope")
    /// The relative humidity.
    public static let humidity = Self(rawValue: "humidity")
    /// The time since the last motion.
    public static let idleTime = Self(rawValue: "idleTime")
    /// The illuminance.
    public static let illuminance = Self(rawValue: "illuminance")
    /// How bright it is: 0 for dark, 1 for twilight, 2 for bright.
    public static let lightLevel = Self(rawValue: "lightLevel")
    /// The illuminance that the eye perceives.
    public static let luminosity = Self(rawValue: "luminosity")
    /// The mass.
    public static let mass = Self(rawValue: "mass")
    /// The moisture, such as that of soil.
    public static let moisture = Self(rawValue: "moisture")
    /// How often a motion was detected; it begins again at 0.
    public static let movementCount = Self(rawValue: "movementCount")
    /// The index of nitrogen oxides, where 1 is usual.
    public static let nox = Self(rawValue: "nox")
    /// The concentration of particles of up to 1 µm.
    public static let pm1 = Self(rawValue: "pm1")
    /// The concentration of particles of up to 2.5 µm.
    public static let pm2_5 = Self(rawValue: "pm2_5")
    /// The concentration of particles of up to 4 µm.
    public static let pm4 = Self(rawValue: "pm4")
    /// The concentration of particles of up to 10 µm.
    public static let pm10 = Self(rawValue: "pm10")
    /// The electric power.
    public static let power = Self(rawValue: "power")
    /// The height of rain that fell.
    public static let precipitation = Self(rawValue: "precipitation")
    /// The pressure of the air.
    public static let pressure = Self(rawValue: "pressure")
    /// An angle.
    public static let rotation = Self(rawValue: "rotation")
    /// The speed of a rotation, in turns.
    public static let rotationalSpeed = Self(rawValue: "rotationalSpeed")
    /// The score of a toothbrush, from 0 to 100.
    public static let score = Self(rawValue: "score")
    /// The temperature of the skin.
    public static let skinTemperature = Self(rawValue: "skinTemperature")
    /// The speed.
    public static let speed = Self(rawValue: "speed")
    /// The temperature.
    public static let temperature = Self(rawValue: "temperature")
    /// The concentration of volatile organic compounds.
    public static let tvoc = Self(rawValue: "tvoc")
    /// The time since the device was started.
    public static let uptime = Self(rawValue: "uptime")
    /// The UV index.
    public static let uvIndex = Self(rawValue: "uvIndex")
    /// The index of volatile organic compounds, where 100 is the average.
    public static let voc = Self(rawValue: "voc")
    /// The electric voltage; for devices with a battery, that of the battery.
    public static let voltage = Self(rawValue: "voltage")
    /// A volume.
    public static let volume = Self(rawValue: "volume")
    /// The volume that flows in an hour.
    public static let volumeFlowRate = Self(rawValue: "volumeFlowRate")
    /// The volume that a container holds.
    public static let volumeStorage = Self(rawValue: "volumeStorage")
    /// The volume of water that was used.
    public static let water = Self(rawValue: "water")
}
