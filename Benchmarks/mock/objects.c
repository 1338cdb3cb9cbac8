/* The tree: paths, interfaces and properties. Nothing of it is stored but what changes. */
#include "mock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [THE_ADAPTER] = ADAPTER, [A_DEVICE] = DEVICE, [A_SERVICE] = GATT_SERVICE, [A_CHARACTERISTIC] = CHARACTERISTIC,
    [A_DESCRIPTOR] = DESCRIPTOR,
};

static unsigned service_handle(unsigned service) { return service == 0 ? 1 : 0x80; }

static unsigned characteristic_handle(unsigned service, unsigned index) {
    return service == 0 ? 2 + 3 * index : 0x81 + 2 * index;
}

static unsigned count_of(unsigned service) { return service == 0 ? FIRST_COUNT : SECOND_COUNT; }

static unsigned characteristic_number(unsigned service, unsigned index) {
    static const unsigned numbers[] = {0x2A37, 0x2A38, 0x2A39, 0xFF01, 0xFF02};
    if (service == 1) return 0xFF20 + index;
    return index < FIRST_OF_MANY ? numbers[index] : 0xFF10 + index - FIRST_OF_MANY;
}

static int put_address(char *text, size_t size, unsigned device, char separator) {
    return snprintf(text, size, "C0%cFF%cEE%c%02X%c%02X%c%02X", separator, separator, separator, device >> 16 & 255,
        separator, device >> 8 & 255, separator, device & 255);
}

void put_path(char *path, struct object object) {
    int length = snprintf(path, PATH_SIZE, "%s", ADAPTER_PATH);
    if (object.kind < A_DEVICE) return;
    length += snprintf(path + length, PATH_SIZE - length, "/dev_");
    length += put_address(path + length, PATH_SIZE - length, object.device, '_');
    if (object.kind < A_SERVICE) return;
    length += snprintf(path + length, PATH_SIZE - length, "/service%04x", service_handle(object.service));
    if (object.kind < A_CHARACTERISTIC) return;
    unsigned handle = characteristic_handle(object.service, object.characteristic);
    length += snprintf(path + length, PATH_SIZE - length, "/char%04x", handle);
    if (object.kind < A_DESCRIPTOR) return;
    snprintf(path + length, PATH_SIZE - length, "/desc%04x", handle + 2);
}

struct object parse_path(const char *path) {
    struct object object = {NOTHING, 0, 0, 0};
    unsigned high, middle, low, service, characteristic, descriptor;
    if (strcmp(path, "/") == 0) object.kind = ROOT;
    if (strcmp(path, "/org/bluez") == 0) object.kind = BLUEZ;
    if (strcmp(path, ADAPTER_PATH) == 0) object.kind = THE_ADAPTER;
    int fields = sscanf(path, ADAPTER_PATH "/dev_C0_FF_EE_%2X_%2X_%2X/service%4x/char%4x/desc%4x", &high, &middle, &low,
        &service, &characteristic, &descriptor);
    if (fields < 3) return object;
    object.device = high << 16 | middle << 8 | low;
    if (object.device >= options.devices) return object;
    object.kind = A_DEVICE;
    if (fields < 4) return object;
    object.service = service == 0x80;
    object.kind = A_SERVICE;
    if (fields < 5) return object;
    unsigned first = characteristic_handle(object.service, 0), step = object.service == 0 ? 3 : 2;
    object.characteristic = (characteristic - first) / step;
    object.kind = object.characteristic >= count_of(object.service) ? NOTHING : fields < 6 ? A_CHARACTERISTIC
                                                                                            : A_DESCRIPTOR;
    return object;
}

const char *interface_of(enum kind kind) { return names[kind]; }

static bool wanted(const char *only, const char *name) { return only == NULL || strcmp(only, name) == 0; }

static void put_object_path(DBusMessageIter *dictionary, const char *name, struct object object) {
    char path[PATH_SIZE], *pointer = path;
    put_path(path, object);
    put_number(dictionary, name, DBUS_TYPE_OBJECT_PATH, &pointer);
}

