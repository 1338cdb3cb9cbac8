import BlueZClient
import BlueZDBus
import BlueZRecording

/// A call of a client that waits for its reply.
enum PendingCall {
    /// A recorded request.
    case request(Int64, ObjectName?)
    /// ReadValue.
    case read(Int64, ObjectName)
    /// AcquireNotify or AcquireWrite.
    case acquire(Int64, ObjectName)
    case managedObjects
    /// Get or GetAll.
    case properties(ObjectName, interface: String, name: String?)
    /// GetNameOwner.
    case nameOwner
    /// Any other call to bluetoothd, whose reply has its unique name.
    case other

    /// The number of the recorded request.
    var number: Int64? {
        switch self {
        case .request(let number, _), .read(let number, _), .acquire(let number, _): number
        default: nil
        }
    }
}
