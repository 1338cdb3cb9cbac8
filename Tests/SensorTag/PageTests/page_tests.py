"""The page in a real browser.

    page_tests.py PROGRAMS [--only TEST]
    page_tests.py PROGRAMS --pictures FOLDER
    page_tests.py PROGRAMS --long MINUTES     four tags at full speed, counted
"""

import argparse
import sys
import time

import access_tests
import layout_tests
import program_tests
import reading_tests
import stranger_tests
import stream_tests
from browser import Browser

TESTS = [test for module in (stream_tests, layout_tests, reading_tests, access_tests, program_tests,
                               stranger_tests)
         for test in module.TESTS]


def run(browser, programs, only):
    """Runs the tests; returns how many failed."""
    failures = 0
    for test in TESTS:
        if only and only not in (test.__name__, test.__module__):
            continue
        start = time.monotonic()
        try:
            test(browser, programs)
            print(f"ok {test.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as error:
            failures += 1
            print(f"not ok {test.__name__}: {type(error).__name__}: {error}", flush=True)
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--pictures")
    parser.add_argument("--long", type=float)
    parser.add_argument("--only")
    arguments = parser.parse_args()
    browser = Browser()
    failures = 0
    try:
        if arguments.long:
            program_tests.four_tags_at_full_speed(browser, arguments.programs, arguments.long)
        elif arguments.pictures:
            layout_tests.pictures(browser, arguments.pictures)
        else:
            failures = run(browser, arguments.programs, arguments.only)
    finally:
        browser.close()
    sys.exit(1 if failures else 0)


main()
