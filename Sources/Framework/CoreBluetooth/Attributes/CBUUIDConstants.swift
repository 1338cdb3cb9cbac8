/// The UUID of the descriptor with a characteristic's extended properties.
public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
/// The UUID of the descriptor with a characteristic's description for users.
public let CBUUIDCharacteristicUserDescriptionString = "2901"
/// The UUID of the client's configuration of a characteristic.
public let CBUUIDClientCharacteristicConfigurationString = "2902"
/// The UUID of the server's configuration of a characteristic.
public let CBUUIDServerCharacteristicConfigurationString = "2903"
/// The UUID of the descriptor with the format of a characteristic's value.
public let CBUUIDCharacteristicFormatString = "2904"
/// The UUID of the descriptor with the formats of a characteristic's parts.
public let CBUUIDCharacteristicAggregateFormatString = "2905"
/// The UUID of the descriptor with the valid range of a characteristic's value.
public let CBUUIDCharacteristicValidRangeString = "2906"
/// The UUID of a characteristic with the PSM of an L2CAP channel.
public let CBUUIDL2CAPPSMCharacteristicString = "ABDD3056-28FA-441D-A470-55A75A52553A"
