"""What people do with the readings: look at other times, pause, read values, name, watch and save."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from programs import wait_until
from stage import Stage, sensor, tag
from stream_tests import GRAPH, PRESSURE, TAG, barometer, points

READOUT = f"{GRAPH} .readout"


def kitchen(**more):
    return tag(TAG, "Kitchen", "barometer", "keys", **more)


def the_span_of_time_can_be_chosen(browser, _):
    with Stage(kitchen()) as stage:
        stage.remember([barometer(at) for at in range(0, 3000, 10)] + [barometer(at) for at in range(3000, 3301)])
        browser.visit(stage.url)
        points(browser, 181)
        browser.choose("1 min")
        points(browser, 61)
        assert "last minute" in browser.attribute(GRAPH, "aria-label")
        assert all(query["seconds"] == "180" for query in stage.histories)
        browser.choose("1 h")
        points(browser, 601)
        assert stage.histories[-1]["seconds"] == "3600"
        browser.choose("3 min")
        points(browser, 181)
        # The next reading pushes out the oldest.
        stage.read_all([barometer(3302)])
        points(browser, 180)


def a_pause_holds_the_graphs(browser, _):
    with Stage(kitchen()) as stage:
        stage.remember([barometer(at / 10) for at in range(500)])
        browser.visit(stage.url)
        points(browser, 500)
        browser.button("Pause")
        assert browser.attribute(".pause", "aria-pressed") == "true"
        # So much later that the page's memory is thinned out.
        stage.read_all([barometer(400 + at, 1040) for at in range(10)])
        browser.shows("1040.00", PRESSURE)
        browser.settle()
        points(browser, 500)
        browser.choose("1 min")
        browser.settle()
        points(browser, 500)
        browser.button("Pause")
        points(browser, 10)
        assert browser.attribute(".pause", "aria-pressed") == "false"


def clock(time):
    """Minute and second of a time of the stage, which begins at 14:13:20 UTC; the hour depends on the machine."""
    return f":{(800 + time) // 60:02}:{(800 + time) % 60:02}: "


def keys_read_values(browser, _):
    with Stage(kitchen()) as stage:
        stage.remember([barometer(40 + at, 1000 + at) for at in range(50)])
        browser.visit(stage.url)
        points(browser, 50)
        browser.script("document.querySelector(arguments[0]).focus()", GRAPH)
        assert browser.visible(READOUT) == []
        for key, pressure in ((Keys.ARROW_LEFT, 1049), (Keys.ARROW_LEFT, 1048), (Keys.ARROW_RIGHT, 1049),
                              (Keys.ARROW_RIGHT, 1049), (Keys.PAGE_UP, 1044), (Keys.HOME, 1000),
                              (Keys.ARROW_LEFT, 1000), (Keys.PAGE_DOWN, 1005), (Keys.END, 1049)):
            browser.press(key)
            text = f"{clock(40 + pressure - 1000)}pressure {pressure}.00 hPa"
            for selector in (READOUT, "#announcement"):
                assert browser.text(selector).endswith(text), (browser.text(selector), text)
        # It stays at its reading while time goes on.
        stage.read_all([barometer(90 + at, 1090) for at in range(5)])
        points(browser, 55)
        assert "pressure 1049.00 hPa" in browser.text(READOUT)
        marker = browser.script("""
            const line = document.querySelector(arguments[0] + ' .u-cursor-x').getBoundingClientRect();
            const over = document.querySelector(arguments[0] + ' .u-over').getBoundingClientRect();
            return (line.right - over.left) / over.width""", GRAPH)
        assert abs(marker - 175 / 180) < 0.01, marker
        browser.press(Keys.ESCAPE)
        assert browser.visible(READOUT) == []


def mouse_and_finger_read_values(browser, _):
    with Stage(kitchen()) as stage:
        stage.remember([barometer(at, 1000 + at) for at in range(181)])
        browser.visit(stage.url)
        points(browser, 181)
        over = browser.one(f"{GRAPH} .u-over")
        ActionChains(browser.driver).move_to_element(over).perform()
        browser.shows("pressure 1090.00 hPa", READOUT)
        browser.click("h1")
        wait_until(lambda: browser.visible(READOUT) == [], "no value without the mouse")

        box = browser.script("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()",
                             f"{GRAPH} .u-over")
        for share, pressure in ((0.25, 1045), (0.75, 1135)):
            kind = "touchStart" if share < 0.5 else "touchMove"
            browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
                {"x": box["x"] + box["width"] * share, "y": box["y"] + box["height"] / 2}]})
            wait_until(lambda: 0 <= abs(pressure - number(browser.text(READOUT))) <= 1, f"{pressure} under the finger")
        browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        assert browser.visible(READOUT) != [], "the value goes with the finger"


def number(text):
    words = text.split()
    return float(words[-2]) if len(words) > 1 else 0.0


def a_tag_gets_a_name(browser, _):
    with Stage(kitchen()) as stage:
        browser.visit(stage.owner)
        browser.button("Rename…")
        field = browser.one("dialog input")
        assert field.get_attribute("value") == "Kitchen"
        field.clear()
        field.send_keys("ö" * 33)
        browser.button("Rename")
        assert browser.visible("dialog") and stage.commands == [], "66 bytes"
        field.clear()
        field.send_keys("<b>Cellar</b>", Keys.ENTER)
        wait_until(lambda: stage.commands, "the command")
        assert stage.commands == [{"tag": TAG, "action": "rename", "name": "<b>Cellar</b>"}], stage.commands
        stage.show(tag(TAG, "<b>Cellar</b>", "barometer"))
        wait_until(lambda: browser.text(".tag .name") == "<b>Cellar</b>", "the new name")
        browser.button("Rename…")
        browser.one("dialog input").clear()
        browser.button("Rename")
        wait_until(lambda: len(stage.commands) == 2, "the second command")
        assert stage.commands[1]["name"] == ""


def set_alert(browser, **bounds):
    browser.click('[data-panel="barometer"] .actions button')
    for name, value in bounds.items():
        field = browser.one(f'dialog input[name="{name.replace("_", " ", 1)}"]')
        field.clear()
        field.send_keys(value)
    browser.button("Set alert")


def alerts_show_and_go(browser, _):
    heard = "window.heard = []; window.Notification = class { static permission = 'granted';" \
            "constructor(title, { body }) { heard.push(body); } }"
    with Stage(kitchen()) as stage:
        browser.visit(stage.url, heard)
        stage.read_all([barometer(0, 1000)])
        browser.shows("1000.00", PRESSURE)
        browser.choose("°F")
        set_alert(browser, Below_pressure_hpa="990", Above_temperature_celsius="77")
        assert browser.all(".alert") == [] and browser.text(".actions button") == "Alert set…"
        stage.read_all([(TAG, "barometer", 1, {"temperature_celsius": 25.2, "pressure_hpa": 989.9})])
        browser.shows("Kitchen: air pressure (pressure) is below 990.00 hPa", "#alerts")
        browser.shows("Kitchen: air temperature (air) is above 77.00 °F", "#alerts")
        assert all(node.get_attribute("role") == "alert" for node in browser.all(".alert"))
        assert browser.all('[data-tile="barometer"].alerting')
        assert len(browser.script("return heard")) == 2
        stage.read_all([barometer(2, 989.8)])
        wait_until(lambda: len(browser.all(".alert")) == 1, "one alert to go")
        assert len(browser.script("return heard")) == 2, "an alert is said again"
        browser.driver.refresh()
        browser.shows("below 990.00 hPa", "#alerts")
        stage.read_all([barometer(3, 990.1)])
        wait_until(lambda: browser.all(".alert") == [], "the alert to go")
        set_alert(browser, Below_pressure_hpa="995")
        browser.shows("below 995.00 hPa", "#alerts")
        stage.show(tag(TAG, "Kitchen", sensor("barometer", "off"), "keys"))
        wait_until(lambda: browser.all(".alert") == [], "the alert of a sensor that is off to go")
        assert stage.commands == []


def a_table_has_what_is_shown(browser, _):
    with Stage(kitchen()) as stage:
        stage.remember([barometer(0, 999.0), barometer(100, 1013.125), barometer(200, 1000)]
                       + [(TAG, "barometer", 201, {"temperature_celsius": -0.004, "pressure_hpa": None}),
                          (TAG, "keys", 202, {"left": True, "right": False})])
        browser.visit(stage.url)
        points(browser, 3)
        browser.click('[data-panel="barometer"] .actions button:last-child')
        text, name = browser.download()
        assert text == (
            "time,device,sensor,temperature_celsius,pressure_hpa\n"
            f"2026-09-21T14:15:00.000Z,{TAG},barometer,20.00,1013.13\n"
            f"2026-09-21T14:16:40.000Z,{TAG},barometer,20.00,1000.00\n"
            f"2026-09-21T14:16:41.000Z,{TAG},barometer,0.00,\n"), text
        assert name == "sensortag-B0B448ABAB50-barometer-20260921T141641Z.csv", name
        browser.click('[data-panel="keys"] .actions button')
        assert browser.download()[0] == (
            f"time,device,sensor,left,right\n2026-09-21T14:16:42.000Z,{TAG},keys,1,0\n")


def visitors_change_nothing_on_the_tag(browser, _):
    with Stage(kitchen(outputs=[])) as stage:
        browser.visit(stage.url)
        browser.shows("View only", "#status")
        allowed = {"Kitchen", "Barometer–", "Keys–", "Barometer", "Keys", "1 min", "3 min", "1 h", "Pause", "Alert…",
                   "CSV"}

        def enabled():
            return set(browser.script("""
                return [...document.querySelectorAll('.tag :is(button, input, a)')]
                    .filter((node) => node.checkVisibility() && !node.disabled)
                    .map((node) => node.textContent || node.parentElement.textContent)"""))
        # The tag arrives after the status.
        wait_until(lambda: enabled() == allowed, "what visitors may do", seconds=10)


TESTS = [the_span_of_time_can_be_chosen, a_pause_holds_the_graphs, keys_read_values, mouse_and_finger_read_values,
         a_tag_gets_a_name, alerts_show_and_go, a_table_has_what_is_shown, visitors_change_nothing_on_the_tag]
