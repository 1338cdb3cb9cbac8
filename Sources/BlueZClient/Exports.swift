/// The actor, errors and values are part of the interface: importing this module imports them too.
@_exported public import BluetoothRuntime
