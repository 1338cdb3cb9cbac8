/// Values are part of the interface, so importing this module imports them too.
@_exported public import BlueZValues
