"""Benchmarks/growth: what grows with what BlueZ knows, as tables with slopes."""

import argparse
import sys

import bench
import report


def parse():
    parser = argparse.ArgumentParser(
        prog="Benchmarks/growth",
        description="Shows how costs grow with the number of objects in BlueZ: memory, and instructions for a "
        "notification, for a subscription and for an address of a scan. A slope is the difference to the next smaller "
        "size.")
    parser.add_argument(
        "tables", nargs="*", metavar="TABLE", help=f"the tables to show: {', '.join(TABLES)}; all by default")
    parser.add_argument("--quick", action="store_true", help="uses a tenth of the sizes")
    arguments = parser.parse_args()
    unknown = set(arguments.tables) - set(TABLES)
    if unknown:
        parser.error(f"unknown table: {', '.join(sorted(unknown))}")
    return arguments


def print_growth(title, unit, slope_unit, sizes, series, factor=1, digits=1):
    """A line for each series; beneath it how much the number grows for one more.

    - series: name -> a number for each size; None where it could not be measured.
    - factor: a slope of 1 of the numbers is so many of the slope's unit.
    """
    rows = [(title, *(f"{size:,}" for size in sizes))]
    for name, numbers in series.items():
        rows.append((f"{name}, {unit}", *("-" if number is None else f"{number:,.{digits}f}" for number in numbers)))
        slopes = ["" for _ in sizes]
        for index in range(1, len(sizes)):
            if None not in (numbers[index], numbers[index - 1]):
                difference = (numbers[index] - numbers[index - 1]) / (sizes[index] - sizes[index - 1])
                slopes[index] = f"{difference * factor:,.2f}"
        rows.append((f"  slope, {slope_unit}", *slopes))
    print("\n" + report.table(rows), flush=True)


def measured(client, work, numbers, options, key):
    try:
        return bench.run(client, work, numbers, options, timeout=600)[-1][key]
    except bench.Failure as failure:
        print(f"  {client}, {work}: {failure}", file=sys.stderr)
        return None


def counted(client, work, short, long, numbers, options):
    try:
        return bench.slope(client, work, short, long, lambda _: options, numbers)
    except bench.Failure as failure:
        print(f"  {client}, {work}: {failure}", file=sys.stderr)
        return None


def megabytes(client, work, options):
    kilobytes = measured(client, work, (), options, "resident")
    return None if kilobytes is None else kilobytes / 1024


def memory_of_peripherals(scale):
    sizes = [1, 1000 // scale, 5000 // scale, 10_000 // scale]
    series = {}
    for name, client, work in (
        ("C", "C", "start"), ("CoreBlueZ, known to BlueZ", "CoreBlueZ", "start"),
        ("CoreBlueZ, with objects", "CoreBlueZ", "peripherals"), ("bleak, known to BlueZ", "bleak", "start"),
    ):
        series[name] = [megabytes(client, work, ("--devices", size)) for size in sizes]
    print_growth("Memory by peripherals", "MB", "kB each", sizes, series, 1024)


def memory_of_attributes(scale):
    devices = [1, 100 // scale, 500 // scale, 1000 // scale]
    sizes = [count * 30 for count in devices]
    series = {}
    for name, client, work in (
        ("C", "C", "start"), ("CoreBlueZ, known to BlueZ", "CoreBlueZ", "start"),
        ("bleak, known to BlueZ", "bleak", "start"),
    ):
        series[name] = [megabytes(client, work, ("--devices", count, "--attributes")) for count in devices]
    print_growth("Memory by attributes of 30 a peripheral", "MB", "kB each", sizes, series, 1024)
    devices = [1, 50 // scale, 200 // scale, 400 // scale]
    sizes = [count * 30 for count in devices]
    series = {"CoreBlueZ": [megabytes("CoreBlueZ", "discovered", ("--devices", count)) for count in devices]}
    print_growth("Memory by attributes, all connected and discovered", "MB", "kB each", sizes, series, 1024)


def notifications(scale):
    sizes = [1, 100 // scale, 1000 // scale]
    series = {}
    for client in ("C", "CoreBlueZ"):
        series[client] = [counted(client, "notifications", 500, 1500, lambda count: (count, 0, 1), ("--devices", size))
                          for size in sizes]
    print_growth("A notification, by peripherals known", "instructions", "each", sizes, series, digits=0)


def subscriptions(scale):
    sizes = [0, 100 // scale, 1000 // scale]
    series = {}
    for client in ("C", "CoreBlueZ"):
        series[client] = []
        for size in sizes:
            devices = size // 16 + 2
            options = ("--devices", devices)
            numbers = (lambda others: lambda count: (count, others))(size)
            series[client].append(counted(client, "subscription", 50, 150, numbers, options))
    title = "Subscribing and unsubscribing, by other subscriptions"
    print_growth(title, "instructions", "each", sizes, series, digits=0)


def addresses(scale):
    sizes = [1000 // scale, 10_000 // scale, 50_000 // scale, 100_000 // scale]
    memory, cpu = {}, {}
    for client in ("C", "CoreBlueZ", "bleak"):
        memory[client], cpu[client] = [], []
        for size in sizes:
            try:
                result = bench.run(client, "rotating", (size,), ("--rotating", size), timeout=600)[-1]
            except bench.Failure as failure:
                print(f"  {client}, rotating: {failure}", file=sys.stderr)
                result = {}
            memory[client].append(result["resident"] / 1024 if result else None)
            cpu[client].append(result["cpu"] * 1e3 if result else None)
    print_growth("A scan by rotating addresses, 1,000 alive", "MB", "kB each", sizes, memory, 1024)
    print_growth("A scan by rotating addresses, 1,000 alive", "CPU ms", "us each", sizes, cpu, 1000)
    sizes = [count // min(scale, 4) for count in (500, 2000, 4000, 8000)]
    series = {}
    for client in ("C", "CoreBlueZ"):
        series[client] = []
        for size in sizes:
            try:
                options = ("--rotating", size, "--alive", 250)
                series[client].append(bench.instructions(client, "rotating", (size,), options) / 1e6)
            except bench.Failure as failure:
                print(f"  {client}, rotating: {failure}", file=sys.stderr)
                series[client].append(None)
    title = "A scan by rotating addresses, 250 alive"
    print_growth(title, "million instructions", "thousand each", sizes, series, 1000)


TABLES = {
    "peripherals": memory_of_peripherals, "attributes": memory_of_attributes, "notifications": notifications,
    "subscriptions": subscriptions, "addresses": addresses,
}

chosen = parse()
for table in chosen.tables or TABLES:
    TABLES[table](10 if chosen.quick else 1)
