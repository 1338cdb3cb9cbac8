"""Other decoders of advertisements: each returns a dictionary of lists by name, empty if it refuses a payload."""

from collections import defaultdict
import json
import logging
import re

import TheengsDecoder
from atc_mi_interface import atc_mi_construct as atc_mi
from atc_mi_interface.atc_mi_adv_format import gatt_dict
from beacontools import parser as beacontools_parser
from bthome_ble import BTHomeBluetoothDeviceData
from habluetooth import BluetoothServiceInfoBleak
from ruuvitag_sensor.data_formats import DataFormats
from ruuvitag_sensor.decoder import get_decoder
from xiaomi_ble.parser import XiaomiBluetoothDeviceData

logging.disable(logging.CRITICAL)


def element(payload):
    """The element of the advertisement, with its length and type."""
    if payload.service:
        head = b"\x16" + bytes.fromhex(payload.service)[::-1]
    else:
        head = b"\xff" + payload.company.to_bytes(2, "little")
    return bytes([len(head + payload.data)]) + head + payload.data


# By the class of Home Assistant, with "?" for what is true or false and "!" for events. Others are in camel case.
HOME_ASSISTANT_NAMES = {
    "packet_id": "counter", "pm25": "pm2_5", "carbon_dioxide": "co2", "volatile_organic_compounds": "tvoc",
    "generic?": "on", "power?": "powerOn", "battery?": "batteryLow", "battery_charging?": "charging",
    "connectivity?": "connected", "door?": "doorOpen", "garage_door?": "garageDoorOpen", "gas?": "gasDetected",
    "heat?": "hot", "lock?": "unlocked", "moisture?": "wet", "plug?": "pluggedIn", "safety?": "safe",
    "window?": "windowOpen", "device_forcibly_removed?": "forciblyRemoved", "door_left_open?": "leftOpen",
    "pressure_present_duration": "durationDetected", "pressure_not_present_duration": "durationCleared",
}


