import CBlueZDBus

extension Connection {
    private static let bus = "org.freedesktop.DBus"
    private static let busPath = ObjectPath(unchecked: "/org/freedesktop/DBus")

    /// Calls a method of the bus itself.
    ///
    /// - Throws: `DBusError` if the arguments cannot be written.
    @discardableResult
    public func callBus(
        _ member: String,
        timeout: Duration?,
        write: (inout MessageWriter) throws(DBusError) -> Void = { (_) throws(DBusError) in },
        reply: @escaping CallReply
    ) throws(DBusError) -> CallIdentifier? {
        let message = try Message.methodCall(to: Self.bus, path: Self.busPath, interface: Self.bus, member: member)
        try message.write(write)
        return call(message, timeout: timeout, reply: reply)
    }

    /// Introduces the connection to the bus, which assigns its unique name. It must be the first call on every
    /// connection.
    ///
    /// This is an ordinary call with a timeout. `dbus_bus_register` would block forever on a socket without a reply.
    public func hello(timeout: Duration, completion: @escaping (Result<String, DBusError>) -> Void) {
        do throws(DBusError) {
            try callBus("Hello", timeout: timeout) { [weak self] result in
                completion(
                    Self.uniqueName(result) { name in
                        guard let self, self.uniqueName == nil else { return true }
                        self.uniqueName = name
                        return unsafe dbus_bus_set_unique_name(self.raw, name) != 0
                    })
            }
        } catch {
            completion(.failure(error))
        }
    }

    private static func uniqueName(
        _ result: Result<Message, DBusError>,
        register: (String) -> Bool
    ) -> Result<String, DBusError> {
        do throws(DBusError) {
            var reader = try result.get().reader
            let name = try reader.readString()
            return register(name) ? .success(name) : .failure(.noMemory)
        } catch {
            return .failure(error)
        }
    }

    /// Requests messages that match the rule from the bus. Rules are counted, so each `addMatch` needs its own
    /// `removeMatch`.
    public func addMatch(
        _ rule: MatchRule,
        timeout: Duration?,
        completion: @escaping (DBusError?) -> Void
    ) {
        changeMatch("AddMatch", rule, timeout, completion)
    }

    /// Removes a rule that `addMatch` added.
    public func removeMatch(
        _ rule: MatchRule,
        timeout: Duration?,
        completion: @escaping (DBusError?) -> Void
    ) {
        changeMatch("RemoveMatch", rule, timeout, completion)
    }

    private func changeMatch(
        _ member: String,
        _ rule: MatchRule,
        _ timeout: Duration?,
        _ completion: @escaping (DBusError?) -> Void
    ) {
        do throws(DBusError) {
            try callBus(
                member,
                timeout: timeout,
                write: { (writer) throws(DBusError) in try writer.append(rule.description) },
                reply: { result in
                    if case .failure(let error) = result { completion(error) } else { completion(nil) }
                }
            )
        } catch {
            completion(error)
        }
    }

    /// Requests a well-known name. The completion also gets an error if another connection owns the name.
    public func requestName(_ name: String, timeout: Duration?, completion: @escaping (DBusError?) -> Void) {
        do throws(DBusError) {
            try callBus(
                "RequestName",
                timeout: timeout,
                write: { (writer) throws(DBusError) in
                    try writer.append(name)
                    try writer.append(UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE))
                },
                reply: { result in completion(Self.checkNameReply(name, result)) }
            )
        } catch {
            completion(error)
        }
    }

    private static func checkNameReply(_ name: String, _ result: Result<Message, DBusError>) -> DBusError? {
        do throws(DBusError) {
            var reader = try result.get().reader
            let code = try reader.readUInt32()
            guard code == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER || code == DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER else {
                return DBusError(name: DBusError.Name.failed, message: "The bus name \(name) is taken", isLocal: true)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Gets the owner of a bus name: its unique name, or nil if there is none.
    public func getNameOwner(
        _ name: String,
        timeout: Duration?,
        completion: @escaping (Result<String?, DBusError>) -> Void
    ) {
        do throws(DBusError) {
            try callBus(
                "GetNameOwner",
                timeout: timeout,
                write: { (writer) throws(DBusError) in try writer.append(name) },
                reply: { result in completion(Self.owner(result)) }
            )
        } catch {
            completion(.failure(error))
        }
    }

    private static func owner(_ result: Result<Message, DBusError>) -> Result<String?, DBusError> {
        do throws(DBusError) {
            var reader = try result.get().reader
            return .success(try reader.readString())
        } catch {
            return error.name == DBusError.Name.nameHasNoOwner ? .success(nil) : .failure(error)
        }
    }
}
