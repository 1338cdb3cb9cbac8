/* A server: an application with one service and one characteristic. The mock subscribes to it, reads it or takes its
   values, and unsubscribes; the work is what is between. */
#include "limit.h"

#include <string.h>

#define APPLICATION "/application"
#define SERVICE_PATH APPLICATION "/service0"
#define CHARACTERISTIC_PATH SERVICE_PATH "/characteristic0"

/* No more than this is handed to libdbus beyond what the bus has taken. */
#define OUTGOING_LIMIT 65536

static void send(DBusMessage *message) {
    dbus_connection_send(bus, message, NULL);
    dbus_message_unref(message);
}

static void put_property(DBusMessageIter *dictionary, const char *name, int type, const void *value) {
    const char signature[] = {(char)type, 0};
    DBusMessageIter entry, variant;
    dbus_message_iter_open_container(dictionary, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, signature, &variant);
    dbus_message_iter_append_basic(&variant, type, value);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(dictionary, &entry);
}

static void put_flags(DBusMessageIter *dictionary) {
    const char *name = "Flags", *flags[] = {"read", "notify"};
    DBusMessageIter entry, variant, array;
    dbus_message_iter_open_container(dictionary, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "as", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "s", &array);
    for (int index = 0; index < 2; index++) dbus_message_iter_append_basic(&array, DBUS_TYPE_STRING, &flags[index]);
    dbus_message_iter_close_container(&variant, &array);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(dictionary, &entry);
}

static void put_object(DBusMessageIter *tree, const char *path, const char *interface) {
    const char *uuid = "0000180d-0000-1000-8000-00805f9b34fb", *service = SERVICE_PATH;
    dbus_bool_t is_primary = true;
    DBusMessageIter object, interfaces, entry, dictionary;
    dbus_message_iter_open_container(tree, DBUS_TYPE_DICT_ENTRY, NULL, &object);
    dbus_message_iter_append_basic(&object, DBUS_TYPE_OBJECT_PATH, &path);
    dbus_message_iter_open_container(&object, DBUS_TYPE_ARRAY, "{sa{sv}}", &interfaces);
    dbus_message_iter_open_container(&interfaces, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &interface);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
    if (strcmp(interface, CHARACTERISTIC) == 0) {
        uuid = "00002a37-0000-1000-8000-00805f9b34fb";
        put_property(&dictionary, "Service", DBUS_TYPE_OBJECT_PATH, &service);
        put_flags(&dictionary);
    } else {
        put_property(&dictionary, "Primary", DBUS_TYPE_BOOLEAN, &is_primary);
    }
    put_property(&dictionary, "UUID", DBUS_TYPE_STRING, &uuid);
    dbus_message_iter_close_container(&entry, &dictionary);
    dbus_message_iter_close_container(&interfaces, &entry);
    dbus_message_iter_close_container(&object, &interfaces);
    dbus_message_iter_close_container(tree, &object);
}

static void send_objects(DBusMessage *call) {
    DBusMessageIter body, tree;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_iter_init_append(reply, &body);
    dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "{oa{sa{sv}}}", &tree);
    put_object(&tree, SERVICE_PATH, GATT_SERVICE);
    put_object(&tree, CHARACTERISTIC_PATH, CHARACTERISTIC);
    dbus_message_iter_close_container(&body, &tree);
    send(reply);
}

/* The options that a server needs to answer: who reads, from where on, and how long a part may be. */
static uint16_t read_options(DBusMessage *call, uint16_t *mtu, const char **device) {
    uint16_t offset = 0;
    const char *name;
    DBusMessageIter body, dictionary, entry, variant;
    dbus_message_iter_init(call, &body);
    dbus_message_iter_recurse(&body, &dictionary);
    for (; dbus_message_iter_get_arg_type(&dictionary) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&dictionary)) {
        dbus_message_iter_recurse(&dictionary, &entry);
        dbus_message_iter_get_basic(&entry, &name);
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &variant);
        int type = dbus_message_iter_get_arg_type(&variant);
        if (type == DBUS_TYPE_UINT16 && strcmp(name, "offset") == 0) dbus_message_iter_get_basic(&variant, &offset);
        if (type == DBUS_TYPE_UINT16 && strcmp(name, "mtu") == 0) dbus_message_iter_get_basic(&variant, mtu);
        if (type == DBUS_TYPE_OBJECT_PATH && strcmp(name, "device") == 0) dbus_message_iter_get_basic(&variant, device);
    }
    return offset;
}

