/// Values are part of the interface: what imports CoreBlueZ has them.
@_exported public import BluetoothValues