def camel_case(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def home_assistant(device, payload):
    uuid = f"0000{payload.service}-0000-1000-8000-00805f9b34fb"
    update = device.update(BluetoothServiceInfoBleak(
        name=payload.name or payload.address, address=payload.address, rssi=-60, manufacturer_data={},
        service_data={uuid: payload.data}, service_uuids=[], source="", device=None, advertisement=None,
        connectable=False, time=0, tx_power=None))
    found = []
    for values, descriptions, mark in [(update.entity_values, update.entity_descriptions, ""),
                                       (update.binary_entity_values, update.binary_entity_descriptions, "?")]:
        for key, value in values.items():
            name, unit, number = descriptions[key].device_class.value + mark, "", value.native_value
            if mark == "" and descriptions[key].native_unit_of_measurement:
                unit = " " + descriptions[key].native_unit_of_measurement.value
            if unit == " mbar":
                unit, number = " Pa", number * 100
            if name == "timestamp":
                unit, number = " s", number.timestamp()
            found.append((key.key, HOME_ASSISTANT_NAMES.get(name, camel_case(name.rstrip("?"))) + unit, number))
    for key, event in update.events.items():
        properties = event.event_properties or {}
        # The arguments of a command are hexadecimal digits.
        numbers = [int(value[:2], 16) if isinstance(value, str) else value
                   for value in properties.values() if value != ""]
        name = key.key.partition("_")[0].replace("cube", "dimmer")
        found.append((key.key, name + "!", [event.event_type.removeprefix("motion_"), *numbers]))
    result = defaultdict(list)
    # The second value of a kind has a name that ends with _2.
    for _, name, value in sorted(found, key=lambda item: int(re.search(r"\d*$", item[0])[0] or 0)):
        if name != "signalStrength dBm":
            result[name].append(value)
    return result, update


def bthome_ble(payload):
    device = BTHomeBluetoothDeviceData(bindkey=payload.key)
    result, update = home_assistant(device, payload)
    if device.device_type_id is not None:
        result["deviceType"] = [device.device_type_id]
    version = update.devices[None].sw_version if None in update.devices else None
    if version and not version.startswith("BTHome"):
        result["firmwareVersion"] = [version]
    return result


def xiaomi_ble(payload):
    return home_assistant(XiaomiBluetoothDeviceData(bindkey=payload.key), payload)[0]


def renamed(values, names):
    """The values with our names and units; those without a name are dropped."""
    result = {}
    for name, value in values:
        ours, factor = names[name] if isinstance(names.get(name), tuple) else (names.get(name), None)
        if ours and value is not None:
            result.setdefault(ours, []).append(value * factor if factor else value)
    return result


# Names by those of the library, some with a factor.
RUUVITAG_SENSOR_NAMES = {
    "temperature": "temperature °C", "humidity": "humidity %", "pressure": ("pressure Pa", 100),
    "acceleration_x": ("accelerationX g", 0.001), "acceleration_y": ("accelerationY g", 0.001),
    "acceleration_z": ("accelerationZ g", 0.001), "battery": ("voltage V", 0.001), "tx_power": "txPower dBm",
    "movement_counter": "movementCount", "measurement_sequence_number": "counter", "mac": "address",
    "addressEnd": "addressEnd", "pm_1": "pm1 µg/m³", "pm_2_5": "pm2_5 µg/m³", "pm_4": "pm4 µg/m³",
    "pm_10": "pm10 µg/m³", "co2": "co2 ppm", "voc": "voc", "nox": "nox", "luminosity": "luminosity lx",
    "calibration_in_progress": "calibrating",
}


def ruuvitag_sensor(payload):
    part = element(payload)
    data_format, data = DataFormats.convert_data((bytes([len(part)]) + part).hex().upper())
    values = (get_decoder(data_format).decode_data(data) if data_format and data else None) or {}
    if data_format == 6 and values:
        values["addressEnd"] = values.pop("mac")
    return renamed(values.items(), RUUVITAG_SENSOR_NAMES)


BEACONTOOLS_NAMES = {
    "uuid": "uuid", "major": "major", "minor": "minor", "namespace": "namespace", "instance": "instance", "url": "url",
    "eid": "ephemeralIdentifier", "voltage": ("voltage V", 0.001), "temperature": "temperature °C",
    "advertising_count": "advertisingCount", "seconds_since_boot": ("uptime s", 0.1), "tx_power": "txPower dBm",
}


def beacontools(payload):
    packet = beacontools_parser.parse_packet(element(payload))
    values = {name.lstrip("_"): value for name, value in vars(packet).items()} if packet else {}
    if "eid" in values:
        values["eid"] = values["eid"].hex()
    result = renamed(values.items(), BEACONTOOLS_NAMES)
    if payload.company:
        result = {name.replace("txPower", "measuredPower"): value for name, value in result.items()}
    return result


THEENGS_NAMES = {
    "tempc": "temperature °C", "hum": "humidity %", "pres": ("pressure Pa", 100),
    "accx": ("accelerationX g", 1 / 9.80665), "accy": ("accelerationY g", 1 / 9.80665),
    "accz": ("accelerationZ g", 1 / 9.80665), "volt": "voltage V", "tx": "txPower dBm", "mov": "movementCount",
    "seq": "counter", "mac": "address", "uuid": "uuid", "major": "major", "minor": "minor",
    "txpower": "measuredPower dBm", "batt": "battery %", "moi": "moisture %", "lux": "illuminance lx",
    "fer": "conductivity µS/cm", "packet": "counter", "power": "powerOn", "open": "opening",
}


def theengs_decoder(payload):
    fields = {"id": payload.address, "name": payload.name}
    if payload.service:
        fields |= {"servicedatauuid": f"0x{payload.service}", "servicedata": payload.data.hex()}
    else:
        fields["manufacturerdata"] = (payload.company.to_bytes(2, "little") + payload.data).hex()
    values = json.loads(TheengsDecoder.decodeBLE(json.dumps(fields)) or "{}")
    if payload.service:
        # The frame's is only compared with the sender's.
        values.pop("mac", None)
    return renamed([(name.rstrip("_12"), value) for name, value in values.items()], THEENGS_NAMES)


ATC_MI_NAMES = {
    "temperature": "temperature °C", "humidity": "humidity %", "battery_level": "battery %", "battery_v": "voltage V",
    "counter": "counter", "packet_id": "counter", "conductivity": "conductivity µS/cm",
    "illuminance": "illuminance lx", "moisture_level": "moisture %", "switch": "powerOn", "opened": "opening",
    "input_gpio_value": "digitalInput", "out_gpio_trg_value": "digitalOutput",
}


def fields_of(container):
    """The fields of nested structures."""
    for name, value in container.items():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                yield from fields_of(item)
            else:
                yield name, item


def atc_mi_interface(payload):
    part = element(payload)
    for name, form in gatt_dict.items():
        if form["header"] == part[1:4] and form["length"] in (None, len(payload.data)):
            break
    else:
        return {}
    address = bytes.fromhex(payload.address.replace(":", ""))
    parsed = getattr(atc_mi, f"{name}_format").parse(part, mac_address=address, bindkey=payload.key or b"")
    return renamed(fields_of(parsed), ATC_MI_NAMES)