static void send_read(DBusMessage *call) {
    static const uint8_t value[VALUE_LENGTH] = "a measured value...";
    uint16_t mtu = 0;
    const char *device = NULL;
    uint16_t offset = read_options(call, &mtu, &device);
    if (offset > VALUE_LENGTH || mtu == 0 || device == NULL) fail("the options are not those of bluetoothd");
    const uint8_t *bytes = value + offset;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(
        reply, DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE, &bytes, VALUE_LENGTH - offset, DBUS_TYPE_INVALID);
    send(reply);
}

static DBusMessage *new_signal(void) {
    return dbus_message_new_signal(CHARACTERISTIC_PATH, PROPERTIES, "PropertiesChanged");
}

static void put_value(DBusMessage *message, uint32_t number) {
    uint8_t bytes[VALUE_LENGTH] = {0};
    const uint8_t *pointer = bytes;
    const char *interface = CHARACTERISTIC, *name = "Value";
    DBusMessageIter body, dictionary, entry, variant, array;
    memcpy(bytes, &number, sizeof number);
    dbus_message_iter_init_append(message, &body);
    dbus_message_iter_append_basic(&body, DBUS_TYPE_STRING, &interface);
    dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
    dbus_message_iter_open_container(&dictionary, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "ay", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "y", &array);
    dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &pointer, VALUE_LENGTH);
    dbus_message_iter_close_container(&variant, &array);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(&dictionary, &entry);
    dbus_message_iter_close_container(&body, &dictionary);
    dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "s", &array);
    dbus_message_iter_close_container(&body, &array);
}

/* As fast as the bus takes them; the header is a copy, or built each time. */
static void send_values(uint32_t count, bool is_plain) {
    DBusMessage *template = new_signal();
    for (uint32_t index = 0; index < count; index++) {
        DBusMessage *message = is_plain ? new_signal() : dbus_message_copy(template);
        put_value(message, index);
        send(message);
        while (dbus_connection_get_outgoing_size(bus) > OUTGOING_LIMIT) dbus_connection_read_write(bus, -1);
    }
    dbus_message_unref(template);
}

static void register_application(void) {
    const char *path = APPLICATION;
    DBusMessageIter body, options;
    DBusMessage *message = new_call(ADAPTER_PATH, GATT_MANAGER, "RegisterApplication");
    dbus_message_iter_init_append(message, &body);
    dbus_message_iter_append_basic(&body, DBUS_TYPE_OBJECT_PATH, &path);
    dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "{sv}", &options);
    dbus_message_iter_close_container(&body, &options);
    send(message);
}

/* Returns how many reads were served. */
static uint32_t serve(uint32_t values, bool is_plain, uint32_t items) {
    uint32_t reads = 0;
    bool has_ended = false;
    register_application();
    while (!has_ended) {
        DBusMessage *message = next_message();
        if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR) fail(dbus_message_get_error_name(message));
        if (dbus_message_is_method_call(message, CHARACTERISTIC, "ReadValue")) {
            send_read(message);
            reads++;
        } else if (dbus_message_is_method_call(message, MANAGER, "GetManagedObjects")) {
            send_objects(message);
        } else if (dbus_message_is_method_call(message, CHARACTERISTIC, "StartNotify")) {
            begin();
            send(dbus_message_new_method_return(message));
            send_values(values, is_plain);
        } else if (dbus_message_is_method_call(message, CHARACTERISTIC, "StopNotify")) {
            end(items);
            has_ended = true;
        }
        dbus_message_unref(message);
    }
    return reads;
}

void do_served_reads(uint32_t count) {
    if (serve(0, false, count) != count) fail("reads are missing");
}

void do_served_values(uint32_t count, bool is_plain) { serve(count, is_plain, count); }
