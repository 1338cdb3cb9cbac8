"""How the page looks, as far as a program can tell."""

import os

from selenium.webdriver.common.keys import Keys

import example
from programs import wait_until
from stage import Stage

SECOND = example.SECOND
TAG = f'[data-tag="{SECOND}"]'
# Device information closed, all sensors folded: the page's heading and one tag of the second generation.
GREATEST_HEIGHT = 850


def show(browser, stage, width=1400, address=None, height=1000):
    """Shows the example, with its graphs drawn."""
    browser.visit(address or stage.owner)
    browser.resize(width, height)
    browser.one(f"{TAG} .tile")
    browser.settle()


def every_graph_has_a_heading(browser, _):
    with Stage(*example.tags()) as stage:
        show(browser, stage)
        headings = browser.script("""
            return [...document.querySelectorAll(arguments[0] + ' .panel')].map((panel) => [panel.dataset.panel,
                [...panel.querySelectorAll('.measurement')].map((part) => {
                    const heading = part.querySelector('h4');
                    const isOver = heading.getBoundingClientRect().bottom
                        <= part.querySelector('.graph').getBoundingClientRect().top;
                    return isOver ? heading.textContent : 'none';
                })])""", TAG)
        assert dict(headings) == {
            "temperature": ["Temperature"], "humidity": ["Relative humidity", "Air temperature"],
            "barometer": ["Air pressure", "Air temperature"],
            "movement": ["Acceleration", "Rotation", "Magnetic field"],
            "optical": ["Illuminance"], "battery": ["Charge"], "keys": []}, headings


def folded(browser):
    """The sensors that are folded, by what people see and by what screen readers hear."""
    seen, heard = browser.script("""
        const tiles = [...document.querySelectorAll(arguments[0] + ' .tile')];
        const names = (wanted) => tiles.filter(wanted).map((tile) => tile.dataset.tile);
        return [names((tile) => document.getElementById(tile.getAttribute('aria-controls')).clientHeight === 0),
                names((tile) => tile.getAttribute('aria-expanded') === 'false')]""", TAG)
    assert seen == heard, (seen, heard)
    return seen


def sensors_and_tags_fold(browser, _):
    with Stage(*example.tags()) as stage:
        show(browser, stage)
        assert folded(browser) == []
        browser.click(f'{TAG} [data-tile="humidity"]')
        browser.one(f'{TAG} [data-panel="barometer"] .fold').send_keys(Keys.ENTER)
        assert folded(browser) == ["humidity", "barometer"]
        assert browser.script("return document.activeElement.dataset.tile") == "barometer"
        browser.driver.refresh()
        browser.one(f"{TAG} .tile")
        assert folded(browser) == ["humidity", "barometer"]
        browser.click(f'{TAG} [data-tile="humidity"]')
        assert folded(browser) == ["barometer"]

        browser.click(f"{TAG} h2 .fold")
        assert browser.visible(f"{TAG} .body") == []
        browser.driver.refresh()
        wait_until(lambda: browser.attribute(f"{TAG} h2 .fold", "aria-expanded") == "false", "the folded tag")
        assert browser.visible(f"{TAG} .body") == [] and len(browser.visible(".tag .body")) == 2

        browser.click(f"{TAG} h2 .fold")
        browser.resize(400)
        assert folded(browser) == ["temperature", "barometer", "movement", "optical", "battery", "keys"]


def a_telephone_shows_the_summary_first(browser, _):
    with Stage(example.tags()[1]) as stage:
        stage.remember(example.readings(0, 20))
        show(browser, stage, 400, height=900)
        browser.shows("hPa", f'{TAG} [data-tile="barometer"]')
        height, width = browser.script(
            "return [document.body.scrollHeight, document.documentElement.scrollWidth]")
        assert height <= GREATEST_HEIGHT, height
        assert width <= 400, width
        tops = browser.script("""
            return [".summary", ".toolbar", ".outputs"].map((part) =>
                document.querySelector(part).getBoundingClientRect().top)""")
        assert tops == sorted(tops) and tops[0] < 200, tops
        text = browser.text(f"{TAG} .summary")
        for value in (" °C", " %RH", " hPa", " g", " lx", "98 %", "Keys"):
            assert value in text, text
        assert len(browser.visible(f"{TAG} .tile")) == 7 and folded(browser) == example.NEW


SMALL_TARGETS = """
    return [...document.querySelectorAll('button, input, summary, select, a')].filter((node) => {
        const { width, height } = node.getBoundingClientRect();
        return node.checkVisibility() && (width < 44 || height < 44);
    }).map((node) => [node.outerHTML, node.getBoundingClientRect().toJSON()])"""


