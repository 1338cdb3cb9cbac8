// What is decoded is of these types.
@_exported public import BlueZValues
