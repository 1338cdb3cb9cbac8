"""Writes Tests/BlueZTraps.md from the output of test runs: traps.py SIMULATOR-LOG TABLE [LAB-LOG]."""

import re
import sys

# Number, name, and why the lab cannot bring it about; None if it can.
ROWS = [
    ("Bus and daemon", [
        (1, "Daemon absent or not allowed", None),
        (2, "bluetoothd restarts or crashes", None),
        (3, "Bus connection lost", "the guest's bus carries the lab itself"),
        (4, "Default timeout too short", None),
        (5, "Reply never sent", None),
        (6, "Mirror bookkeeping", "needs ten adapters and signals that bluetoothd never sends"),
    ]),
    ("Adapter", [
        (7, "Adapter unplugged", "the lab's adapter cannot be pulled out while its guest runs"),
        (8, "Powered off or rfkill in mid-session", "nothing in the lab switches the adapter's power"),
    ]),
    ("Scanning", [
        (9, "One session for each bus name; InProgress means three things", None),
        (10, "StopDiscovery errors that are no failures", None),
        (11, "A scan without a filter finds nothing", None),
        (12, "Filter merge, filter types, filter crash", None),
        (13, "Cached devices", None),
        (14, "RSSI rules", None),
        (15, "Advertisement data is merged", None),
        (16, "The device object vanishes before Connect", None),
        (17, "Scanning while connecting", None),
        (18, "Passive monitor silently refused", None),
    ]),
    ("Connection", [
        (19, "le-connection-abort-by-local is a catch-all", "needs a radio that loses links"),
        (20, "Connect says yes but there is no link", None),
        (21, "Texts of a busy or cancelled Connect", None),
        (22, "A dual-mode device is connected over BR/EDR", "the lab's peripherals are LE only"),
        (23, "A connection has no owner", None),
        (24, "Detecting a disconnection", None),
        (25, "A resolvable private address resolves", "the lab's peripherals have public addresses"),
    ]),
    ("Services", [
        (26, "ServicesResolved before the objects", None),
        (27, "Discovery fails, or the link drops on the way", "bluetoothd 5.66 itself dies of a link that drops then"),
        (28, "The tree changes while connected", None),
        (29, "Stale GATT cache", "needs a peripheral that changes its handles silently"),
        (30, "Services owned by plugins", "the lab's peripherals have none that 5.66 keeps for itself"),
        (31, "Duplicate UUIDs, handles", None),
    ]),
    ("Values", [
        (32, "Operations of one attribute at a time", None),
        (33, "Read echo", None),
        (34, "N subscribers, N copies", None),
        (35, "Conflicts of notify sessions", None),
        (36, "AcquireNotify", None),
        (37, "Notifications across a reconnection", None),
        (38, "Write type", None),
        (39, "Size, MTU, long values", None),
        (40, "Link loss, ATT time-out, security, pairing", None),
    ]),
    ("The peripheral role", [
        (41, "Who asks, and with which MTU", None),
        (42, "A long read is several reads", None),
        (43, "Prepared writes arrive merged", None),
        (44, "Error names by version", None),
        (45, "A handler that never responds", None),
        (46, "The kind of a write is not reported", None),
        (47, "Objects added after RegisterApplication are ignored", None),
        (48, "Notifications are not paced", None),
        (49, "Indications wait for their confirmation", None),
        (50, "StartNotify names no central; bonded centrals stay subscribed", None),
        (51, "What bluetoothd makes of an advertisement", None),
        (52, "An advertisement without room for flags crashes Linux", None),
        (53, "Properties that are ignored without --experimental", None),
        (54, "Several advertisements", None),
        (55, "An advertisement that is replaced during a link", None),
        (56, "bluetoothd restarts", None),
        (57, "The adapter is switched off and on", None),
        (58, "A service that goes while a request waits", None),
    ]),
]

RESULT = re.compile(r'Test "Row (\d+): (.+?)" (?:with \d+ test cases? )?(passed|failed|skipped)\b')


def results(path):
    """The tests of a log by row: {row: {name: "passed" | "failed" | "skipped"}}."""
    rows = {}
    with open(path, encoding="utf-8", errors="replace") as log:
        for line in log:
            for row, name, result in RESULT.findall(line):
                tests = rows.setdefault(int(row), {})
                # A test that ran twice counts by its worst run.
                if tests.get(name) != "failed":
                    tests[name] = result
    return rows


def verdict(tests):
    if not tests:
        return None
    if "failed" in tests.values():
        return "**fails**"
    if "passed" in tests.values():
        return "passes"
    return None


def version(path):
    with open(path, encoding="utf-8", errors="replace") as log:
        found = re.findall(r"^lab: bluetoothd ([0-9.]+):", log.read(), re.MULTILINE)
    return found[-1] if found else "unknown"


def old_column(table):
    """The lab's cells of the table as it is, for a run without the lab."""
    cells = {}
    try:
        with open(table, encoding="utf-8") as lines:
            for line in lines:
                parts = [part.strip() for part in line.strip().strip("|").split(" | ")]
                if len(parts) == 5 and parts[0].isdigit():
                    cells[int(parts[0])] = parts[4]
    except FileNotFoundError:
        pass
    return cells


def lab_cell(row, reason, lab, name, old):
    if lab is None:
        return old.get(row) or reason or "not run yet"
    result = verdict(lab.get(row))
    if result:
        return f"{result} ({name})"
    return reason or "no test of the lab yet"


def main():
    simulator = results(sys.argv[1])
    table = sys.argv[2]
    lab = results(sys.argv[3]) if len(sys.argv) > 3 else None
    name = version(sys.argv[3]) if lab is not None else ""
    old = old_column(table)
    missing, failing = [], []
    text = [
        "# BlueZ's traps",
        "",
        "What can go wrong between a BLE central and bluetoothd, and the tests that show that CoreBlueZ handles it.",
        "`Scripts/traps` generates this file from the output of a test run; do not edit it.",
        "",
    ]
    for group, rows in ROWS:
        text += [f"## {group}", "", "| Row | Trap | Tests | Simulator | Lab |", "| --- | --- | --- | --- | --- |"]
        for row, title, reason in rows:
            tests = simulator.get(row, {})
            result = verdict(tests)
            if result is None:
                missing.append(row)
            elif result != "passes":
                failing.append(row)
            names = "<br>".join(sorted(tests)) or "none yet"
            cell = lab_cell(row, reason, lab, name, old)
            if "fails" in cell:
                failing.append(row)
            text.append(f"| {row} | {title} | {names} | {result or 'none yet'} | {cell} |")
        text.append("")
    with open(table, "w", encoding="utf-8") as output:
        output.write("\n".join(text).rstrip("\n") + "\n")
    tested = sum(len(rows) for _, rows in ROWS) - len(missing)
    print(f"{table}: {tested} rows have tests; without: {missing or 'none'}; failing: {failing or 'none'}")
    return 1 if missing or failing else 0


sys.exit(main())
