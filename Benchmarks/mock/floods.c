/* What comes by itself: notifications and advertisements, at a rate or as fast as they are taken. */
#include "mock.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

/* Flat out, so much is handed to the bus before it is asked whether it has taken it. */
#define PASS 64

struct flood values, advertisements;
static DBusMessage **templates;
static unsigned template_count;

uint64_t nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void start(struct flood *flood, void (*send)(struct flood *), uint32_t count, uint32_t rate, uint32_t burst) {
    *flood = (struct flood){count, 0, rate, burst == 0 ? 1 : burst, nanoseconds(), send, -1};
}

static void send_signal(struct flood *flood) {
    send_message(dbus_message_copy(templates[flood->sent % template_count]));
}

static void send_packet(struct flood *flood) {
    static const uint8_t packet[VALUE_LENGTH] = "a notified value...";
    if (send(flood->socket, packet, sizeof packet, MSG_NOSIGNAL) < 0) flood->sent--, flood->left++;
}

/* From the device's own socket if that is acquired; otherwise from all subscribed devices in turn. */
void start_values(unsigned device, uint32_t count, uint32_t rate, uint32_t burst) {
    static const uint8_t value[VALUE_LENGTH] = "a notified value...";
    start(&values, send_signal, count, rate, burst);
    if (devices[device].notify_socket >= 0) {
        values.send = send_packet;
        values.socket = devices[device].notify_socket;
        return;
    }
    while (template_count > 0) dbus_message_unref(templates[--template_count]);
    if (templates == NULL) templates = calloc(options.devices, sizeof *templates);
    for (unsigned index = 0; index < options.devices; index++) {
        if ((devices[index].notifying & 1) == 0) continue;
        char path[PATH_SIZE];
        DBusMessageIter body, dictionary, invalidated;
        put_path(path, (struct object){A_CHARACTERISTIC, index, 0, NOTIFIED});
        DBusMessage *message = changed(path, CHARACTERISTIC, &body, &dictionary);
        put_bytes(&dictionary, "Value", value, VALUE_LENGTH);
        dbus_message_iter_close_container(&body, &dictionary);
        dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "s", &invalidated);
        dbus_message_iter_close_container(&body, &invalidated);
        templates[template_count++] = message;
    }
    if (template_count == 0) values.left = 0;
}

static void send_advertisement(struct flood *flood) {
    char path[PATH_SIZE];
    DBusMessageIter body, dictionary;
    unsigned index = flood->sent % options.devices;
    struct device *device = &devices[index];
    device->found = true;
    device->rssi = (int16_t)(device->rssi == -50 ? -60 : -50);
    put_path(path, (struct object){A_DEVICE, index, 0, 0});
    DBusMessage *message = changed(path, DEVICE, &body, &dictionary);
    put_number(&dictionary, "RSSI", DBUS_TYPE_INT16, &device->rssi);
    put_manufacturer_data(&dictionary, flood->sent);
    send_changed(message, &body, &dictionary);
}

/* A new address for each, and those of long ago go. */
static void send_address(struct flood *flood) {
    announce((struct object){A_DEVICE, options.devices + flood->sent, 0, 0});
    if (flood->sent >= options.alive) {
        withdraw((struct object){A_DEVICE, options.devices + flood->sent - options.alive, 0, 0});
    }
}

/* Advertisements of the first few devices, again and again, so that a scan finds them. */
static void find(struct flood *flood) {
    uint32_t sent = flood->sent;
    flood->sent %= options.found;
    send_advertisement(flood);
    flood->sent = sent;
}

void stop_discovery(void) { advertisements.left = 0; }

void start_discovery(void) {
    if (options.rotating > 0) {
        start(&advertisements, send_address, options.rotating, options.rate, options.burst);
    } else if (options.advertisements > 0) {
        start(&advertisements, send_advertisement, options.advertisements, options.rate, options.burst);
    } else {
        uint32_t rounds = options.found > 10 ? 50 : 500;
        start(&advertisements, find, UINT32_MAX, options.found * rounds, options.found);
    }
}

/* Sends what is due; returns whether it is flat out and has more. */
bool advance(struct flood *flood) {
    if (flood->left == 0) return false;
    uint64_t due = flood->left;
    if (flood->rate > 0) {
        uint64_t bursts = (nanoseconds() - flood->start) * flood->rate / flood->burst / 1000000000 + 1;
        uint64_t target = bursts * flood->burst;
        due = target > flood->sent ? target - flood->sent : 0;
    } else if (flood->socket < 0) {
        due = PASS;
    }
    for (; due > 0 && flood->left > 0; due--) {
        uint32_t before = flood->sent;
        flood->left--;
        flood->send(flood);
        flood->sent++;
        if (flood->sent == before) break; /* The socket is full. */
    }
    return flood->left > 0 && flood->rate == 0;
}

/* The nanoseconds until the next is due; -1 if nothing is to come by time. */
int64_t wait_of(const struct flood *flood) {
    if (flood->left == 0 || flood->rate == 0) return -1;
    uint64_t due = flood->start + (uint64_t)(flood->sent / flood->burst) * flood->burst * 1000000000 / flood->rate;
    uint64_t now = nanoseconds();
    return due > now ? (int64_t)(due - now) : 0;
}
