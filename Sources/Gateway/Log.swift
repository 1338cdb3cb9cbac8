import CoreBlueZ
import Logging

/// The log for what has no caller to report to.
let log = Logger(escapingWithLabel: "Gateway")
