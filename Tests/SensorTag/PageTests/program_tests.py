"""The page of the real program, on simulated tags."""

import datetime
import json
import re
import signal
import socket
import time

from programs import NamedTag, Page, Simulator, wait_until
from example import FIRST, SECOND

TAG = f'[data-tag="{FIRST}"]'


def number(text):
    """The number that a value begins with; None for none."""
    try:
        return float(text.split()[0])
    except (IndexError, ValueError):
        return None


def count(text):
    """The number in a text such as "Download 20 readings"; 0 without one."""
    return next((int(word) for word in text.split() if word.isdigit()), 0)


def connect(browser, *addresses):
    for address in addresses:
        browser.one(f'[data-tag="{address}"]')
        browser.script(
            "[...document.querySelectorAll(`[data-tag=\"${arguments[0]}\"] button`)]"
            ".find((button) => button.textContent === 'Connect').click()", address)
    for address in addresses:
        wait_until(lambda: browser.script(
            "return document.querySelector(`[data-tag=\"${arguments[0]}\"]`).dataset.link", address) == "connected",
            f"{address} to be connected")


def milliseconds(line):
    """The time of a line of a table."""
    return datetime.datetime.fromisoformat(line[0].replace("Z", "+00:00")).timestamp() * 1000


def compare_tables(browser, recorded, sensors):
    """Each reading of a recording is in the table that the page makes of its sensor."""
    header = recorded[0].split(",")
    for sensor in sensors:
        wanted = [line.split(",") for line in recorded[1:] if line.split(",")[2] == sensor]
        assert wanted, f"nothing was recorded of {sensor}"
        # By a real click: a browser asks before a page saves several files by itself.
        browser.click(f'{TAG} [data-panel="{sensor}"] .actions button:last-child')
        lines = [line.split(",") for line in browser.download()[0].splitlines()]
        columns = [header.index(name) for name in lines[0]]
        assert columns == sorted(columns), lines[0]
        for line in wanted:
            same = [other for other in lines[1:] if abs(milliseconds(other) - milliseconds(line)) <= 1]
            assert [line[column] for column in columns[1:]] in [other[1:] for other in same], (line, lines)


def values_appear_and_move(browser, programs):
    with Page(programs, "--simulate=cc2541,cc2650") as page:
        browser.visit(page.url)
        assert page.token not in browser.driver.current_url, "the secret stays in the address bar"
        connect(browser, FIRST, SECOND)
        shown = {FIRST: ["ambient_celsius", "pressure_hpa", "relative_humidity_percent", "x_g", "x_microtesla"],
                 SECOND: ["lux", "accelerometer_x_g", "gyroscope_x_degrees_per_second", "percent"]}
        for address, keys in shown.items():
            for key in keys:
                selector = f'[data-tag="{address}"] [data-value="{key}"]'
                wait_until(lambda: number(browser.text(selector)) is not None, f"a value of {key}")
        for address, key in ((FIRST, "x_g"), (SECOND, "accelerometer_x_g")):
            selector = f'[data-tag="{address}"] [data-value="{key}"]'
            first = browser.text(selector)
            wait_until(lambda: browser.text(selector) != first, f"{key} to move")
        wait_until(lambda: "experimental" in browser.text(f"{TAG} .information"), "the certification")
        wait_until(lambda: browser.text(f"{TAG} .orientation").count("°") == 2, "roll and pitch")
        wait_until(lambda: "pressed" in browser.text(f"{TAG} .key.pressed"), "a key that is pressed")

        celsius = number(browser.text(f'{TAG} [data-panel="barometer"] [data-value="temperature_celsius"]'))
        browser.choose("°F")
        fahrenheit = browser.text(f'{TAG} [data-panel="barometer"] [data-value="temperature_celsius"]')
        assert fahrenheit.endswith("°F") and abs(number(fahrenheit) - (celsius * 1.8 + 32)) < 2, fahrenheit
        browser.choose("atm")
        assert browser.text(f'{TAG} [data-value="pressure_hpa"]').endswith("atm")

        output = f'[data-tag="{SECOND}"] [data-output="red"]'
        browser.click(output)
        wait_until(lambda: browser.one(output).get_attribute("aria-pressed") == "true", "the red LED")
        assert browser.complaints() == [], browser.complaints()
        assert page.stop() == -signal.SIGINT
        wait_until(lambda: "cannot be reached" in browser.text("#status"), "the end to be shown")


