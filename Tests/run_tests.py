"""Runs tests, and once more, alone, those that failed. What passes then is listed as flaky.

usage: run_tests.py swift FOLDER NAME COMMAND [OPTION ...]  the tests that a command, such as `swift test`, runs
       run_tests.py bats FOLDER JOBS TESTS                  those of the folder TESTS
       run_tests.py flaky FOLDER                            lists the flaky tests; ends with 1 if there are too many

FOLDER keeps what a run leaves: `flaky.txt`, the events of Swift Testing, and reports of sanitizers and of crashes. What
fails twice, a crash, a sanitizer's report, a leak and a hang end the run with 1.
"""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from collections import Counter

MOST_FLAKY = 3
# Seconds in which no test begins or ends. A test of Scripts/faults takes longer.
LONGEST_SILENCE = float(os.environ.get("COREBLUEZ_TEST_SILENCE") or 600)
# What says how the tests run, and not which: (option, does a value follow?).
SELECTIONS = {"--filter": True, "--skip": True, "--skip-build": False}


class Reports:
    """Files in which sanitizers and Swift's runtime say what they found in any process that the tests start."""

    def __init__(self, folder, name):
        self.folder = folder / f"{name}-reports"
        self.folder.mkdir(parents=True, exist_ok=True)
        for file in self.folder.iterdir():
            file.unlink()
        self.environment = dict(os.environ)
        for name in ("ASAN", "LSAN", "TSAN"):
            options = [os.environ.get(f"{name}_OPTIONS"), f"log_path={self.folder / name.lower()}"]
            self.environment[f"{name}_OPTIONS"] = ":".join(filter(None, options))
        self.environment.setdefault("SWIFT_BACKTRACE", f"output-to={self.folder}")

    def text(self):
        return "\n".join(file.read_text(errors="replace") for file in sorted(self.folder.iterdir()))


class Events:
    """What Swift Testing wrote about a run."""

    def __init__(self, path):
        self.path, self.position = path, 0
        self.started, self.failures, self.skipped = [], {}, {}
        self.passed, self.is_over, self.hung = 0, False, []

    def read(self):
        """Takes what is new; whether there was anything."""
        try:
            with open(self.path, "rb") as file:
                file.seek(self.position)
                data = file.read()
        except FileNotFoundError:
            return False
        end = data.rfind(b"\n") + 1
        self.position += end
        for line in data[:end].splitlines():
            record = json.loads(line)
            if record["kind"] == "event":
                self.take(record["payload"])
        return end > 0

    def take(self, event):
        kind, test = event["kind"], event.get("testID", "")
        text = " ".join(message["text"] for message in event.get("messages", []))
        is_function = re.search(r"\(.*\)/", test)
        if kind == "testStarted" and is_function:
            self.started.append(test)
        elif kind == "testEnded" and is_function:
            self.started.remove(test)
            self.passed += test not in self.failures
        elif kind == "testSkipped":
            self.skipped[test] = text.rpartition(" skipped")[2].strip(':. "') or text
        elif kind == "issueRecorded" and not event["issue"]["isKnown"] and \
                event["issue"].get("severity", "error") == "error":
            self.failures.setdefault(test, []).append(text)
            # The limit of a test that sets one, in minutes.
            if "Time limit was exceeded" in text:
                self.hung.append(test)
        elif kind == "runEnded":
            self.is_over = True


def run(command, environment, has_progress):
    """The status of a command, or None if `has_progress` was false for too long."""
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    last = time.monotonic()
    try:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return process.wait(1)
            if has_progress():
                last = time.monotonic()
            elif time.monotonic() - last > LONGEST_SILENCE:
                return None
    finally:
        if process.poll() is None:
            # The tests run in process groups of their own. They remove their folders if they can.
            for name in ("-INT", "-KILL"):
                subprocess.run(["pkill", name, "--session", str(process.pid)], check=False)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(5)


def run_swift(command, events, environment):
    events.path.unlink(missing_ok=True)
    # Before the first event, the command may build.
    status = run([*command, "--event-stream-output-path", str(events.path)], environment,
                 lambda: events.read() or not events.path.exists())
    events.read()
    return status


def run_bats(command, logs, environment):
    # bats adds a line to the log of a run for each test that has ended. It waits for processes that a test leaves.
    size = [0]

    def has_progress():
        before, size[0] = size[0], sum(file.stat().st_size for file in logs.iterdir())
        return size[0] != before
    return run(command, environment, has_progress)


def without_selection(command):
    result, takes_value = [], False
    for word in command:
        if takes_value:
            takes_value = False
        elif word in SELECTIONS:
            takes_value = SELECTIONS[word]
        elif not word.startswith(("--filter=", "--skip=")):
            result.append(word)
    return result


