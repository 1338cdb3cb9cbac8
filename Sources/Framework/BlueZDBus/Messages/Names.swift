import CBlueZDBus

/// Checks of names and texts. libdbus aborts on invalid ones, so every string is checked here first.
package enum Names {
    static func check(path: String) throws(DBusError) {
        try check(path, unsafe dbus_validate_path(path, nil), "an object path")
    }

    static func check(interface: String) throws(DBusError) {
        try check(interface, unsafe dbus_validate_interface(interface, nil), "an interface name")
    }

    static func check(member: String) throws(DBusError) {
        try check(member, unsafe dbus_validate_member(member, nil), "a member name")
    }

    static func check(busName: String) throws(DBusError) {
        try check(busName, unsafe dbus_validate_bus_name(busName, nil), "a bus name")
    }

    package static func check(errorName: String) throws(DBusError) {
        try check(errorName, unsafe dbus_validate_error_name(errorName, nil), "an error name")
    }

    static func check(signature: String) throws(DBusError) {
        try check(signature, unsafe dbus_signature_validate(signature, nil), "a signature")
    }

    static func check(singleSignature: String) throws(DBusError) {
        try check(singleSignature, unsafe dbus_signature_validate_single(singleSignature, nil), "a single type")
    }

    /// Checks a text. D-Bus strings end at a NUL, so one inside would truncate the string silently.
    static func check(text: String) throws(DBusError) {
        guard !text.utf8.contains(0) else {
            throw .invalidArguments("A D-Bus string cannot contain the character U+0000")
        }
    }

    private static func check(_ text: String, _ isValid: dbus_bool_t, _ what: String) throws(DBusError) {
        guard isValid != 0, !text.utf8.contains(0) else {
            throw .invalidArguments("\"\(text)\" is not \(what)")
        }
    }
}