def controls_reach_the_tag(browser, programs):
    with Simulator(programs, "cc2541") as simulator, \
            Page(programs, environment=simulator.bus) as page:
        browser.visit(page.url)
        connect(browser, FIRST)
        wait_until(lambda: number(browser.text(f'{TAG} [data-value="pressure_hpa"]')), "the pressure")
        assert simulator.read(FIRST, "f000aa42-0451-4000-b000-000000000000") == "01"
        browser.click(f'{TAG} [data-sensor="barometer"]')
        wait_until(lambda: simulator.read(FIRST, "f000aa42-0451-4000-b000-000000000000") == "00", "the barometer off")
        browser.click(f'{TAG} [data-sensor="barometer"]')
        wait_until(lambda: simulator.read(FIRST, "f000aa42-0451-4000-b000-000000000000") == "01", "the barometer on")

        slider = f'{TAG} [data-panel="humidity"] input[type=range]'
        browser.slide(slider, 500)
        wait_until(lambda: simulator.read(FIRST, "f000aa23-0451-4000-b000-000000000000") == "32", "a period of 500 ms")
        wait_until(lambda: "500 ms" in browser.text(f'{TAG} [data-panel="humidity"] .period'), "the period shown")

        browser.script(
            "document.querySelector(arguments[0]).click()", f'{TAG} [data-panel="gyroscope"] header button:not(.fold)')
        wait_until(lambda: "Calibrated: gyroscope" in browser.text(f"{TAG} .notice"), "the calibration")

        magnetometer = f'{TAG} [data-sensor="magnetometer"]'
        tab = browser.driver.current_window_handle
        browser.add_tab(page.url)
        wait_until(lambda: number(browser.text(f'{TAG} [data-value="x_g"]')) is not None, "the other's value")
        browser.click(magnetometer)
        browser.tab(tab)
        wait_until(lambda: not browser.one(magnetometer).is_selected(), "the other's switch")

        browser.button("Record")
        wait_until(lambda: count(browser.text(f"{TAG} .download")) > 20, "a recording")
        browser.button("Stop recording")
        path = browser.one(f"{TAG} .download").get_attribute("href").split(page.host)[1]
        status, text, headers = page.request(path)
        lines = text.splitlines()
        assert status == 200 and headers["Content-Disposition"].startswith("attachment"), (status, headers)
        assert lines[0].startswith("time,device,sensor,ambient_celsius"), lines[0]
        assert len(lines) > 20 and all(line.split(",")[1] == FIRST for line in lines[1:])
        compare_tables(browser, lines, ("temperature", "humidity", "accelerometer", "barometer", "gyroscope", "keys"))

        simulator.do("vanish")
        wait_until(lambda: browser.script(f"return document.querySelector('{TAG}').dataset.link") == "lost", "the loss")
        simulator.do("return")
        wait_until(lambda: browser.script(f"return document.querySelector('{TAG}').dataset.link") == "connected",
                   "the link to come back", 60)
        before = int(browser.one("#tags").get_attribute("data-received"))
        wait_until(lambda: int(browser.one("#tags").get_attribute("data-received")) > before + 5, "readings again")
        wait_until(lambda: simulator.read(FIRST, "f000aa23-0451-4000-b000-000000000000") == "32", "the period again")

        browser.button("Disconnect")
        wait_until(lambda: not browser.all(f"{TAG} .panel"), "the panels to go")
        assert browser.complaints() == [], browser.complaints()


