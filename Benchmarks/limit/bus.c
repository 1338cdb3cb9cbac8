/* Messages to and from the bus: sent at once, taken by a loop over dbus_connection_pop_message. */
#include "limit.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DBusConnection *bus;
int bus_descriptor;

void fail(const char *what) {
    fprintf(stderr, "limit: %s\n", what);
    exit(1);
}

void open_bus(void) {
    DBusError error = DBUS_ERROR_INIT;
    const char *address = getenv("DBUS_SYSTEM_BUS_ADDRESS");
    if (address == NULL) fail("DBUS_SYSTEM_BUS_ADDRESS is not set");
    bus = dbus_connection_open_private(address, &error);
    if (bus == NULL || !dbus_bus_register(bus, &error)) fail(error.message);
    dbus_connection_set_exit_on_disconnect(bus, FALSE);
    dbus_connection_set_max_message_size(bus, DBUS_MAXIMUM_MESSAGE_LENGTH);
    dbus_connection_get_unix_fd(bus, &bus_descriptor);
}

/* The next message, for which it waits. The caller unrefs it. */
DBusMessage *next_message(void) {
    for (;;) {
        DBusMessage *message = dbus_connection_pop_message(bus);
        if (message != NULL) {
            if (dbus_message_is_signal(message, DBUS_INTERFACE_LOCAL, "Disconnected")) fail("the bus is gone");
            return message;
        }
        if (!dbus_connection_read_write(bus, -1)) fail("the bus is gone");
    }
}

DBusMessage *new_call(const char *path, const char *interface, const char *member) {
    return dbus_message_new_method_call(SERVICE, path, interface, member);
}

/* Sends a call and waits for its reply; what else arrives meanwhile is dropped. */
DBusMessage *call(DBusMessage *message) {
    dbus_uint32_t serial;
    dbus_connection_send(bus, message, &serial);
    dbus_message_unref(message);
    for (;;) {
        DBusMessage *reply = next_message();
        if (dbus_message_get_reply_serial(reply) == serial) {
            if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_ERROR) fail(dbus_message_get_error_name(reply));
            return reply;
        }
        dbus_message_unref(reply);
    }
}

void call_plain(const char *path, const char *interface, const char *member) {
    dbus_message_unref(call(new_call(path, interface, member)));
}

void add_match(const char *rule) {
    DBusMessage *message =
        dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, "AddMatch");
    dbus_message_append_args(message, DBUS_TYPE_STRING, &rule, DBUS_TYPE_INVALID);
    dbus_message_unref(call(message));
}

void device_path(char *path, unsigned device, const char *below) {
    snprintf(path, PATH_SIZE, ADAPTER_PATH "/dev_C0_FF_EE_%02X_%02X_%02X%s", device >> 16 & 255, device >> 8 & 255,
        device & 255, below);
}

static void put_options(DBusMessageIter *body, const char *type) {
    DBusMessageIter dictionary, entry, variant;
    const char *name = "type";
    dbus_message_iter_open_container(body, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
    if (type != NULL) {
        dbus_message_iter_open_container(&dictionary, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
        dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
        dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &variant);
        dbus_message_iter_append_basic(&variant, DBUS_TYPE_STRING, &type);
        dbus_message_iter_close_container(&entry, &variant);
        dbus_message_iter_close_container(&dictionary, &entry);
    }
    dbus_message_iter_close_container(body, &dictionary);
}

DBusMessage *new_read(unsigned device, const char *below) {
    char path[PATH_SIZE];
    DBusMessageIter body;
    device_path(path, device, below);
    DBusMessage *message = new_call(path, CHARACTERISTIC, "ReadValue");
    dbus_message_iter_init_append(message, &body);
    put_options(&body, NULL);
    return message;
}

DBusMessage *new_write(unsigned device, const char *below, const void *bytes, int count, const char *type) {
    char path[PATH_SIZE];
    DBusMessageIter body, array;
    device_path(path, device, below);
    DBusMessage *message = new_call(path, CHARACTERISTIC, "WriteValue");
    dbus_message_iter_init_append(message, &body);
    dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "y", &array);
    dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &bytes, count);
    dbus_message_iter_close_container(&body, &array);
    put_options(&body, type);
    return message;
}