static void put_adapter(DBusMessageIter *dictionary, const char *only) {
    static const char *const roles[] = {"central", "peripheral", NULL}, *const none[] = {NULL};
    uint32_t zero = 0;
    if (wanted(only, "Address")) put_string(dictionary, "Address", "00:11:22:33:44:55");
    if (wanted(only, "AddressType")) put_string(dictionary, "AddressType", "public");
    if (wanted(only, "Name")) put_string(dictionary, "Name", "mock");
    if (wanted(only, "Alias")) put_string(dictionary, "Alias", "mock");
    if (wanted(only, "Class")) put_number(dictionary, "Class", DBUS_TYPE_UINT32, &zero);
    if (wanted(only, "Powered")) put_bool(dictionary, "Powered", true);
    if (wanted(only, "Discoverable")) put_bool(dictionary, "Discoverable", false);
    if (wanted(only, "Pairable")) put_bool(dictionary, "Pairable", true);
    if (wanted(only, "DiscoverableTimeout")) put_number(dictionary, "DiscoverableTimeout", DBUS_TYPE_UINT32, &zero);
    if (wanted(only, "PairableTimeout")) put_number(dictionary, "PairableTimeout", DBUS_TYPE_UINT32, &zero);
    if (wanted(only, "Discovering")) put_bool(dictionary, "Discovering", discovering);
    if (wanted(only, "UUIDs")) put_strings(dictionary, "UUIDs", none);
    if (wanted(only, "Modalias")) put_string(dictionary, "Modalias", "usb:v1D6Bp0246d0542");
    if (wanted(only, "Roles")) put_strings(dictionary, "Roles", roles);
}

static void put_device(DBusMessageIter *dictionary, unsigned index, const char *only) {
    static const char *const services[] = {"0000180d-0000-1000-8000-00805f9b34fb", NULL};
    static const struct device unknown = {.rssi = -60, .found = true};
    const struct device *device = index < options.devices ? &devices[index] : &unknown;
    char text[32];
    if (wanted(only, "Address")) {
        put_address(text, sizeof text, index, ':');
        put_string(dictionary, "Address", text);
    }
    if (wanted(only, "AddressType")) put_string(dictionary, "AddressType", "public");
    snprintf(text, sizeof text, "Heart %u", index);
    if (wanted(only, "Name")) put_string(dictionary, "Name", text);
    if (wanted(only, "Alias")) put_string(dictionary, "Alias", text);
    if (wanted(only, "Paired")) put_bool(dictionary, "Paired", false);
    if (wanted(only, "Bonded")) put_bool(dictionary, "Bonded", false);
    if (wanted(only, "Trusted")) put_bool(dictionary, "Trusted", false);
    if (wanted(only, "Blocked")) put_bool(dictionary, "Blocked", false);
    if (wanted(only, "LegacyPairing")) put_bool(dictionary, "LegacyPairing", false);
    if (device->found && wanted(only, "RSSI")) put_number(dictionary, "RSSI", DBUS_TYPE_INT16, &device->rssi);
    if (wanted(only, "Connected")) put_bool(dictionary, "Connected", device->connected);
    if (wanted(only, "UUIDs")) put_strings(dictionary, "UUIDs", services);
    if (wanted(only, "Adapter")) put_object_path(dictionary, "Adapter", (struct object){THE_ADAPTER, 0, 0, 0});
    if (device->found && wanted(only, "ManufacturerData")) put_manufacturer_data(dictionary, index);
    if (wanted(only, "ServicesResolved")) put_bool(dictionary, "ServicesResolved", device->connected);
}

static void put_uuid(DBusMessageIter *dictionary, unsigned number) {
    char text[40];
    snprintf(text, sizeof text, "%08x-0000-1000-8000-00805f9b34fb", number);
    put_string(dictionary, "UUID", text);
}

