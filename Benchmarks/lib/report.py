"""Numbers of several rounds, as a table."""

import statistics


def spread(values, digits):
    """The median and between which numbers the rounds were."""
    median = statistics.median(values)
    text = f"{median:,.{digits}f}"
    return text if len(values) == 1 else f"{text} ({min(values):,.{digits}f}..{max(values):,.{digits}f})"


def paired(values, others):
    """The ratio of the rounds that both have."""
    return [value / others[index] for index, value in values.items() if others.get(index)]


def table(rows):
    """Columns of equal width, the first to the left and the others to the right."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
        lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join(lines)


def case_table(case, numbers, failures):
    """One case: for each metric each client's median, and its ratio to C."""
    lines = [f"\n{case.title} ({case.name})"]
    for metric in case.metrics:
        rows = [(f"{metric.name}, {metric.unit}", "median (min..max)", "ratio to C")]
        base = numbers.get(case.runs[0].label, {}).get(metric.name, {})
        for run in case.runs:
            values = numbers.get(run.label, {}).get(metric.name, {})
            if not values:
                continue
            ratios = paired(values, base) if case.runs[0].client == "C" else []
            ratio = spread(ratios, 2) if ratios else "-"
            rows.append((run.label, spread(list(values.values()), metric.digits), ratio))
        lines.append(table(rows))
    for label, reason in failures.items():
        lines.append(f"  {label}: {reason}")
    return "\n".join(lines)
