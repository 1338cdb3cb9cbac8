/// Values are part of the interface, so importing this module imports them too.
@_exported public import BlueZValues

/// Drivers that several threads use need a lock, so importing this module imports it too.
@_exported public import class BlueZDBus.Lock