static void put_characteristic(DBusMessageIter *dictionary, struct object object, const char *only) {
    static const char *const notify[] = {"notify", NULL}, *const read[] = {"read", NULL}, *const write[] = {"write", NULL};
    static const char *const both[] = {"write-without-response", "write", NULL}, *const many[] = {"read", "notify", NULL};
    static const char *const *const first[] = {notify, read, write, both, read};
    unsigned index = object.characteristic;
    const char *const *flags = object.service == 1 ? read : index < FIRST_OF_MANY ? first[index] : many;
    const struct device *device = &devices[object.device];
    struct object service = {A_SERVICE, object.device, object.service, 0};
    uint16_t mtu = MTU, handle = (uint16_t)characteristic_handle(object.service, index);
    if (wanted(only, "UUID")) put_uuid(dictionary, characteristic_number(object.service, index));
    if (wanted(only, "Service")) put_object_path(dictionary, "Service", service);
    if (wanted(only, "Value")) put_bytes(dictionary, "Value", NULL, 0);
    if (wanted(only, "Flags")) put_strings(dictionary, "Flags", flags);
    if (flags == notify || flags == many) {
        bool notifying = object.service == 0 && (device->notifying >> index & 1) != 0;
        if (wanted(only, "Notifying")) put_bool(dictionary, "Notifying", notifying);
        if (wanted(only, "NotifyAcquired")) {
            put_bool(dictionary, "NotifyAcquired", index == NOTIFIED && device->notify_socket >= 0);
        }
    }
    if (flags == both && wanted(only, "WriteAcquired")) {
        put_bool(dictionary, "WriteAcquired", device->write_socket >= 0);
    }
    if (wanted(only, "MTU")) put_number(dictionary, "MTU", DBUS_TYPE_UINT16, &mtu);
    if (wanted(only, "Handle")) put_number(dictionary, "Handle", DBUS_TYPE_UINT16, &handle);
}

/* All properties of an object's own interface, or one of them. */
void put_properties(DBusMessageIter *dictionary, struct object object, const char *only) {
    struct object above = object;
    uint16_t handle = (uint16_t)service_handle(object.service);
    switch (object.kind) {
    case THE_ADAPTER: put_adapter(dictionary, only); break;
    case A_DEVICE: put_device(dictionary, object.device, only); break;
    case A_SERVICE:
        above.kind = A_DEVICE;
        if (wanted(only, "UUID")) put_uuid(dictionary, object.service == 0 ? 0x180D : 0xFF00);
        if (wanted(only, "Primary")) put_bool(dictionary, "Primary", true);
        if (wanted(only, "Device")) put_object_path(dictionary, "Device", above);
        if (wanted(only, "Handle")) put_number(dictionary, "Handle", DBUS_TYPE_UINT16, &handle);
        break;
    case A_CHARACTERISTIC: put_characteristic(dictionary, object, only); break;
    case A_DESCRIPTOR:
        above.kind = A_CHARACTERISTIC;
        handle = (uint16_t)(characteristic_handle(object.service, object.characteristic) + 2);
        if (wanted(only, "UUID")) put_uuid(dictionary, 0x2902);
        if (wanted(only, "Characteristic")) put_object_path(dictionary, "Characteristic", above);
        if (wanted(only, "Value")) put_bytes(dictionary, "Value", NULL, 0);
        if (wanted(only, "Handle")) put_number(dictionary, "Handle", DBUS_TYPE_UINT16, &handle);
        break;
    default: break;
    }
}

