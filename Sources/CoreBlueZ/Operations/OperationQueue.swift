import DBus

/// The requests to each attribute, one after another: BlueZ refuses a second one with `InProgress` while one is pending
/// (src/gatt-client.c: characteristic_read_value, characteristic_write_value).
///
/// A waiting request has not begun: if it ends meanwhile, it is never sent.
@BluetoothActor final class OperationQueue {
    /// The requests to one path. The first is in progress; the others hold on to one another.
    @BluetoothActor final class Line {
        fileprivate let path: ObjectPath
        fileprivate weak var queue: OperationQueue?
        private var first: AttributeRequest?
        private var last: AttributeRequest?
        private var isAdvancing = false
        fileprivate var isFree = false

        fileprivate init(_ path: ObjectPath, _ queue: OperationQueue) {
            self.path = path
            self.queue = queue
        }

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
            if isFree { queue?.release(self) }
        }
    }

    /// So many are kept though they are free: mostly the same attributes are read and written again.
    private static let freeLines = 64
    private var lines: [ObjectPath: Line] = [:]

    /// Begins the request when all earlier ones of the path are over.
    ///
    /// - Returns: the path's line, if that is now; the caller begins it then. Otherwise the request waits.
    func enter(_ request: AttributeRequest, at path: ObjectPath) -> Line? {
        // Copied first: so the compiler sees that nothing else can happen meanwhile.
        let known = lines
        guard let line = known[path] else {
            let line = Line(path, self)
            set(line, at: path)
            return line
        }
        guard line.isFree else {
            line.append(request)
            return nil
        }
        line.isFree = false
        return line
    }

    private func release(_ line: Line) {
        if lines.count > Self.freeLines { set(nil, at: line.path) }
    }

    /// Taken out and put back, like the calls of `Connection`.
    private func set(_ line: Line?, at path: ObjectPath) {
        var changed = lines
        lines = [:]
        changed[path] = line
        lines = changed
    }
}