def markup_in_a_name_stays_text(browser, programs):
    name = "<img src=x onerror=alert(1)>"
    with NamedTag(programs, name) as tag, Page(programs, environment=tag.bus) as page:
        browser.visit(page.url)
        wait_until(lambda: browser.text(".tag .name") == name, "the name")
        assert browser.all(".tag img") == []
        assert browser.driver.title == "SensorTags"


def strangers_are_refused(browser, programs):
    with Page(programs, "--simulate=cc2650") as page:
        command = {"tag": SECOND, "action": "connect"}
        good = {"Content_Type": "application/json", "X_Token": page.token}
        assert page.request("/")[0] == 200
        assert page.request("/", Host="evil.example")[0] == 403
        assert page.request("/events", Host="evil.example")[0] == 403
        assert page.request("/events", Origin="http://evil.example")[0] == 403
        assert page.request("/command", "POST", command, **good, Host="evil.example")[0] == 403
        assert page.request("/command", "POST", command, **good, Origin="http://evil.example")[0] == 403
        assert page.request("/command", "POST", command, Content_Type="application/json")[0] == 403
        assert page.request("/command", "POST", command, **{**good, "X_Token": "0" * 32})[0] == 403
        assert page.request("/command", "POST", command, Content_Type="text/plain", X_Token=page.token)[0] == 400
        assert page.request("/command", "POST", {"tag": "x" * 5000}, **good)[0] == 413
        assert page.request("/command", "POST", {"tag": "nobody", "action": "connect"}, **good)[0] == 409
        assert page.request("/command", "PUT", command, **good)[0] == 405
        assert page.request("/../../../etc/passwd")[0] == 404
        assert page.request("/recordings/../../etc/passwd")[0] == 404
        policy = page.request("/")[2]["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'") and "unsafe" not in policy, policy
        wait_until(lambda: page.request("/command", "POST", command, **good)[0] == 202, "the command to be accepted")
        with socket.create_connection(page.host.split(":")) as listener:
            assert listener.getsockname()[0] == "127.0.0.1"


def without_the_secret_the_page_only_shows(browser, programs):
    with Page(programs, "--simulate=cc2541") as page:
        browser.visit(page.url.split("#")[0])
        browser.one(TAG)
        assert "View only" in browser.text("#status")
        assert all(not button.is_enabled() for button in browser.all(f"{TAG} .buttons button"))


def a_taken_port_is_a_clear_message(browser, programs):
    with Page(programs, "--simulate=cc2541") as page:
        port = page.host.split(":")[1]
        try:
            Page(programs, "--simulate=cc2541", "--port", port)
        except AssertionError as error:
            assert f"Another program uses port {port};" in str(error), error
        else:
            raise AssertionError("two programs serve one port")


def the_end_switches_off(browser, programs):
    with Simulator(programs, "cc2541") as simulator:
        with Page(programs, environment=simulator.bus) as page:
            wait_until(lambda: page.command(tag=FIRST, action="connect") == 202, "the tag")
            configuration = "f000aa42-0451-4000-b000-000000000000"
            wait_until(lambda: simulator.read(FIRST, configuration) == "01", "the barometer on")
            assert page.stop(signal.SIGTERM) == -signal.SIGTERM
        assert simulator.read(FIRST, configuration) == "00"


