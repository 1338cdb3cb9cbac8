"""Compares gatt import with tshark. usage: compare_captures.py GATT CAPTURE..."""

import json
import subprocess
import sys

# What has a value, and where it begins: responses to reads and to parts of them, writes, prepared writes, commands,
# notifications and indications.
VALUES = {0x0B: 1, 0x0D: 1, 0x12: 3, 0x16: 5, 0x52: 3, 0x1B: 3, 0x1D: 3}
OPERATIONS = {"write": 0x12, "prepare": 0x16, "command": 0x52}


def output(*command):
    """What a command prints. tshark fails if a file is cut off, after it has printed what comes before."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if result.returncode != 0:
        print(f"  {result.stderr.decode().strip().splitlines()[-1]}")
    return result.stdout.decode()


def layer(layers, name):
    """A layer of tshark's JSON, which is a list if the packet has several."""
    found = layers.get(name, [])
    return found if isinstance(found, list) else [found]


def packets_of_tshark(path):
    """The frame, the bytes and the handles of each packet, by tshark's own reassembly."""
    text = output(
        "tshark", "-r", path, "-Y", "btatt && btl2cap.cid == 0x0004", "-T", "json", "-x", "--no-duplicate-keys",
        "-j", "frame btatt bthci_acl")
    for packet in json.loads(text or "[]"):
        layers = packet["_source"]["layers"]
        # Only whole packets are compared.
        if layers["frame"]["frame.cap_len"] != layers["frame"]["frame.len"]:
            continue
        raw = layers["btatt_raw"]
        # One packet is a list of five; several are a list of lists.
        for bytes_, fields in zip(raw if isinstance(raw[0], list) else [raw], layer(layers, "btatt")):
            handle = fields.get("btatt.handle")
            yield int(layers["frame"]["frame.number"]), bytes.fromhex(bytes_[0]), handle


def packets_of_gatt(gatt, path):
    for line in output(gatt, "import", "--packets", path).splitlines():
        number, _, _, bytes_ = line.split()
        yield int(number), bytes.fromhex(bytes_)


def values_of_tshark(packets):
    for _, data, handle in packets:
        if data[0] == 0x23:
            # Several notifications: handle, length and value of each.
            rest = data[1:]
            while len(rest) >= 4:
                end = 4 + int.from_bytes(rest[2:4], "little")
                yield 0x1B, int.from_bytes(rest[:2], "little"), rest[4:end].hex()
                rest = rest[end:]
        start = VALUES.get(data[0])
        if start is None:
            continue
        if start > 1:
            handle = int.from_bytes(data[1:3], "little")
        else:
            # Taken from the request by tshark; it has none if the capture lacks the request.
            if handle is None:
                continue
            handle = int((handle[0] if isinstance(handle, list) else handle), 16)
        yield data[0], handle, data[start:].hex()


def values_of_gatt(gatt, path):
    reads = {}
    for line in output(gatt, "import", path).splitlines()[1:]:
        event = json.loads(line)
        kind = event["event"]
        if kind == "value":
            yield 0x1D if event["by"] == "indication" else 0x1B, event["handle"], event["value"]
        elif kind == "request":
            if event["op"] in OPERATIONS:
                yield OPERATIONS[event["op"]], event["handle"], event["value"]
            elif event["op"] == "read" and "handle" in event:
                reads[event["n"]] = (0x0D if "offset" in event else 0x0B, event["handle"])
        elif kind == "response" and event["n"] in reads and "value" in event:
            yield *reads[event["n"]], event["value"]


def differences(name, ours, theirs):
    if ours == theirs:
        return 0
    for index, (left, right) in enumerate(zip(ours + [None], theirs + [None])):
        if left != right:
            print(f"  {name} {index}: gatt has {left}, tshark has {right}")
            break
    return 1


def main():
    gatt, *paths = sys.argv[1:]
    failures = 0
    for path in paths:
        theirs = list(packets_of_tshark(path))
        ours = list(packets_of_gatt(gatt, path))
        their_values = list(values_of_tshark(theirs))
        our_values = list(values_of_gatt(gatt, path))
        print(f"{path}: {len(theirs)} packets, {len(their_values)} values")
        failures += differences("packet", ours, [(number, data) for number, data, _ in theirs])
        # tshark shows the value of a response with its packet, and gatt as well.
        failures += differences("value", our_values, their_values)
    sys.exit(1 if failures else 0)


main()
