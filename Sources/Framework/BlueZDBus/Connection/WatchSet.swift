import CBlueZDBus
import Glibc

/// The events for which libdbus waits. Both of its watches share one descriptor.
@safe final class WatchSet {
    private var watches: [Watch] = []
    /// Whether `descriptor` or `events` may have changed.
    private(set) var haveChanged = true

    /// Lets libdbus add and remove its watches here. `stop` must be called before this object is released.
    func start(_ connection: OpaquePointer) throws(DBusError) {
        let isSet = unsafe dbus_connection_set_watch_functions(
            connection,
            { watch, data in
                guard let watch = unsafe watch, let data = unsafe data else { return 0 }
                let set = unsafe Unmanaged<WatchSet>.fromOpaque(data).takeUnretainedValue()
                unsafe set.watches = set.watches + [Watch(watch)]
                set.haveChanged = true
                return 1
            },
            { watch, data in
                guard let watch = unsafe watch, let data = unsafe data else { return }
                let set = unsafe Unmanaged<WatchSet>.fromOpaque(data).takeUnretainedValue()
                let gone = unsafe Watch(watch)
                set.watches = set.watches.filter { $0 != gone }
                set.haveChanged = true
            },
            { _, data in
                if let data = unsafe data {
                    unsafe Unmanaged<WatchSet>.fromOpaque(data).takeUnretainedValue().haveChanged = true
                }
            },
            Unmanaged.passUnretained(self).toOpaque(),
            nil
        )
        guard isSet != 0 else { throw .noMemory }
    }

    func stop(_ connection: OpaquePointer) {
        unsafe dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
        watches = []
    }

    /// Returns whether `descriptor` or `events` may have changed since the last call.
    func takeChange() -> Bool {
        defer { haveChanged = false }
        return haveChanged
    }

    /// The descriptor, or -1 when libdbus has none.
    var descriptor: CInt {
        watches.first?.descriptor ?? -1
    }

    /// The events to poll for. They include `writable` only if there is something to send.
    var events: PollEvents {
        var events: PollEvents = []
        for watch in watches where watch.isEnabled { events.formUnion(watch.events) }
        return events
    }

    /// Lets libdbus read and write. It may remove watches in the meantime.
    func handle(_ events: PollEvents) {
        for watch in watches where watch.concerns(events) && watches.contains(watch) && watch.isEnabled {
            watch.handle(events)
        }
    }
}

/// One of libdbus's watches.
@safe private struct Watch: Equatable {
    private let raw: OpaquePointer
    /// The events for which libdbus uses it, which never change.
    let events: PollEvents

    init(_ raw: OpaquePointer) {
        unsafe self.raw = unsafe raw
        let flags = unsafe dbus_watch_get_flags(raw)
        var events: PollEvents = []
        if flags & DBUS_WATCH_READABLE.rawValue != 0 { events.insert(.readable) }
        if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { events.insert(.writable) }
        self.events = events
    }

    static func == (left: Watch, right: Watch) -> Bool {
        unsafe left.raw == right.raw
    }

    var isEnabled: Bool { unsafe dbus_watch_get_enabled(raw) != 0 }

    var descriptor: CInt { unsafe dbus_watch_get_unix_fd(raw) }

    /// Returns whether `handle` would do anything.
    func concerns(_ ready: PollEvents) -> Bool {
        !ready.isDisjoint(with: events.union([.error, .hangUp]))
    }

    func handle(_ ready: PollEvents) {
        let events = ready.intersection(self.events.union([.error, .hangUp]))
        var ready: UInt32 = 0
        if events.contains(.readable) { ready |= DBUS_WATCH_READABLE.rawValue }
        if events.contains(.writable) { ready |= DBUS_WATCH_WRITABLE.rawValue }
        if events.contains(.error) { ready |= DBUS_WATCH_ERROR.rawValue }
        if events.contains(.hangUp) { ready |= DBUS_WATCH_HANGUP.rawValue }
        if ready != 0 { _ = unsafe dbus_watch_handle(raw, ready) }
    }
}
