"""How events and memory reach the tabs of a browser."""

import time

from programs import wait_until
from stage import Stage, tag

TAG = "B0:B4:48:AB:AB:50"
PRESSURE = '[data-value="pressure_hpa"]'
GRAPH = '[data-panel="barometer"] .graph'


def barometer(at, pressure=1000.0):
    return (TAG, "barometer", at, {"temperature_celsius": 20.0, "pressure_hpa": pressure})


def points(browser, count):
    """Waits until the first graph shows so many readings."""
    wait_until(lambda: browser.attribute(GRAPH, "data-points") == str(count),
               f"{count} points, not {browser.attribute(GRAPH, 'data-points')}")


def a_reload_shows_what_was_before(browser, _):
    with Stage(tag(TAG, "Kitchen", "barometer")) as stage:
        stage.remember([barometer(at, 1000 + at / 10) for at in range(100)])
        browser.visit(stage.owner)
        points(browser, 100)
        assert browser.text(PRESSURE) == "1009.90 hPa", browser.text(PRESSURE)
        stage.read_all([barometer(100, 1020)])
        points(browser, 101)
        browser.driver.refresh()
        points(browser, 101)
        assert browser.text(PRESSURE) == "1020.00 hPa", browser.text(PRESSURE)
        assert {query["seconds"] for query in stage.histories} == {"180"}, stage.histories
        browser.add_tab(stage.url)
        points(browser, 101)


def seven_tabs_share_one_stream(browser, _):
    with Stage(tag(TAG, "Kitchen", "barometer")) as stage:
        browser.visit(stage.owner)
        browser.one(PRESSURE)
        tabs = [browser.driver.current_window_handle] + [browser.add_tab(stage.url) for _ in range(6)]
        for number, handle in enumerate(tabs):
            browser.tab(handle)
            browser.shows("Kitchen", ".tag .name")
            stage.read_all([barometer(number, 1000 + number)])
            browser.shows(f"{1000 + number}.00", PRESSURE)
        browser.tab(tabs[0])
        browser.shows("1006.00", PRESSURE)
        assert len(stage.queries) == 1 and stage.queries[0]["token"], stage.queries
        for handle in tabs[1:]:
            browser.tab(handle)
            browser.driver.close()
        browser.tab(tabs[0])
        stage.read_all([barometer(10, 1010)])
        browser.shows("1010.00", PRESSURE)


def a_hidden_tab_without_a_worker_has_no_stream(browser, _):
    with Stage(tag(TAG, "Kitchen", "barometer")) as stage:
        browser.visit(stage.owner, "delete window.SharedWorker")
        stage.read_all([barometer(0, 1001)])
        browser.shows("1001.00", PRESSURE)
        hide = ("Object.defineProperty(document, 'visibilityState', { configurable: true, value: arguments[0] });"
                "document.dispatchEvent(new Event('visibilitychange'))")
        browser.script(hide, "hidden")
        wait_until(lambda: stage.streams == [], "the stream to end")
        stage.remember([barometer(1, 1002)])
        browser.script(hide, "visible")
        browser.shows("1002.00", PRESSURE)
        points(browser, 2)
        assert len(stage.streams) == 1


def a_refused_stream_says_why(browser, _):
    with Stage(tag(TAG, "Kitchen", "barometer")) as stage:
        stage.refusal = "Too many browsers look at this page"
        browser.visit(stage.url)
        browser.shows("Too many browsers look at this page", "#status")
        start = time.monotonic()
        stage.refusal = None
        browser.shows("Kitchen", ".tag .name")
        assert time.monotonic() - start > 5, "it did not wait"
        assert "Too many" not in browser.text("#status")


def another_run_drops_the_memory(browser, _):
    with Stage(tag(TAG, "Kitchen", "barometer")) as stage:
        stage.remember([barometer(at) for at in range(50)])
        browser.visit(stage.owner)
        points(browser, 50)
        stage.restart([barometer(100, 1030)])
        points(browser, 1)
        assert browser.text(PRESSURE) == "1030.00 hPa", browser.text(PRESSURE)


def a_lost_stream_gets_what_it_missed(browser, _):
    with Stage(tag(TAG, "Kitchen", "barometer")) as stage:
        stage.remember([barometer(at) for at in range(50)])
        browser.visit(stage.owner)
        points(browser, 50)
        # Before the page can ask for them.
        stage.remember([barometer(at) for at in range(50, 60)])
        stage.drop()
        points(browser, 60)
        stage.read_all([barometer(60)])
        points(browser, 61)


def the_memory_has_bounds(browser, _):
    """Two hours at the highest rate, and a history that is older and has doubles."""
    with Stage(tag(TAG, "Kitchen", "barometer")) as stage:
        browser.visit(stage.owner)
        all_, recent, first, doubles, last = browser.promise("""
            const { TagMemory } = await import("/memory.js");
            const memory = new TagMemory();
            const reading = (number) => ({ number, time: number * 100, sensor: "optical", values: { lux: number } });
            const history = Array.from({ length: 6000 }, (_, at) => reading(1 + at * 10));
            for (let number = 50000; number <= 72000; number += 1) memory.add(reading(number));
            memory.merge(history);
            memory.merge([...history, reading(71990), reading(71995)]);
            memory.add(reading(72000));
            const all = memory.readings("optical");
            const recent = all.filter(({ time }) => time > 7200000 - 180000);
            return [all.length, recent.length, all[0].time, all.length - new Set(all.map(({ number }) => number)).size,
                    memory.latest("optical").number];""")
        assert 5100 < all_ <= 3420 + 1850, all_
        assert recent == 1800 and doubles == 0 and last == 72000, (recent, doubles, last)
        assert 3600000 - 6000 <= first <= 3600000 + 6000, first


TESTS = [a_reload_shows_what_was_before, seven_tabs_share_one_stream, a_hidden_tab_without_a_worker_has_no_stream,
         a_refused_stream_says_why, another_run_drops_the_memory, a_lost_stream_gets_what_it_missed,
         the_memory_has_bounds]
