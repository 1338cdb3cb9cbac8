/* All of bluetoothd's objects, kept as a list of nodes; and what begins with it: starting, connecting. */
#include "limit.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An object with what a client wants of it. */
struct node {
    char *path;
    char *uuid;
    char *name;
    char *address;
    uint32_t flags;
    uint16_t handle;
    uint16_t mtu;
    int16_t rssi;
    bool connected;
    bool resolved;
};

static struct node *nodes;
static size_t node_count, node_capacity;

static void take_flags(DBusMessageIter *variant, struct node *node) {
    static const char *const names[] = {"read", "write", "write-without-response", "notify", "indicate", "broadcast"};
    DBusMessageIter array;
    const char *flag;
    dbus_message_iter_recurse(variant, &array);
    for (; dbus_message_iter_get_arg_type(&array) == DBUS_TYPE_STRING; dbus_message_iter_next(&array)) {
        dbus_message_iter_get_basic(&array, &flag);
        for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
            if (strcmp(flag, names[index]) == 0) node->flags |= UINT32_C(1) << index;
        }
    }
}

static char *copy_text(DBusMessageIter *variant) {
    const char *text;
    dbus_message_iter_get_basic(variant, &text);
    return strdup(text);
}

static bool take_bool(DBusMessageIter *variant) {
    dbus_bool_t value;
    dbus_message_iter_get_basic(variant, &value);
    return value;
}

static void take_property(const char *name, DBusMessageIter *variant, struct node *node) {
    int type = dbus_message_iter_get_arg_type(variant);
    if (type == DBUS_TYPE_STRING) {
        char **place = strcmp(name, "UUID") == 0      ? &node->uuid
                       : strcmp(name, "Name") == 0    ? &node->name
                       : strcmp(name, "Address") == 0 ? &node->address
                                                      : NULL;
        if (place != NULL && *place == NULL) *place = copy_text(variant);
    } else if (type == DBUS_TYPE_UINT16) {
        if (strcmp(name, "Handle") == 0) dbus_message_iter_get_basic(variant, &node->handle);
        if (strcmp(name, "MTU") == 0) dbus_message_iter_get_basic(variant, &node->mtu);
    } else if (type == DBUS_TYPE_INT16) {
        if (strcmp(name, "RSSI") == 0) dbus_message_iter_get_basic(variant, &node->rssi);
    } else if (type == DBUS_TYPE_BOOLEAN) {
        if (strcmp(name, "Connected") == 0) node->connected = take_bool(variant);
        if (strcmp(name, "ServicesResolved") == 0) node->resolved = take_bool(variant);
    } else if (type == DBUS_TYPE_ARRAY && strcmp(name, "Flags") == 0) {
        take_flags(variant, node);
    }
}

static void take_properties(DBusMessageIter *dictionary, struct node *node) {
    DBusMessageIter entry, variant;
    const char *name;
    for (; dbus_message_iter_get_arg_type(dictionary) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(dictionary)) {
        dbus_message_iter_recurse(dictionary, &entry);
        dbus_message_iter_get_basic(&entry, &name);
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &variant);
        take_property(name, &variant, node);
    }
}

static void take_object(DBusMessageIter *entry) {
    DBusMessageIter interfaces, interface, dictionary;
    const char *path, *name;
    if (node_count == node_capacity) {
        node_capacity = node_capacity == 0 ? 64 : node_capacity * 2;
        nodes = realloc(nodes, node_capacity * sizeof *nodes);
    }
    struct node *node = &nodes[node_count++];
    memset(node, 0, sizeof *node);
    dbus_message_iter_get_basic(entry, &path);
    node->path = strdup(path);
    dbus_message_iter_next(entry);
    dbus_message_iter_recurse(entry, &interfaces);
    for (; dbus_message_iter_get_arg_type(&interfaces) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&interfaces)) {
        dbus_message_iter_recurse(&interfaces, &interface);
        dbus_message_iter_get_basic(&interface, &name);
        if (strncmp(name, "org.bluez.", 10) != 0) continue;
        dbus_message_iter_next(&interface);
        dbus_message_iter_recurse(&interface, &dictionary);
        take_properties(&dictionary, node);
    }
}

static void take_tree(void) {
    DBusMessageIter body, tree, entry;
    watch_devices();
    DBusMessage *reply = call(new_call("/", MANAGER, "GetManagedObjects"));
    dbus_message_iter_init(reply, &body);
    dbus_message_iter_recurse(&body, &tree);
    for (; dbus_message_iter_get_arg_type(&tree) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&tree)) {
        dbus_message_iter_recurse(&tree, &entry);
        take_object(&entry);
    }
    dbus_message_unref(reply);
}

static bool is_advertisement(DBusMessage *message) {
    DBusMessageIter body, dictionary;
    struct node node = {0};
    const char *interface;
    if (!dbus_message_is_signal(message, PROPERTIES, "PropertiesChanged")) return false;
    dbus_message_iter_init(message, &body);
    dbus_message_iter_get_basic(&body, &interface);
    if (strcmp(interface, DEVICE) != 0) return false;
    dbus_message_iter_next(&body);
    dbus_message_iter_recurse(&body, &dictionary);
    take_properties(&dictionary, &node);
    return node.rssi != 0;
}

static void wait_for_advertisements(uint32_t count) {
    while (count > 0) {
        DBusMessage *message = next_message();
        if (is_advertisement(message)) count--;
        dbus_message_unref(message);
    }
}

static void start_discovery(void) {
    DBusMessage *message = new_call(ADAPTER_PATH, ADAPTER, "StartDiscovery");
    dbus_connection_send(bus, message, NULL);
    dbus_message_unref(message);
}

void do_tree(void) {
    begin();
    take_tree();
    end(node_count);
}

/* Takes the tree and finds the first peripheral. */
void do_start(void) {
    begin();
    take_tree();
    start_discovery();
    wait_for_advertisements(1);
    end(node_count);
}

/* All advertisements after the first. */
void do_scan(uint32_t count) {
    take_tree();
    start_discovery();
    wait_for_advertisements(1);
    begin();
    wait_for_advertisements(count - 1);
    end(count - 1);
}

/* Devices that appear and go: their paths are kept in no list, so this is the cost of the messages alone. */
void do_rotating(uint32_t count) {
    uint32_t found = 0;
    take_tree();
    start_discovery();
    begin();
    while (found < count) {
        DBusMessage *message = next_message();
        if (dbus_message_is_signal(message, MANAGER, "InterfacesAdded")) {
            DBusMessageIter body;
            dbus_message_iter_init(message, &body);
            take_object(&body);
            struct node *node = &nodes[--node_count];
            free(node->path), free(node->uuid), free(node->name), free(node->address);
            found++;
        }
        dbus_message_unref(message);
    }
    end(count);
}

void do_connections(uint32_t count) {
    take_tree();
    for (uint32_t index = 0; index < count; index++) {
        begin();
        connect_device(0);
        end(1);
        disconnect_device(0);
    }
}

/* What a short program does: find, connect, read one value. */
void do_process(void) {
    begin();
    take_tree();
    start_discovery();
    wait_for_advertisements(1);
    connect_device(0);
    dbus_message_unref(call(new_read(0, READ_ONLY)));
    end(1);
    disconnect_device(0);
}

/* Connected and subscribed, and nothing to do. */
void do_idle(void) {
    char path[PATH_SIZE];
    take_tree();
    connect_device(0);
    device_path(path, 0, NOTIFIED);
    call_plain(path, CHARACTERISTIC, "StartNotify");
    puts("ready");
    fflush(stdout);
    for (;;) dbus_message_unref(next_message());
}
