"""Scripts/check-speed: compares instructions of the library to those of C with the ratios that are recorded."""

import argparse
import concurrent.futures
import pathlib
import sys

import bench
import cases
import report

RECORD = pathlib.Path(__file__).resolve().parent.parent / "ratios.txt"
HEADER = """# Instructions of CoreBlueZ to those of a client in C over libdbus that does the same work, by callgrind.
# Scripts/check-speed compares with these; Scripts/check-speed --record writes them.
"""
GUARDED = {
    "notification": "a notification that a handler takes",
    "sequence": "a notification that a `for await` takes",
    "read": "a read",
    "object": "an object of the tree",
    "served-read": "a read that a central makes",
    "served-value": "a notification to a central",
}
# What a ratio may grow by.
MARGIN = 0.03


def recorded():
    """The ratios of the file, by name."""
    if not RECORD.exists():
        return {}
    lines = (line.split() for line in RECORD.read_text(encoding="ascii").splitlines() if not line.startswith("#"))
    return {fields[0]: float(fields[1]) for fields in lines if fields}


def measure():
    """Instructions of each kind of work: name -> client -> number. Runs go side by side, which changes no count."""
    jobs = {}
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for name in GUARDED:
            counted = cases.COUNTED[name]
            for client in ("C", "CoreBlueZ"):
                # The work in C is the same for the handler and the sequence.
                key = (client, counted.works[client])
                if key not in jobs:
                    jobs[key] = pool.submit(
                        bench.slope, client, counted.works[client], counted.short, counted.long, counted.options,
                        counted.numbers, counted.items)
        return {name: {client: jobs[client, work].result() for client, work in cases.COUNTED[name].works.items()
                       if (client, work) in jobs}
                for name in GUARDED}


def main():
    parser = argparse.ArgumentParser(
        prog="Scripts/check-speed",
        description="Fails if the instructions for a notification, a read or an object of the tree have grown by "
        f"more than {MARGIN:.0%}, as a ratio to C over libdbus.")
    parser.add_argument("--record", action="store_true", help="writes the ratios to Benchmarks/ratios.txt")
    arguments = parser.parse_args()
    before = {} if arguments.record else recorded()
    if not arguments.record and set(before) != set(GUARDED):
        sys.exit(f"{RECORD} lacks ratios: write them with Scripts/check-speed --record.")
    counts = measure()
    ratios = {name: found["CoreBlueZ"] / found["C"] for name, found in counts.items()}
    rows = [("Instructions for", "C", "CoreBlueZ", "ratio", "recorded", "change")]
    for name, ratio in ratios.items():
        old = before.get(name)
        rows.append((
            GUARDED[name], f"{counts[name]['C']:,.0f}", f"{counts[name]['CoreBlueZ']:,.0f}", f"{ratio:.3f}",
            f"{old:.3f}" if old else "-", f"{ratio / old - 1:+.1%}" if old else "-"))
    print(report.table(rows))
    if arguments.record:
        text = "".join(f"{name} {ratio:.3f}\n" for name, ratio in ratios.items())
        RECORD.write_text(HEADER + text, encoding="ascii")
        print("Recorded in Benchmarks/ratios.txt. Commit it, and say in the message why the ratios changed.")
        return
    slower = [GUARDED[name] for name, ratio in ratios.items() if ratio > before[name] * (1 + MARGIN)]
    faster = [GUARDED[name] for name, ratio in ratios.items() if ratio < before[name] * (1 - MARGIN)]
    if faster:
        print(f"Faster by more than {MARGIN:.0%}: {', '.join(faster)}.")
        print("To hold it, record it: Scripts/check-speed --record")
    if slower:
        sys.exit(
            f"Slower by more than {MARGIN:.0%}: {', '.join(slower)}.\n"
            "Find out where: Benchmarks/README.md says how to take a profile. If it has to be so, record it with\n"
            "Scripts/check-speed --record and say why in the commit.")


try:
    main()
except bench.Failure as failure:
    sys.exit(f"Scripts/check-speed: {failure}")
