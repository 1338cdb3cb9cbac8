import Logging

/// Where the framework says what has no caller to tell. Nothing above `debug` is logged while all goes well.
let log = Logger(label: "CoreBlueZ")
