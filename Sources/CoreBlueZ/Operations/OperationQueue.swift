import DBus

/// The requests to each attribute, one after another: BlueZ refuses a second one with `InProgress` while one is pending
/// (src/gatt-client.c: characteristic_read_value, characteristic_write_value).
///
/// A waiting request has not begun: if it ends meanwhile, it is never sent.
@BluetoothActor final class OperationQueue {
    /// The requests to one path. The first is in progress; the others hold on to one another.
    @BluetoothActor final class Line {
        private var first: AttributeRequest?
        private var last: AttributeRequest?
        private var isAdvancing = false
        fileprivate var isFree = false

        fileprivate init() {}

        fileprivate func append(_ request: AttributeRequest) {
            if let last { last.follower = request } else { first = request }
            last = request
        }

        private func popFirst() -> AttributeRequest? {
            guard let request = first else { return nil }
            first = request.follower
            request.follower = nil
            if first == nil { last = nil }
            return request
        }

        /// The first request is over, successfully.
        ///
        /// - Returns: false, with nothing changed, if another one waits.
        func leaveIfLast() -> Bool {
            guard first == nil, !isAdvancing else { return false }
            isFree = true
            return true
        }

        /// The first request is over. After a failure the next one begins in a turn of its own: what ended this one may
        /// be about to end others, which must not be sent then.
        func advance(afterFailure hasFailed: Bool) {
            if hasFailed { BluetoothActor.later { self.advance() } } else { advance() }
        }

        /// Begins the next one. One that is over at once comes back here, and is followed by the loop that is running, not
        /// by another one inside it.
        private func advance() {
            isFree = true
            guard !isAdvancing else { return }
            isAdvancing = true
            while isFree, let next = popFirst() {
                guard next.isPending else { continue }
                isFree = false
                next.begin(in: self)
            }
            isAdvancing = false
        }
    }

    private var lines: [ObjectPath: Line] = [:]
    /// From so many on, those that are free are removed. A few are kept: mostly the same attributes are read and written.
    private var crowd = 64

    /// Begins the request when all earlier ones of the path are over.
    ///
    /// - Returns: the path's line, if that is now; the caller begins it then. Otherwise the request waits.
    func enter(_ request: AttributeRequest, at path: ObjectPath) -> Line? {
        // Copied first: so the compiler sees that nothing else happens meanwhile, and need not have it checked.
        let known = lines
        guard let line = known[path] else {
            let line = Line()
            add(line, at: path)
            return line
        }
        guard line.isFree else {
            line.append(request)
            return nil
        }
        line.isFree = false
        return line
    }

    private func add(_ line: Line, at path: ObjectPath) {
        var changed = lines
        lines = [:]
        if changed.count >= crowd {
            changed = changed.filter { !$0.value.isFree }
            crowd = max(64, 2 * changed.count)
        }
        changed[path] = line
        lines = changed
    }
}
