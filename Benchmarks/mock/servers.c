/* The peripheral role: an application is registered, and a central that the mock stands for reads its first
   characteristic, or takes its notifications. StartNotify begins the work, and StopNotify ends it. */
#include "mock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char *owner, *path;
    DBusMessage *registration, *read;
    dbus_uint32_t tree, start;
    uint32_t asked, received;
} server;

static void fail(const char *what) {
    fprintf(stderr, "mock: %s\n", what);
    exit(1);
}

static dbus_uint32_t send_call(DBusMessage *message) {
    dbus_uint32_t serial = 0;
    dbus_connection_send(bus, message, &serial);
    dbus_message_unref(message);
    return serial;
}

static dbus_uint32_t call_server(const char *member) {
    return send_call(dbus_message_new_method_call(server.owner, server.path, CHARACTERISTIC, member));
}

/* The objects are asked for, and the registration is answered when they have come, as bluetoothd does. Only the first
   application is used. */
DBusMessage *call_gatt_manager(DBusMessage *message, const char *member) {
    if (strcmp(member, "RegisterApplication") != 0 || server.owner != NULL) {
        return dbus_message_new_method_return(message);
    }
    const char *path = "/";
    dbus_message_get_args(message, NULL, DBUS_TYPE_OBJECT_PATH, &path, DBUS_TYPE_INVALID);
    server.registration = dbus_message_ref(message);
    server.owner = strdup(dbus_message_get_sender(message));
    server.tree = send_call(dbus_message_new_method_call(server.owner, path, MANAGER, "GetManagedObjects"));
    return NULL;
}

static bool has_characteristic(DBusMessageIter interfaces) {
    DBusMessageIter entry;
    const char *name;
    for (; dbus_message_iter_get_arg_type(&interfaces) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&interfaces)) {
        dbus_message_iter_recurse(&interfaces, &entry);
        dbus_message_iter_get_basic(&entry, &name);
        if (strcmp(name, CHARACTERISTIC) == 0) return true;
    }
    return false;
}

static void find_characteristic(DBusMessage *reply) {
    DBusMessageIter body, tree, entry, interfaces;
    const char *path;
    dbus_message_iter_init(reply, &body);
    dbus_message_iter_recurse(&body, &tree);
    for (; dbus_message_iter_get_arg_type(&tree) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&tree)) {
        dbus_message_iter_recurse(&tree, &entry);
        dbus_message_iter_get_basic(&entry, &path);
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &interfaces);
        if (server.path == NULL && has_characteristic(interfaces)) server.path = strdup(path);
    }
    if (server.path == NULL) fail("the application has no characteristic");
}

/* ReadValue with the options of bluetoothd (src/gatt-database.c: append_options). */
static DBusMessage *new_read(void) {
    char path[PATH_SIZE], *pointer = path;
    uint16_t mtu = MTU;
    DBusMessageIter body, dictionary;
    put_path(path, (struct object){A_DEVICE, 0, 0, 0});
    DBusMessage *message = dbus_message_new_method_call(server.owner, server.path, CHARACTERISTIC, "ReadValue");
    dbus_message_iter_init_append(message, &body);
    dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
    put_number(&dictionary, "device", DBUS_TYPE_OBJECT_PATH, &pointer);
    put_string(&dictionary, "link", "LE");
    put_number(&dictionary, "mtu", DBUS_TYPE_UINT16, &mtu);
    dbus_message_iter_close_container(&body, &dictionary);
    return message;
}

static void watch_values(void) {
    char rule[512];
    snprintf(rule, sizeof rule, "type='signal',sender='%s',path='%s',interface='" PROPERTIES "'", server.owner,
        server.path);
    dbus_bus_add_match(bus, rule, NULL);
}

static void begin(DBusMessage *tree) {
    find_characteristic(tree);
    send_message(dbus_message_new_method_return(server.registration));
    dbus_message_unref(server.registration);
    if (options.reads == 0 && options.values == 0) return;
    watch_values();
    accept_link(0);
    server.read = new_read();
    server.start = call_server("StartNotify");
}

static void ask(void) {
    server.asked++;
    send_call(dbus_message_copy(server.read));
}

static void take_read(DBusMessage *reply) {
    const uint8_t *bytes;
    int count = 0;
    if (!dbus_message_get_args(reply, NULL, DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE, &bytes, &count, DBUS_TYPE_INVALID) ||
        count != VALUE_LENGTH) {
        fail("the value is not that which was to be read");
    }
    if (++server.received == options.reads) call_server("StopNotify");
    else if (server.asked < options.reads) ask();
}

/* The value that a signal carries; NULL if it carries none. */
static const uint8_t *notified_value(DBusMessage *message, int *count) {
    DBusMessageIter body, dictionary, entry, variant, array;
    const char *name;
    const uint8_t *bytes = NULL;
    if (!dbus_message_is_signal(message, PROPERTIES, "PropertiesChanged")) return NULL;
    dbus_message_iter_init(message, &body);
    dbus_message_iter_next(&body);
    dbus_message_iter_recurse(&body, &dictionary);
    for (; dbus_message_iter_get_arg_type(&dictionary) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&dictionary)) {
        dbus_message_iter_recurse(&dictionary, &entry);
        dbus_message_iter_get_basic(&entry, &name);
        if (strcmp(name, "Value") != 0) continue;
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &variant);
        dbus_message_iter_recurse(&variant, &array);
        dbus_message_iter_get_fixed_array(&array, &bytes, count);
    }
    return bytes;
}

/* Each value begins with its number, of 4 bytes, least significant byte first. */
static void take_value(DBusMessage *message) {
    uint32_t number;
    int count = 0;
    const uint8_t *bytes = notified_value(message, &count);
    if (bytes == NULL || options.values == 0) return;
    if (count != VALUE_LENGTH) fail("a value is not as long as it was to be");
    memcpy(&number, bytes, sizeof number);
    if (number != server.received) fail("a value is missing");
    if (++server.received == options.values) call_server("StopNotify");
}

/* Replies of the server, and its signals. */
void handle_answer(DBusMessage *message) {
    const char *sender = dbus_message_get_sender(message);
    if (server.owner == NULL || sender == NULL || strcmp(sender, server.owner) != 0) return;
    dbus_uint32_t serial = dbus_message_get_reply_serial(message);
    if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR) {
        if (server.received < options.reads + options.values) fail(dbus_message_get_error_name(message));
    } else if (serial == 0) {
        take_value(message);
    } else if (serial == server.tree) {
        begin(message);
    } else if (serial == server.start) {
        while (server.asked < options.outstanding && server.asked < options.reads) ask();
    } else if (server.received < options.reads) {
        take_read(message);
    }
}
