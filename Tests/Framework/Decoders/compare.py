"""Compares BlueZAdvertisements with other decoders. usage: compare.py TESTS [COUNT [FORMAT...]]; see compare."""

from collections import Counter, defaultdict
import json
import os
import random
import subprocess
import sys
import tempfile

import payloads as make
import peers
from explanations import explanation

# The payloads of each format, and who else decodes them.
FORMATS = {
    "BTHome": (make.bthome(make.bthome_objects), [peers.bthome_ble]),
    "BTHome encrypted": (make.bthome(make.bthome_objects, True), [peers.bthome_ble]),
    "BTHome of pvvx": (make.bthome(make.bthome_pvvx_objects),
                       [peers.bthome_ble, peers.atc_mi_interface, peers.theengs_decoder]),
    "BTHome of pvvx encrypted": (make.bthome(make.bthome_pvvx_objects, True),
                                 [peers.bthome_ble, peers.atc_mi_interface]),
    "Ruuvi 3": (make.ruuvi(3), [peers.ruuvitag_sensor, peers.theengs_decoder]),
    "Ruuvi 5": (make.ruuvi(5), [peers.ruuvitag_sensor, peers.theengs_decoder]),
    "Ruuvi 6": (make.ruuvi(6), [peers.ruuvitag_sensor]),
    "Ruuvi E1": (make.ruuvi(0xE1), [peers.ruuvitag_sensor]),
    "iBeacon": (make.ibeacon, [peers.beacontools, peers.theengs_decoder]),
    "Eddystone": (make.eddystone, [peers.beacontools]),
    "MiBeacon": (make.mibeacon(make.mi_any, list(make.MI_PRODUCTS), 2), [peers.xiaomi_ble]),
    "MiBeacon with address": (make.mibeacon(make.mi_with_address, make.MI_OLD),
                              [peers.xiaomi_ble, peers.atc_mi_interface]),
    "MiBeacon encrypted": (make.mibeacon(make.mi_encrypted, make.MI_OLD), [peers.xiaomi_ble, peers.atc_mi_interface]),
    "MiBeacon encrypted 2, 3": (make.mibeacon(make.mi_legacy, list(make.MI_PRODUCTS)), [peers.xiaomi_ble]),
    "MiBeacon of old products": (make.mibeacon(make.mi_old, make.MI_OLD), [peers.xiaomi_ble, peers.theengs_decoder]),
    "ATC": (make.atc, [peers.atc_mi_interface, peers.theengs_decoder]),
    "ATC encrypted": (make.atc_encrypted(custom=False), [peers.atc_mi_interface]),
    "pvvx": (make.pvvx, [peers.atc_mi_interface, peers.theengs_decoder]),
    "pvvx encrypted": (make.atc_encrypted(custom=True), [peers.atc_mi_interface]),
}


def generate(name, is_mutated, count):
    """Payloads, always the same. A mutation changes what is encrypted, or the result."""
    numbers = random.Random(f"{name} {is_mutated}")

    def same(data):
        return data

    def change(data):
        return make.mutated(numbers, data)

    for _ in range(count):
        inner, outer = numbers.choice([(change, same), (same, change)]) if is_mutated else (same, same)
        yield FORMATS[name][0](numbers, inner, outer)


