/// Files that import only CoreBluetooth use `UUID`, `Data` and `Timer`, as on Apple's systems.
@_exported public import Foundation