static void put_interface(DBusMessageIter *interfaces, const char *name, struct object object) {
    DBusMessageIter entry, dictionary;
    dbus_message_iter_open_container(interfaces, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
    put_properties(&dictionary, object, NULL);
    dbus_message_iter_close_container(&entry, &dictionary);
    dbus_message_iter_close_container(interfaces, &entry);
}

/* a{sa{sv}}, with the interfaces that gdbus gives every object. */
void put_interfaces(DBusMessageIter *parent, struct object object) {
    DBusMessageIter interfaces;
    struct object none = {NOTHING, 0, 0, 0};
    dbus_message_iter_open_container(parent, DBUS_TYPE_ARRAY, "{sa{sv}}", &interfaces);
    put_interface(&interfaces, INTROSPECTABLE, none);
    if (object.kind == BLUEZ) {
        put_interface(&interfaces, "org.bluez.AgentManager1", none);
    } else {
        put_interface(&interfaces, names[object.kind], object);
    }
    if (object.kind == THE_ADAPTER) {
        put_interface(&interfaces, GATT_MANAGER, none);
        put_interface(&interfaces, ADVERTISING_MANAGER, none);
    }
    put_interface(&interfaces, PROPERTIES, none);
    dbus_message_iter_close_container(parent, &interfaces);
}

static void put_object(DBusMessageIter *tree, struct object object) {
    char path[PATH_SIZE], *pointer = path;
    DBusMessageIter entry;
    put_path(path, object);
    if (object.kind == BLUEZ) pointer = "/org/bluez";
    dbus_message_iter_open_container(tree, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_OBJECT_PATH, &pointer);
    put_interfaces(&entry, object);
    dbus_message_iter_close_container(tree, &entry);
}

void put_managed_objects(DBusMessageIter *parent) {
    DBusMessageIter tree;
    dbus_message_iter_open_container(parent, DBUS_TYPE_ARRAY, "{oa{sa{sv}}}", &tree);
    put_object(&tree, (struct object){BLUEZ, 0, 0, 0});
    put_object(&tree, (struct object){THE_ADAPTER, 0, 0, 0});
    for (unsigned device = options.devices; device-- > 0;) {
        put_object(&tree, (struct object){A_DEVICE, device, 0, 0});
        for (unsigned service = 2; devices[device].exported && service-- > 0;) {
            put_object(&tree, (struct object){A_SERVICE, device, service, 0});
            for (unsigned index = count_of(service); index-- > 0;) {
                put_object(&tree, (struct object){A_CHARACTERISTIC, device, service, index});
                if (service == 0 && index == NOTIFIED) put_object(&tree, (struct object){A_DESCRIPTOR, device, 0, 0});
            }
        }
    }
    dbus_message_iter_close_container(parent, &tree);
}

/* dbus-python takes the types of the arguments from this. */
static const char managers[] =
    "<interface name=\"" GATT_MANAGER "\"><method name=\"RegisterApplication\">"
    "<arg direction=\"in\" type=\"o\"/><arg direction=\"in\" type=\"a{sv}\"/></method></interface>"
    "<interface name=\"" ADVERTISING_MANAGER "\"><method name=\"RegisterAdvertisement\">"
    "<arg direction=\"in\" type=\"o\"/><arg direction=\"in\" type=\"a{sv}\"/></method></interface>";

/* What Introspect says of an object: its interface, and the names below it. The caller frees it. */
char *introspect(struct object object) {
    char *text = NULL, path[PATH_SIZE];
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    fprintf(file, "<node>");
    if (names[object.kind] != NULL) fprintf(file, "<interface name=\"%s\"/>", names[object.kind]);
    if (object.kind == THE_ADAPTER) fprintf(file, "%s", managers);
    if (object.kind == ROOT) fprintf(file, "<node name=\"org\"/>");
    if (object.kind == BLUEZ) fprintf(file, "<node name=\"hci0\"/>");
    for (unsigned device = 0; object.kind == THE_ADAPTER && device < options.devices; device++) {
        put_path(path, (struct object){A_DEVICE, device, 0, 0});
        fprintf(file, "<node name=\"%s\"/>", strrchr(path, '/') + 1);
    }
    for (unsigned service = 0; object.kind == A_DEVICE && devices[object.device].exported && service < 2; service++) {
        fprintf(file, "<node name=\"service%04x\"/>", service_handle(service));
    }
    for (unsigned index = 0; object.kind == A_SERVICE && index < count_of(object.service); index++) {
        fprintf(file, "<node name=\"char%04x\"/>", characteristic_handle(object.service, index));
    }
    if (object.kind == A_CHARACTERISTIC && object.service == 0 && object.characteristic == NOTIFIED) {
        fprintf(file, "<node name=\"desc%04x\"/>", characteristic_handle(0, NOTIFIED) + 2);
    }
    fprintf(file, "</node>");
    fclose(file);
    return text;
}