def decode(payloads):
    """What BlueZAdvertisements makes of the payloads: a dictionary of lists by name and unit for each."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "payloads")
        with open(path, "w", encoding="utf-8") as file:
            for payload in payloads:
                fields = {"service": payload.service, "company": payload.company, "data": payload.data.hex(),
                          "address": payload.address, "name": payload.name or None,
                          "key": payload.key.hex() if payload.key else None}
                file.write(json.dumps(fields) + "\n")
        subprocess.run(
            [sys.argv[1], "--testing-library", "swift-testing", "--filter", r"^BlueZAdvertisementsTests\.PayloadFile"],
            env={**os.environ, "COREBLUEZ_TEST_PAYLOADS": path}, check=True, capture_output=True)
        with open(path + ".decoded", encoding="utf-8") as file:
            for line in file:
                result = defaultdict(list)
                for name, value in json.loads(line):
                    result[name].append(value)
                yield result


def decode_by(peer, payload):
    try:
        return peer(payload)
    except Exception:
        # They raise exceptions of many kinds for what they cannot decode.
        return {}


# How far values may differ that a library rounds more than the format.
TOLERANCES = {
    ("Ruuvi 5", "ruuvitag_sensor", "temperature °C"): 0.00501, ("Ruuvi 5", "ruuvitag_sensor", "humidity %"): 0.00501,
    ("Ruuvi 6", "ruuvitag_sensor", "humidity %"): 0.000501, ("Ruuvi E1", "ruuvitag_sensor", "humidity %"): 0.000501,
}


def is_same(kind, ours, theirs):
    """Whether two values are the same, but for the format's resolution; that of Float is the coarsest of MiBeacon."""
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        relative = 1e-7 if kind[0].startswith("MiBeacon") else 1e-9
        return abs(ours - theirs) <= TOLERANCES.get(kind, relative * abs(ours))
    if kind[2] in ("address", "addressEnd", "uuid"):
        ours, theirs = (str(value).replace(":", "").replace("-", "").lower() for value in (ours, theirs))
    return ours == theirs


def differences(format_name, library, ours, theirs, known):
    """The names of the values that differ. Those that the other never has aren't compared.

    Of what ends too early or is wrong, BlueZAdvertisements gives what it could read, with the problem.
    """
    if "problem" in ours and not theirs:
        return
    for name in sorted(({*ours, *theirs} & {*known}) - {"problem"}):
        left, right = ours.get(name, []), theirs.get(name, [])
        # That of the encryption, which the others don't tell.
        if name == "counter" and not right:
            continue
        kind = format_name, library, name
        if len(left) != len(right) or not all(is_same(kind, *pair) for pair in zip(left, right)):
            yield name


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    names = sys.argv[3:] or list(FORMATS)
    everything = {(name, is_mutated): list(generate(name, is_mutated, count))
                  for name in names for is_mutated in (False, True)}
    decoded = decode([payload for payloads in everything.values() for payload in payloads])
    print("| Format | With | Payloads | Decoded by both | Equal | Explained | Unexplained |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    reasons, examples, failed = Counter(), defaultdict(list), []
    for (name, is_mutated), payloads in everything.items():
        ours = [next(decoded) for _ in payloads]
        for peer in FORMATS[name][1]:
            theirs = [decode_by(peer, payload) for payload in payloads]
            known = {key for values in theirs for key in values}
            both = sum(bool(left.keys() - {"problem"} and right) for left, right in zip(ours, theirs))
            tally = Counter()
            for payload, left, right in zip(payloads, ours, theirs):
                found = list(differences(name, peer.__name__, left, right, known))
                why = [explanation(name, peer.__name__, what, payload, left, right) for what in found]
                reasons.update((name, peer.__name__, reason) for reason in set(why) if reason)
                result = "equal" if not found else "explained" if all(why) else "unexplained"
                tally[result] += 1
                if result == "unexplained":
                    what = next(what for what, reason in zip(found, why) if not reason)
                    examples[name, peer.__name__, what].append((payload, left, right))
            kind = f"{count} mutations" if is_mutated else f"{count}"
            print(f"| {name} | {peer.__name__} | {kind} | {both} | {tally['equal']} | {tally['explained']} |"
                  f" {tally['unexplained']} |", flush=True)
            if tally["unexplained"] or not is_mutated and both < 0.8 * count:
                failed.append(f"{name} with {peer.__name__}")
    print("\n| Format | With | Differences | Reason |\n| --- | --- | --- | --- |")
    for (name, peer, reason), number in sorted(reasons.items()):
        print(f"| {name} | {peer} | {number} | {reason} |")
    for (name, peer, what), found in examples.items():
        print(f"\n{name}, {peer}: {what} differs {len(found)} times")
        for payload, left, right in found[:3]:
            print(f"  {payload.data.hex()} ({payload.plain.hex()}): {left.get(what)}, not {right.get(what)};"
                  f" {left.get('problem')}")
    if failed:
        sys.exit(f"Different without a reason, or too few decoded: {', '.join(dict.fromkeys(failed))}")
    print(f"\nTests: {sum(map(len, everything.values()))} payloads, with reasons for all differences")


main()