def fingers_find_every_target(browser, _):
    with Stage(example.tags()[0], example.troubled_tag()) as stage:
        show(browser, stage, 400)
        for tile in browser.all(".tile"):
            tile.click()
        browser.click(f"{TAG} summary")
        assert browser.visible("input[type=range]") and browser.visible(".download")
        for text in (None, "Forget…", "Rename…", "Alert…"):
            if text:
                browser.button(text)
            small = browser.script(SMALL_TARGETS)
            assert small == [], (text, small)
            if text:
                browser.button("Cancel")
        width = browser.script("return document.documentElement.scrollWidth")
        assert width <= 400, width


def style(browser, selector, *names):
    return browser.script(
        "const style = getComputedStyle(document.querySelector(arguments[0]));"
        "return arguments[1].map((name) => style[name])", selector, names)


def forgetting_asks_first(browser, _):
    with Stage(example.tags()[1]) as stage:
        show(browser, stage)
        look = ("color", "backgroundColor", "borderColor", "textDecorationLine")
        forget, disconnect = style(browser, f"{TAG} .danger", *look), style(browser, f"{TAG} .buttons button", *look)
        assert forget[0] != disconnect[0] and forget[2:] != disconnect[2:], (forget, disconnect)
        browser.button("Forget…")
        assert "Forget CC2650 SensorTag?" in browser.text("dialog[open] h2")
        assert browser.script("return document.activeElement.textContent") == "Cancel"
        browser.press(Keys.ESCAPE)
        wait_until(lambda: browser.all("dialog") == [], "the dialog to close")
        browser.button("Forget…")
        browser.button("Cancel")
        browser.button("Forget…")
        browser.button("Forget")
        wait_until(lambda: stage.commands, "the command")
        assert stage.commands == [{"tag": SECOND, "action": "forget"}], stage.commands


def what_cannot_be_pressed_looks_so(browser, _):
    with Stage(*example.tags()) as stage:
        look = ("opacity", "cursor")
        switch, button = f"{TAG} input[role=switch]", f"{TAG} .buttons button"
        show(browser, stage)
        key = style(browser, f"{TAG} .key", "borderTopWidth", "backgroundColor", "cursor")
        assert key == ["0px", "rgba(0, 0, 0, 0)", "auto"], key
        assert style(browser, button, "borderTopWidth") != ["0px"]
        for selector in (switch, button):
            assert style(browser, selector, *look) == ["1", "pointer"], selector
        show(browser, stage, address=stage.url)
        for selector in (switch, button, f"{TAG} input[type=range]"):
            opacity, cursor = style(browser, selector, *look)
            assert float(opacity) < 0.7 and cursor == "not-allowed", (selector, opacity, cursor)
        track = browser.script(
            "return getComputedStyle(document.querySelector(arguments[0]), '::before').borderTopStyle", switch)
        assert track == "dashed", track


def cards_have_no_holes(browser, _):
    """Each row of cards is full, the cards of a row end at the same height, and their graphs take all of it."""
    with Stage(*example.tags()) as stage:
        for width in (1400, 1000, 700):
            show(browser, stage, width)
            holes = browser.script("""
                const box = (node) => node.getBoundingClientRect();
                const found = [];
                for (const area of document.querySelectorAll('.panels')) {
                    const panels = [...area.children];
                    for (const panel of panels) {
                        const row = panels.filter((other) => Math.abs(box(other).top - box(panel).top) < 2);
                        const right = Math.max(...row.map((other) => box(other).right));
                        if (box(area).right - right > 2) found.push(`${panel.dataset.panel}: right`);
                        if (row.some((other) => Math.abs(box(other).bottom - box(panel).bottom) > 2))
                            found.push(`${panel.dataset.panel}: height`);
                        const graphs = [...panel.querySelectorAll('.graph')];
                        const bottom = Math.max(...graphs.map((graph) => box(graph).bottom));
                        if (graphs.length > 0 && box(panel.querySelector('.controls')).top - bottom > 20)
                            found.push(`${panel.dataset.panel}: below its graphs`);
                    }
                }
                return found;""")
            assert holes == [], (width, holes)


def pictures(browser, folder):
    """Pictures of the page at two widths, light and dark."""
    with Stage(*example.tags()) as stage:
        stage.remember(example.readings())
        for width in (1400, 400):
            show(browser, stage, width)
            for scheme in ("light", "dark"):
                browser.scheme(scheme)
                browser.picture(os.path.join(folder, f"page-{width}-{scheme}.png"), width)
    with Stage(example.troubled_tag()) as stage:
        stage.remember(example.readings())
        show(browser, stage, 400)
        for name in ("temperature", "movement", "barometer"):
            browser.click(f'{TAG} [data-tile="{name}"]')
        browser.picture(os.path.join(folder, "page-400-open.png"), 400)
        browser.resize(400, 800)
        browser.click(f'{TAG} [data-panel="barometer"] .actions button')
        browser.driver.save_screenshot(os.path.join(folder, "page-400-dialog.png"))


TESTS = [every_graph_has_a_heading, sensors_and_tags_fold, a_telephone_shows_the_summary_first,
         fingers_find_every_target, forgetting_asks_first, what_cannot_be_pressed_looks_so, cards_have_no_holes]
