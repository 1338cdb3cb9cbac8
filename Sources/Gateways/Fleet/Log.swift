import BlueZDBus
import Logging

/// The log of all fleets of a process. Text from other machines is escaped.
let log = Logger(escapingWithLabel: "CoreBlueZ.Fleet")
