/* Links: Connect, Disconnect, and the objects that come and go with them. */
#include "mock.h"

void announce(struct object object) {
    char path[PATH_SIZE], *pointer = path;
    DBusMessageIter body;
    DBusMessage *message = dbus_message_new_signal("/", MANAGER, "InterfacesAdded");
    put_path(path, object);
    dbus_message_iter_init_append(message, &body);
    dbus_message_iter_append_basic(&body, DBUS_TYPE_OBJECT_PATH, &pointer);
    put_interfaces(&body, object);
    send_message(message);
}

void withdraw(struct object object) {
    const char *interfaces[] = {INTROSPECTABLE, interface_of(object.kind), PROPERTIES}, **list = interfaces;
    char path[PATH_SIZE], *pointer = path;
    DBusMessage *message = dbus_message_new_signal("/", MANAGER, "InterfacesRemoved");
    put_path(path, object);
    dbus_message_append_args(
        message, DBUS_TYPE_OBJECT_PATH, &pointer, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &list, 3, DBUS_TYPE_INVALID);
    send_message(message);
}

static void change_link(unsigned index, bool is_connected, bool with_services) {
    char path[PATH_SIZE];
    DBusMessageIter body, dictionary;
    put_path(path, (struct object){A_DEVICE, index, 0, 0});
    DBusMessage *message = changed(path, DEVICE, &body, &dictionary);
    if (with_services) put_bool(&dictionary, "ServicesResolved", is_connected);
    if (!with_services || !is_connected) put_bool(&dictionary, "Connected", is_connected);
    send_changed(message, &body, &dictionary);
}

/* A central has connected: it has no services that are discovered. */
void accept_link(unsigned index) {
    devices[index].connected = true;
    change_link(index, true, false);
}

static void for_each_attribute(unsigned device, void (*body)(struct object)) {
    for (unsigned service = 0; service < 2; service++) {
        body((struct object){A_SERVICE, device, service, 0});
        for (unsigned index = 0; index < (service == 0 ? FIRST_COUNT : SECOND_COUNT); index++) {
            body((struct object){A_CHARACTERISTIC, device, service, index});
            if (service == 0 && index == NOTIFIED) body((struct object){A_DESCRIPTOR, device, 0, 0});
        }
    }
}

/* The objects come before it is signalled that the services are resolved. bluetoothd may do it the other way round
   (gdbus/object.c), but then bleak does not find all of them: https://github.com/hbldh/bleak/issues/1806. */
void connect_device(DBusMessage *message, unsigned index) {
    struct device *device = &devices[index];
    if (device->connected) return send_message(dbus_message_new_method_return(message));
    device->connected = true;
    change_link(index, true, false);
    send_message(dbus_message_new_method_return(message));
    if (!device->exported) {
        device->exported = true;
        for_each_attribute(index, announce);
    }
    change_link(index, true, true);
}

/* The objects go with the link, as with bluetoothd where it caches nothing: so each connection discovers anew. */
void disconnect_device(DBusMessage *message, unsigned index) {
    struct device *device = &devices[index];
    if (device->connected) {
        device->connected = false;
        device->notifying = 0;
        close_sockets(index);
        change_link(index, false, true);
        device->exported = false;
        for_each_attribute(index, withdraw);
    }
    send_message(dbus_message_new_method_return(message));
}
