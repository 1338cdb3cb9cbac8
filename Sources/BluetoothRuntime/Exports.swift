/// Values are part of the interface: importing this module imports them too.
@_exported public import BluetoothValues