class SleepingReader:
    """A browser that takes nothing until `skipped` is called."""

    def __init__(self, host):
        name, port = host.split(":")
        self.connection = socket.socket()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.connection.connect((name, int(port)))
        self.connection.sendall(f"GET /events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())

    def skipped(self, seconds=60):
        """How many readings it missed, as the first event after the gap says; 0 if there was no such event."""
        self.connection.settimeout(seconds)
        deadline = time.monotonic() + seconds
        rest = b""
        while time.monotonic() < deadline:
            rest = rest[-64:] + self.connection.recv(65536)
            match = re.search(rb'"skipped":([1-9][0-9]*)', rest)
            if match:
                return int(match.group(1))
        return 0


def four_tags_at_full_speed(browser, programs, minutes):
    with Page(programs, "--simulate=cc2541,cc2650,cc2541,cc2650") as page:
        browser.visit(page.url)
        slow = SleepingReader(page.host)
        tags = [FIRST, SECOND, "BC:6A:29:AB:AB:51", "B0:B4:48:AB:AB:51"]
        connect(browser, *tags)
        for tag in tags:
            for sensor in ("temperature", "accelerometer", "humidity", "magnetometer", "barometer", "gyroscope",
                           "movement", "optical"):
                period = 300 if sensor == "temperature" else 100
                page.command(tag=tag, action="period", sensor=sensor, milliseconds=period)
        start = time.monotonic()
        received = int(browser.one("#tags").get_attribute("data-received"))
        cpu = page.memory()[1]
        while time.monotonic() - start < minutes * 60:
            time.sleep(5)
        peak, end_cpu = page.memory()
        seconds = time.monotonic() - start
        list_ = browser.one("#tags")
        total = int(list_.get_attribute("data-received")) - received
        print(f"{total} readings in {seconds:.0f} s ({total / seconds:.0f} a second); "
              f"missing {list_.get_attribute('data-missing')}, skipped {list_.get_attribute('data-skipped')}; "
              f"CPU {100 * (end_cpu - cpu) / seconds:.1f} %, peak memory {peak:.1f} MB; "
              f"a browser that slept missed {slow.skipped()}", flush=True)
        assert list_.get_attribute("data-missing") == "0"
        assert list_.get_attribute("data-skipped") == "0"


def a_reload_and_seven_tabs_have_the_memory(browser, programs):
    def shown():
        return int(browser.attribute(f'[data-tag="{SECOND}"] [data-panel="temperature"] .graph', "data-points") or 0)

    def is_complete():
        """Whether the graph has all readings; the last one may be on its way."""
        readings = json.loads(page.request(f"/history?tag={SECOND}&seconds=180")[1])["readings"]
        return shown() >= sum(reading["sensor"] == "temperature" for reading in readings) - 1

    with Page(programs, "--simulate=cc2650") as page:
        browser.visit(page.url)
        connect(browser, SECOND)
        wait_until(lambda: shown() > 2, "readings")
        browser.driver.refresh()
        wait_until(is_complete, "the readings of before")
        tabs = [browser.driver.current_window_handle] + [browser.add_tab(page.url) for _ in range(6)]
        for tab in tabs:
            browser.tab(tab)
            wait_until(is_complete, "all readings in each tab")
            received = int(browser.attribute("#tags", "data-received"))
            wait_until(lambda: int(browser.attribute("#tags", "data-received")) > received, "readings go on")
        assert browser.attribute("#tags", "data-missing") == "0"
        assert browser.complaints() == [], browser.complaints()


def a_name_stays_with_the_tag(browser, programs):
    with Page(programs, "--simulate=cc2650") as page:
        browser.visit(page.url)
        own = browser.one(".tag .name").text
        for name, shown in (("Kitchen & cellar", "Kitchen & cellar"), ("", own)):
            browser.button("Rename…")
            browser.one("dialog input").clear()
            browser.one("dialog input").send_keys(name)
            browser.button("Rename")
            wait_until(lambda: browser.text(".tag .name") == shown, f"the name {shown}")


TESTS = [values_appear_and_move, controls_reach_the_tag, a_reload_and_seven_tabs_have_the_memory,
         a_name_stays_with_the_tag, markup_in_a_name_stays_text, strangers_are_refused,
         without_the_secret_the_page_only_shows, a_taken_port_is_a_clear_message, the_end_switches_off]
