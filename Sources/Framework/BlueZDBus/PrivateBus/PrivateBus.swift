import CBlueZDBus
import Glibc

/// A private message bus: a `dbus-daemon` in a directory that only this user can enter.
///
/// It ends with this object, and also with the thread that created it, so create it on the thread of an `EventLoop`.
public final class PrivateBus: Sendable {
    /// The bus's D-Bus address, for `DBUS_SYSTEM_BUS_ADDRESS` and `ServerAddress.address`.
    public let address: String

    /// The directory (mode 0700) of the bus's socket. It is removed with the bus.
    public let directory: String

    private let process: pid_t

    /// The limits for each connection. The bus refuses anything beyond them with `DBusError.Name.limitsExceeded`. The
    /// defaults are those of the system bus (dbus-daemon's own limits, which /usr/share/dbus-1/system.conf lists).
    public struct Configuration: Hashable, Sendable {
        /// The maximum number of match rules per connection (`max_match_rules_per_connection`).
        public var matchRules = 512
        /// The maximum number of pending calls per connection (`max_replies_per_connection`).
        public var pendingCalls = 128

        /// Creates the configuration of the system bus.
        public init() {}
    }

    /// Creates a bus. Starts the daemon, and waits until it listens.
    ///
    /// - Parameter configuration: the limits for each connection.
    /// - Throws: `DBusError` if `dbus-daemon` is not installed (Debian: the package dbus-daemon) or does not start.
    public init(configuration: Configuration = Configuration()) throws(DBusError) {
        directory = try PrivateDirectory.make()
        do throws(DBusError) {
            let file = "\(directory)/bus.conf"
            try PrivateDirectory.write(Self.file(directory, configuration), to: file)
            let pipe = try Pipe()
            let log = "\(directory)/\(PrivateDirectory.log)"
            process = try Self.spawn(configuration: file, output: pipe.writeEnd, log: log)
            pipe.closeWriteEnd()
            guard let line = pipe.readLine(within: .seconds(60)), !line.isEmpty else {
                Self.end(process)
                throw Self.startError(PrivateDirectory.read(log))
            }
            address = line
        } catch {
            PrivateDirectory.remove(directory)
            throw error
        }
    }

    deinit {
        Self.end(process)
        PrivateDirectory.remove(directory)
    }

    /// Kills the daemon immediately, like a crash. Every connection is lost.
    public func kill() {
        _ = Glibc.kill(process, SIGKILL)
    }

    private static func end(_ process: pid_t) {
        _ = Glibc.kill(process, SIGKILL)
        var status: CInt = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    private static func startError(_ log: String) -> DBusError {
        let reason = log.isEmpty ? "dbus-daemon said nothing; is it installed? (apt-get install dbus-daemon)" : log
        return DBusError(name: DBusError.Name.failed, message: "The bus did not start: \(reason)", isLocal: true)
    }

    private static func spawn(configuration: String, output: CInt, log: String) throws(DBusError) -> pid_t {
        let arguments = [
            "dbus-daemon", "--config-file=\(configuration)", "--nofork", "--nopidfile", "--nosyslog",
            "--print-address=\(output)",
        ]
        var pointers = unsafe arguments.map { unsafe strdup($0) }
        unsafe pointers.append(nil)
        defer { unsafe pointers.forEach { unsafe free($0) } }
        let process = unsafe cdbus_spawn(arguments[0], pointers, output, log)
        guard process > 0 else { throw .system("fork", errno) }
        return process
    }

    /// Returns the configuration file. A user who can enter the directory may do anything, so the directory is the
    /// protection.
    private static func file(_ directory: String, _ configuration: Configuration) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(ServerAddress.escaped("\(directory)/bus"))</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/>
            <allow own="*"/>
            <allow send_type="method_call"/>
            <allow send_type="signal"/>
            <allow send_requested_reply="true" send_type="method_return"/>
            <allow send_requested_reply="true" send_type="error"/>
            <allow receive_type="method_call"/>
            <allow receive_type="method_return"/>
            <allow receive_type="error"/>
            <allow receive_type="signal"/>
          </policy>
          <limit name="auth_timeout">120000</limit>
          <limit name="max_match_rules_per_connection">\(configuration.matchRules)</limit>
          <limit name="max_replies_per_connection">\(configuration.pendingCalls)</limit>
        </busconfig>

        """
    }
}
