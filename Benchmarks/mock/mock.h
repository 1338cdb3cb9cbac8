/* A fast mock of bluetoothd's D-Bus side: what is measured against it is the client and the bus, not the mock. */
#ifndef MOCK_H
#define MOCK_H

#include <dbus/dbus.h>
#include <stdbool.h>
#include <stdint.h>

#define SERVICE "org.bluez"
#define ADAPTER_PATH "/org/bluez/hci0"
#define ADAPTER "org.bluez.Adapter1"
#define DEVICE "org.bluez.Device1"
#define GATT_SERVICE "org.bluez.GattService1"
#define CHARACTERISTIC "org.bluez.GattCharacteristic1"
#define DESCRIPTOR "org.bluez.GattDescriptor1"
#define GATT_MANAGER "org.bluez.GattManager1"
#define ADVERTISING_MANAGER "org.bluez.LEAdvertisingManager1"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define MANAGER "org.freedesktop.DBus.ObjectManager"
#define INTROSPECTABLE "org.freedesktop.DBus.Introspectable"

/* What each device has: a service with 21 characteristics and one descriptor, and one with 6. */
#define FIRST_COUNT 21
#define SECOND_COUNT 6
#define OBJECTS_PER_DEVICE 30
#define VALUE_LENGTH 20
#define MTU 247
#define PATH_SIZE 96

enum { NOTIFIED = 0, READ_ONLY = 1, CONTROL = 2, WRITTEN = 3, STATUS = 4, FIRST_OF_MANY = 5 };

enum kind { NOTHING, ROOT, BLUEZ, THE_ADAPTER, A_DEVICE, A_SERVICE, A_CHARACTERISTIC, A_DESCRIPTOR };

/* An object, as its path says. */
struct object {
    enum kind kind;
    unsigned device;
    unsigned service;
    unsigned characteristic;
};

struct device {
    bool exported;
    bool connected;
    bool found;
    int notify_socket;
    int write_socket;
    uint32_t notifying;
    int16_t rssi;
};

/* What was asked for on the command line: --devices N and so on. */
struct options {
    /* C0:FF:EE:00:00:00 and so on, each with 2 services, 27 characteristics and a descriptor. */
    unsigned devices;
    /* So many of the first devices advertise during a scan. */
    unsigned found;
    /* Instead, so many advertisements are sent, of all devices in turn, `rate` per second and `burst` at a time. */
    unsigned advertisements;
    /* Instead, so many devices with new addresses are added; the last `alive` of them are kept. */
    unsigned rotating;
    unsigned alive;
    unsigned rate;
    unsigned burst;
    /* So often the first characteristic of the first registered application is read, `outstanding` reads at once. */
    unsigned reads;
    unsigned outstanding;
    /* That characteristic is subscribed to until so many values have arrived. */
    unsigned values;
    /* Whether the services of all devices except the first are in the tree at the start. */
    bool attributes;
};

/* How many writes have arrived. */
struct counts {
    uint32_t requests;
    uint32_t commands;
    uint32_t packets;
};

extern DBusConnection *bus;
extern struct options options;
extern struct device *devices;
extern struct counts counts;
extern bool discovering;

/* objects.c */
void put_path(char *path, struct object object);
struct object parse_path(const char *path);
const char *interface_of(enum kind kind);
void put_interfaces(DBusMessageIter *parent, struct object object);
void put_managed_objects(DBusMessageIter *parent);
void put_properties(DBusMessageIter *dictionary, struct object object, const char *only);
char *introspect(struct object object);

/* values.c */
void put_bare(bool bare);
unsigned bare_count(void);
void put_strings(DBusMessageIter *dictionary, const char *name, const char *const *values);
void put_string(DBusMessageIter *dictionary, const char *name, const char *value);
void put_bool(DBusMessageIter *dictionary, const char *name, bool value);
void put_number(DBusMessageIter *dictionary, const char *name, int type, const void *value);
void put_bytes(DBusMessageIter *dictionary, const char *name, const uint8_t *bytes, int count);
void put_manufacturer_data(DBusMessageIter *dictionary, uint32_t counter);
DBusMessage *changed(const char *path, const char *interface, DBusMessageIter *body, DBusMessageIter *dictionary);
void send_changed(DBusMessage *message, DBusMessageIter *body, DBusMessageIter *dictionary);
void send_message(DBusMessage *message);

/* methods.c */
void handle_call(DBusMessage *message);

/* gatt.c */
DBusMessage *call_characteristic(DBusMessage *message, struct object object, const char *member);
void drain_written(unsigned device);
void close_sockets(unsigned device);
bool has_sockets(void);

/* links.c */
void connect_device(DBusMessage *message, unsigned index);
void disconnect_device(DBusMessage *message, unsigned index);
void accept_link(unsigned index);
void announce(struct object object);
void withdraw(struct object object);

/* servers.c */
DBusMessage *call_gatt_manager(DBusMessage *message, const char *member);
void handle_answer(DBusMessage *message);

/* floods.c */
struct flood {
    uint32_t left;
    uint32_t sent;
    uint32_t rate;
    uint32_t burst;
    uint64_t start;
    void (*send)(struct flood *flood);
    int socket;
};
extern struct flood values, advertisements;
uint64_t nanoseconds(void);
void start_values(unsigned device, uint32_t count, uint32_t rate, uint32_t burst);
void start_discovery(void);
void stop_discovery(void);
bool advance(struct flood *flood);
int64_t wait_of(const struct flood *flood);

#endif