def swift(folder, name, command):
    # A bundle runs beside another; `swift test` does not.
    is_bundle = command[0].endswith(".xctest")
    if is_bundle:
        command[1:1] = ["--testing-library", "swift-testing"]
    reports, events = Reports(folder, name), Events(folder / f"{name}.jsonl")
    status = run_swift(command, events, reports.environment)
    reasons = "; ".join(f"{count} {reason}" for reason, count in sorted(Counter(events.skipped.values()).items()))
    say(f"Tests: {events.passed} passed, {len(events.failures)} failed, {len(events.skipped)} skipped"
        + (f": {reasons}" if reasons else ""))
    if status is None:
        return failed(f"No test began or ended for {LONGEST_SILENCE:.0f} s. In progress:", events.started)
    if text := reports.text():
        return failed("A crash, or a sanitizer's report:", [text])
    # Without events, an option such as --help was asked for.
    if status == 0 and (events.is_over or not events.path.exists()):
        return 0
    for test, issues in events.failures.items():
        say(f"✘ {test}", *issues)
    if events.hung:
        return failed("These took too long:", events.hung)
    # An issue without a test belongs to no function that could run again.
    if status != 1 or not events.is_over or not events.failures or not all(events.failures):
        return failed(f"The run ended with {status}, not only because of tests that failed.", events.started)
    twice = []
    for test, issues in events.failures.items():
        say(f"\nOnce more, alone: {test}")
        alone = Events(folder / f"{name}-again.jsonl")
        again = [*without_selection(command), *([] if is_bundle else ["--skip-build"]),
                 "--filter", f"^{re.escape(test)}$"]
        status = run_swift(again, alone, reports.environment)
        if status == 0 and alone.passed == 1 and not reports.text():
            note(folder, test, "\n".join(issues))
        else:
            twice.append(test)
    return failed("Failed twice:", twice) if twice else 0


def bats(folder, jobs, tests):
    reports = Reports(folder, "bats")
    # bats writes there which tests have failed, if the folder is there.
    logs = pathlib.Path(tests) / ".bats/run-logs"
    logs.mkdir(parents=True, exist_ok=True)
    for file in logs.iterdir():
        file.unlink()
    command = ["bats", "--report-formatter", "tap", "--output", str(folder), "--recursive", tests]
    report = folder / "report.tap"
    report.unlink(missing_ok=True)
    status = run_bats([*command, "--jobs", jobs, "--no-parallelize-within-files"], logs, reports.environment)
    failures = read_tap(report)
    if text := reports.text():
        return failed("A crash, or a sanitizer's report:", [text])
    if status is None:
        return failed(f"No test ended for {LONGEST_SILENCE:.0f} s: bats waits for a process.", [])
    if status == 0:
        return 0
    hung = [name for name in failures if "# timeout after" in name]
    if hung or not failures:
        return failed(f"bats ended with {status}, not only because of tests that failed. These took too long:", hung)
    say(f"\nOnce more, alone: {', '.join(failures)}")
    status = run_bats([*command, "--filter-status", "failed"], logs, reports.environment)
    passed = re.findall(r"^ok ", report.read_text(errors="replace"), re.M)
    if status != 0 or len(passed) < len(failures) or reports.text():
        return failed("Failed twice:", [*read_tap(report), reports.text()])
    for name, text in failures.items():
        note(folder, name, text)
    return 0


def read_tap(report):
    """The tests of a report that failed, each with the lines below it. Two files may have a test of the same name."""
    failures, name = {}, None
    for line in report.read_text(errors="replace").splitlines() if report.exists() else ():
        if match := re.match(r"(not )?ok \d+ (.*)", line):
            name = match[2] if match[1] else None
            if name:
                failures.setdefault(name, "")
        elif name:
            failures[name] += line + "\n"
    return failures


def note(folder, test, text):
    with open(folder / "flaky.txt", "a", encoding="utf-8") as file:
        file.write(f"FLAKY {test}\n" + "".join(f"    {line}\n" for line in text.strip().splitlines()))


def flaky(folder):
    file = folder / "flaky.txt"
    text = file.read_text() if file.exists() else ""
    count = len(re.findall("^FLAKY ", text, re.M))
    if text:
        say(f"\nFailed once, and passed alone ({file}):", text)
    return failed(f"These are {count}, and {MOST_FLAKY} may be.", []) if count > MOST_FLAKY else 0


def failed(reason, lines):
    say(f"\n{reason}", *lines)
    return 1


def say(*lines):
    print("\n".join(lines), file=sys.stderr, flush=True)


def main():
    kind, folder, *rest = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    match kind:
        case "swift":
            return swift(folder, rest[0], rest[1:])
        case "bats":
            return bats(folder, *rest)
        case "flaky":
            return flaky(folder)
    sys.exit(__doc__)


signal.signal(signal.SIGINT, lambda *_: sys.exit(130))
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
sys.exit(main())