/* Has the mock send so many values, of which none may be lost: the reply is not waited for. */
void order_values(uint32_t count, uint32_t rate, uint32_t burst) {
    const uint32_t order[] = {count, rate, burst};
    DBusMessage *message = new_write(0, CONTROL, order, sizeof order, "request");
    dbus_connection_send(bus, message, NULL);
    dbus_message_unref(message);
}

void watch_devices(void) {
    add_match("type='signal',sender='" SERVICE "',interface='" MANAGER "'");
    add_match("type='signal',sender='" SERVICE "',interface='" PROPERTIES "',member='PropertiesChanged',arg0='" DEVICE "'");
}

static bool says_resolved(DBusMessage *message) {
    DBusMessageIter body, dictionary, entry, variant;
    const char *interface, *name;
    dbus_bool_t value;
    if (!dbus_message_is_signal(message, PROPERTIES, "PropertiesChanged")) return false;
    dbus_message_iter_init(message, &body);
    dbus_message_iter_get_basic(&body, &interface);
    if (strcmp(interface, DEVICE) != 0) return false;
    dbus_message_iter_next(&body);
    dbus_message_iter_recurse(&body, &dictionary);
    for (; dbus_message_iter_get_arg_type(&dictionary) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&dictionary)) {
        dbus_message_iter_recurse(&dictionary, &entry);
        dbus_message_iter_get_basic(&entry, &name);
        if (strcmp(name, "ServicesResolved") != 0) continue;
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &variant);
        dbus_message_iter_get_basic(&variant, &value);
        return value;
    }
    return false;
}

/* Connects and waits for the services, with a round trip at the end that their objects arrive before. */
void connect_device(unsigned device) {
    char path[PATH_SIZE];
    const char *interface = DEVICE, *name = "ServicesResolved";
    device_path(path, device, "");
    call_plain(path, DEVICE, "Connect");
    bool is_resolved = false;
    while (!is_resolved) {
        DBusMessage *message = next_message();
        is_resolved = says_resolved(message);
        dbus_message_unref(message);
    }
    DBusMessage *get = new_call(path, PROPERTIES, "Get");
    dbus_message_append_args(get, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID);
    dbus_message_unref(call(get));
}

void disconnect_device(unsigned device) {
    char path[PATH_SIZE];
    device_path(path, device, "");
    call_plain(path, DEVICE, "Disconnect");
}

/* The value that a signal carries; NULL if it carries none. */
const uint8_t *notified_value(DBusMessage *message, int *count) {
    DBusMessageIter body, dictionary, entry, variant, array;
    const char *interface, *name;
    const uint8_t *bytes = NULL;
    if (!dbus_message_is_signal(message, PROPERTIES, "PropertiesChanged")) return NULL;
    dbus_message_iter_init(message, &body);
    dbus_message_iter_get_basic(&body, &interface);
    if (strcmp(interface, CHARACTERISTIC) != 0) return NULL;
    dbus_message_iter_next(&body);
    dbus_message_iter_recurse(&body, &dictionary);
    for (; dbus_message_iter_get_arg_type(&dictionary) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&dictionary)) {
        dbus_message_iter_recurse(&dictionary, &entry);
        dbus_message_iter_get_basic(&entry, &name);
        if (strcmp(name, "Value") != 0) continue;
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &variant);
        if (dbus_message_iter_get_element_type(&variant) != DBUS_TYPE_BYTE) continue;
        dbus_message_iter_recurse(&variant, &array);
        dbus_message_iter_get_fixed_array(&array, &bytes, count);
    }
    return bytes;
}
