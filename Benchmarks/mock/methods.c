/* Incoming calls. */
#include "mock.h"

#include <stdlib.h>
#include <string.h>

static DBusMessage *unknown(DBusMessage *message) {
    return dbus_message_new_error(message, DBUS_ERROR_UNKNOWN_METHOD, "The mock has no such method");
}

static DBusMessage *get_property(DBusMessage *message, struct object object, bool all) {
    const char *interface = "", *name = NULL;
    DBusMessageIter arguments, body, dictionary;
    dbus_message_iter_init(message, &arguments);
    dbus_message_iter_get_basic(&arguments, &interface);
    bool is_known = interface_of(object.kind) != NULL && strcmp(interface, interface_of(object.kind)) == 0;
    DBusMessage *reply = dbus_message_new_method_return(message);
    dbus_message_iter_init_append(reply, &body);
    if (all) {
        dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
        if (is_known) put_properties(&dictionary, object, NULL);
        dbus_message_iter_close_container(&body, &dictionary);
        return reply;
    }
    dbus_message_iter_next(&arguments);
    dbus_message_iter_get_basic(&arguments, &name);
    put_bare(true);
    if (is_known) put_properties(&body, object, name);
    bool is_found = bare_count() > 0;
    put_bare(false);
    if (is_found) return reply;
    dbus_message_unref(reply);
    return dbus_message_new_error(message, DBUS_ERROR_INVALID_ARGS, "No such property");
}

static void announce_discovering(void) {
    DBusMessageIter body, dictionary;
    DBusMessage *message = changed(ADAPTER_PATH, ADAPTER, &body, &dictionary);
    put_bool(&dictionary, "Discovering", discovering);
    send_changed(message, &body, &dictionary);
}

static DBusMessage *call_adapter(DBusMessage *message, const char *member) {
    static const char *const filters[] = {"UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData"};
    const char *const *pointer = filters;
    DBusMessage *reply = dbus_message_new_method_return(message);
    if (strcmp(member, "StartDiscovery") == 0 || strcmp(member, "StopDiscovery") == 0) {
        bool was = discovering;
        discovering = member[2] == 'a';
        send_message(reply);
        if (was != discovering) announce_discovering();
        if (discovering && !was) start_discovery();
        if (!discovering) stop_discovery();
        return NULL;
    }
    if (strcmp(member, "GetDiscoveryFilters") == 0) {
        dbus_message_append_args(reply, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &pointer, 5, DBUS_TYPE_INVALID);
    }
    return reply;
}

static DBusMessage *introspected(DBusMessage *message, struct object object) {
    char *text = introspect(object);
    DBusMessage *reply = dbus_message_new_method_return(message);
    dbus_message_append_args(reply, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
    free(text);
    return reply;
}

static DBusMessage *answer(DBusMessage *message) {
    const char *interface = dbus_message_get_interface(message), *member = dbus_message_get_member(message);
    struct object object = parse_path(dbus_message_get_path(message));
    if (interface == NULL || object.kind == NOTHING) {
        return dbus_message_new_error(message, DBUS_ERROR_UNKNOWN_OBJECT, "The mock has no such object");
    }
    if (strcmp(interface, CHARACTERISTIC) == 0 && object.kind == A_CHARACTERISTIC) {
        return call_characteristic(message, object, member);
    }
    if (strcmp(interface, DEVICE) == 0 && object.kind == A_DEVICE) {
        if (strcmp(member, "Connect") == 0) return connect_device(message, object.device), NULL;
        if (strcmp(member, "Disconnect") == 0) return disconnect_device(message, object.device), NULL;
        return unknown(message);
    }
    if (strcmp(interface, MANAGER) == 0 && strcmp(member, "GetManagedObjects") == 0) {
        DBusMessage *reply = dbus_message_new_method_return(message);
        DBusMessageIter body;
        dbus_message_iter_init_append(reply, &body);
        put_managed_objects(&body);
        return reply;
    }
    if (strcmp(interface, PROPERTIES) == 0) {
        if (strcmp(member, "Get") == 0 && dbus_message_has_signature(message, "ss")) {
            return get_property(message, object, false);
        }
        if (strcmp(member, "GetAll") == 0 && dbus_message_has_signature(message, "s")) {
            return get_property(message, object, true);
        }
        if (strcmp(member, "Set") == 0) return dbus_message_new_method_return(message);
        return unknown(message);
    }
    if (strcmp(interface, DBUS_INTERFACE_PEER) == 0) return dbus_message_new_method_return(message);
    if (strcmp(interface, INTROSPECTABLE) == 0) return introspected(message, object);
    if (strcmp(interface, ADAPTER) == 0) return call_adapter(message, member);
    if (strcmp(interface, GATT_MANAGER) == 0) return call_gatt_manager(message, member);
    if (strcmp(interface, ADVERTISING_MANAGER) == 0) return dbus_message_new_method_return(message);
    if (strcmp(interface, "org.bluez.AgentManager1") == 0) return dbus_message_new_method_return(message);
    return unknown(message);
}

void handle_call(DBusMessage *message) {
    DBusMessage *reply = answer(message);
    if (reply == NULL) return;
    if (dbus_message_get_no_reply(message)) dbus_message_unref(reply); else send_message(reply);
}
