extension GATTValue {
    /// The name of a field. Its raw value is the key in JSON.
    ///
    /// A field's unit, if it has one here, is the one it usually has: ``Field/unit`` is that of the value.
    public enum Name: String, CaseIterable, Hashable, Sendable {
        // MARK: Sensors

        /// The apparent wind's direction: where it comes from, clockwise from where the device is heading; °.
        case apparentWindDirection
        /// The apparent wind's speed; m/s.
        case apparentWindSpeed
        /// The concentration of carbon dioxide; ppm.
        case co2Concentration
        /// The dew point; °C.
        case dewPoint
        /// The electric current; A.
        case electricCurrent
        /// The elevation above sea level; m.
        case elevation
        /// How many times as fast as the wind its gusts are.
        case gustFactor
        /// The heat index; °C.
        case heatIndex
        /// The relative humidity; %.
        case humidity
        /// The illuminance; lx.
        case illuminance
        /// The irradiance; W/m².
        case irradiance
        /// The angle from true north to magnetic north, clockwise; °.
        case magneticDeclination
        /// The magnetic flux density along two or three axes; µT.
        case magneticFluxDensity
        /// The pressure of the air; Pa.
        case pressure
        /// The amount of rain; mm.
        case rainfall
        /// The temperature, of the surroundings or of a body; °C or °F.
        case temperature
        /// The true wind's direction: where it comes from, clockwise from north; °.
        case trueWindDirection
        /// The true wind's speed; m/s.
        case trueWindSpeed
        /// The ultraviolet index.
        case uvIndex
        /// The wind chill; °C.
        case windChill

        // MARK: Devices

        /// Why the clock was adjusted.
        case adjustmentReasons
        /// How the device is to draw attention.
        case alertLevel
        /// The charge of the battery; %.
        case batteryLevel
        /// What is wrong with the charging.
        case chargingFaults
        /// How the battery is charged.
        case chargingType
        /// How full the battery is, in words.
        case chargeLevel
        /// Whether the battery is charging.
        case chargeState
        /// Whether the battery is faulty.
        case hasBatteryFault
        /// Which of a device's batteries this is.
        case identifier
        /// Whether there is a battery.
        case isBatteryPresent
        /// Whether the battery needs a service.
        case serviceRequired
        /// The time of the device's clock.
        case time
        /// The transmitted power; dBm.
        case txPowerLevel
        /// Whether an external power source is connected by a wire.
        case wiredPower
        /// Whether an external power source is connected without a wire.
        case wirelessPower

        // MARK: Persons

        /// The age; years.
        case age
        /// The heart rate; bpm.
        case beatsPerMinute
        /// The body mass index; kg/m².
        case bodyMassIndex
        /// Where on the body the sensor is.
        case bodySensorLocation
        /// The pressure in the cuff while it is measured; mmHg or kPa.
        case cuffPressure
        /// The diastolic blood pressure; mmHg or kPa.
        case diastolic
        /// The energy expended since the last reset; kJ.
        case energyKilojoules
        /// Whether the sensor has contact with the skin.
        case hasContact
        /// The height; m or in.
        case height
        /// The intervals between heart beats, the oldest first; ms.
        case intervalsMilliseconds
        /// The highest heart rate that can be reached; bpm.
        case maximumHeartRate
        /// The mean arterial pressure; mmHg or kPa.
        case meanArterialPressure
        /// What may disturb a measurement, or how far it is.
        case measurementStatus
        /// The pulse rate; bpm.
        case pulseRate
        /// Whether the pulse rate is in the range that can be measured.
        case pulseRateRange
        /// The heart rate at rest; bpm.
        case restingHeartRate
        /// The systolic blood pressure; mmHg or kPa.
        case systolic
        /// Where the temperature was measured.
        case temperatureType
        /// Which user of the device was measured.
        case userID
        /// The weight; kg or lb.
        case weight

        // MARK: Oxygen

        /// Whether the device's clock has not been set.
        case isClockUnset
        /// The saturation of haemoglobin with oxygen; %.
        case oxygenSaturation
        /// The saturation by a fast response to changes; %.
        case oxygenSaturationFast
        /// The saturation by a slow response to changes; %.
        case oxygenSaturationSlow
        /// The strength of the pulse in the signal; %.
        case pulseAmplitudeIndex
        /// The pulse rate by a fast response to changes; bpm.
        case pulseRateFast
        /// The pulse rate by a slow response to changes; bpm.
        case pulseRateSlow

        // MARK: Glucose

        /// The time of the measurement, before the offset is added.
        case baseTime
        /// The amount of carbohydrates; g.
        case carbohydrate
        /// The meal that the carbohydrates were of.
        case carbohydrateKind
        /// The concentration of glucose; mg/dL or mmol/L.
        case concentration
        /// How long the exercise took; s.
        case exerciseDuration
        /// How intense the exercise was; %.
        case exerciseIntensity
        /// The share of haemoglobin that glucose is bound to, HbA1c; %.
        case hbA1c
        /// The person's health.
        case health
        /// When the person ate.
        case meal
        /// The amount of medication; mg or mL.
        case medication
        /// The medication.
        case medicationKind
        /// Where the sample was taken.
        case sampleLocation
        /// What the sample is.
        case sampleType
        /// What the sensor reports of itself.
        case sensorStatus
        /// The number of the measurement, which its context has, too.
        case sequenceNumber
        /// Who measured.
        case tester
        /// What is added to the time; min.
        case timeOffset

        // MARK: Bicycles

        /// The energy since the last reset; kJ.
        case accumulatedEnergy
        /// The sum of the torques; N·m.
        case accumulatedTorque
        /// Where the crank is when the force on the pedal is zero below; °.
        case bottomDeadSpotAngle
        /// How often the crank has turned. Begins again at 65,536.
        case crankRevolutions
        /// Whether the offset is compensated.
        case isOffsetCompensated
        /// When the crank last turned; s. Begins again at 64.
        case lastCrankEventTime
        /// When the wheel last turned; s. Begins again at 64, or at 32 with the power.
        case lastWheelEventTime
        /// Where the crank is at the greatest force; °.
        case maximumAngle
        /// The greatest force of a turn; N.
        case maximumForce
        /// The greatest torque of a turn; N·m.
        case maximumTorque
        /// Where the crank is at the least force; °.
        case minimumAngle
        /// The least force of a turn; N.
        case minimumForce
        /// The least torque of a turn; N·m.
        case minimumTorque
        /// A pedal's share of the power; %.
        case pedalPowerBalance
        /// Which pedal the share is of.
        case pedalPowerBalanceReference
        /// The power; W.
        case power
        /// Where on the bicycle the sensor is.
        case sensorLocation
        /// Where the crank is when the force on the pedal is zero above; °.
        case topDeadSpotAngle
        /// Where the torque is measured.
        case torqueSource
        /// How often the wheel has turned. Begins again at 4,294,967,296.
        case wheelRevolutions
    }
}
