"""Benchmarks/run: measures the library beside C over libdbus and beside other libraries, on one mock of bluetoothd."""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

import bench
import cases
import programs
import report

NAMES = [*(case.name for case in cases.CASES), "programs", "idle", "instructions", "system-calls"]


def parse():
    parser = argparse.ArgumentParser(
        prog="Benchmarks/run", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Compares CoreBlueZ with C over libdbus, bleak, simplepyble (SimpleBLE) and bleak-py (btleplug);\n"
        "as a peripheral, with C over libdbus and bluezero.\n"
        "Each run uses a new bus, and the clients take turns. Ratios compare runs of the same round.",
        epilog="Cases: " + " ".join(NAMES))
    parser.add_argument("cases", nargs="*", metavar="CASE", help="the cases to measure; all by default")
    parser.add_argument("--rounds", type=int, help="the number of rounds; 5 by default, 1 with --quick")
    parser.add_argument("--quick", action="store_true", help="uses a twentieth of the items, as a check")
    parser.add_argument("--clients", help="the clients to measure, separated by commas; all by default")
    parser.add_argument("--output", type=pathlib.Path, help="the file for the results, as JSON")
    parser.add_argument("--count", help="the work whose instructions are counted: " + ",".join(cases.COUNTED))
    parser.add_argument("--profiles", type=pathlib.Path, help="the folder for callgrind's profiles of that work")
    parser.add_argument("--list", action="store_true", help="prints the names of the selected cases")
    arguments = parser.parse_args()
    unknown = set(arguments.cases) - set(NAMES)
    if unknown:
        parser.error(f"unknown case: {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    arguments.cases = arguments.cases or NAMES
    if arguments.list:
        print(*arguments.cases)
        sys.exit()
    arguments.count = arguments.count.split(",") if arguments.count else list(cases.COUNTED)
    if unknown := set(arguments.count) - set(cases.COUNTED):
        parser.error(f"instructions of {', '.join(sorted(unknown))} are not counted")
    if arguments.profiles:
        arguments.profiles.mkdir(parents=True, exist_ok=True)
        os.environ["BENCHMARK_PROFILES"] = str(arguments.profiles.resolve())
    arguments.rounds = arguments.rounds or (1 if arguments.quick else 5)
    return arguments


def measure(case, arguments, clients):
    """All rounds of a case: label -> metric -> round -> number, and why a client has none."""
    numbers, failures, skipped = {}, {}, set()
    for index in range(arguments.rounds):
        turn = index % len(case.runs)
        for run in case.runs[turn:] + case.runs[:turn]:
            if run.client not in clients or run.label in skipped:
                continue
            count = max(100, case.count // 20) if arguments.quick else case.count
            count = case.quick if arguments.quick and case.quick else max(1, int(count * run.share))
            try:
                results = bench.run(run.client, run.work, (count, *case.numbers), case.options(count), timeout=120)
            except bench.Failure as failure:
                failures[run.label] = str(failure)
                if isinstance(failure, bench.Unsupported):
                    skipped.add(run.label)
                continue
            for metric in case.metrics:
                number = statistics.median(metric.compute(result) for result in results)
                numbers.setdefault(run.label, {}).setdefault(metric.name, {})[index] = number
    return numbers, failures


def count_all(title, table, count, digits, clients, is_quick):
    """Label -> client -> what `count` counts for one item."""
    results = {}
    others = ("CoreBlueZ", "CoreBluetooth", "bleak")
    rows = [(title, "C", *(cell for name in others for cell in (name, "ratio")))]
    for name, counted in table.items():
        found = {}
        for client, work in counted.works.items():
            if client not in clients:
                continue
            divisor = 4 if is_quick else 1
            try:
                found[client] = bench.slope(
                    client, work, counted.short // divisor, counted.long // divisor, counted.options, counted.numbers,
                    counted.items, count)
            except bench.Failure as failure:
                print(f"  {counted.label}, {client}: {failure}", flush=True)
        results[name] = {"title": counted.label, "counts": found}
        cells = [counted.label, f"{found['C']:,.{digits}f}" if "C" in found else "-"]
        for client in others:
            cells.append(f"{found[client]:,.{digits}f}" if client in found else "-")
            cells.append(f"{found[client] / found['C']:.2f}" if client in found and "C" in found else "-")
        rows.append(tuple(cells))
        print(f"  {' '.join(cells)}", file=sys.stderr, flush=True)
    print("\n" + report.table(rows))
    return results


def versions():
    """What was measured with."""
    def version(program):
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
        return done.stdout.splitlines()[0]

    daemon, swift = version("dbus-daemon"), version("swift")
    peers = (bench.PEERS / "requirements.txt").read_text(encoding="ascii").split()
    return {"kernel": platform.release(), "dbus": daemon.split()[-1], "swift": swift, "peers": peers}


def main():
    arguments = parse()
    clients = bench.commands()
    if arguments.clients:
        clients = {name: clients[name] for name in arguments.clients.split(",") if name in clients}
    results = {"versions": versions(), "rounds": arguments.rounds, "quick": arguments.quick, "cases": {}}

    output = arguments.output or bench.BUILD / "results.json"

    def keep():
        # After each case, so that a run that is ended loses only the case that was under way.
        output.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")

    for case in cases.CASES:
        if case.name in arguments.cases:
            numbers, failures = measure(case, arguments, clients)
            print(report.case_table(case, numbers, failures), flush=True)
            results["cases"][case.name] = {"title": case.title, "numbers": numbers, "failures": failures}
            keep()
    if "programs" in arguments.cases:
        results["programs"] = programs.compare(arguments.rounds)
        keep()
    if "idle" in arguments.cases:
        results["idle"] = programs.idle(clients, 5 if arguments.quick else 60)
        keep()
    if "instructions" in arguments.cases:
        chosen = {name: counted for name, counted in cases.COUNTED.items() if name in arguments.count}
        results["instructions"] = count_all(
            "Instructions (callgrind)", chosen, bench.instructions, 0, clients, arguments.quick)
        keep()
    if "system-calls" in arguments.cases:
        results["system-calls"] = count_all(
            "System calls (strace)", cases.SYSTEM_CALLS, bench.system_calls, 2, clients, arguments.quick)
    keep()
    print(f"\nThe results are in {output}.")


main()
