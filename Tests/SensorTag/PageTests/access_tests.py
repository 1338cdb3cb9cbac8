"""Whether people who use a keyboard or a screen reader can use the page."""

import importlib.util
import pathlib

from selenium.webdriver.common.keys import Keys

import example
from layout_tests import TAG, show
from stage import Stage

AXE = pathlib.Path(importlib.util.find_spec("axe_playwright_python").origin).with_name("axe.min.js")


def violations(browser, part="html"):
    """What axe finds in a part of the page."""
    browser.script("if (!window.axe) { " + AXE.read_text() + " }")
    return browser.promise("""
        const { violations } = await axe.run(arguments[0]);
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) =>
            `${id}: ${html.slice(0, 200)} ${any.map(({ message }) => message).join(" ")}`));""", part)


def axe_finds_nothing(browser, _):
    with Stage(example.tags(link="lost")[0], example.troubled_tag()) as stage:
        stage.remember(example.readings(110, 200))
        for address, width in ((stage.owner, 1400), (stage.url, 1400), (stage.owner, 400)):
            show(browser, stage, width, address)
            for scheme in ("light", "dark"):
                browser.scheme(scheme)
                browser.settle()
                found = violations(browser)
                assert found == [], (address, width, scheme, found)
        for text in ("Forget…", "Rename…", "Alert…"):
            if text == "Alert…":
                browser.click(f'{TAG} [data-tile="movement"]')
                browser.click(f'{TAG} [data-panel="movement"] .actions button')
            else:
                browser.button(text)
            for scheme in ("light", "dark"):
                browser.scheme(scheme)
                found = violations(browser, "dialog")
                assert found == [], (text, scheme, found)
            browser.button("Cancel")


def the_alert_has_no_violation(browser, _):
    with Stage(example.tags()[1]) as stage:
        stage.remember(example.readings(110, 200))
        show(browser, stage)
        browser.script("localStorage.setItem('alerts', JSON.stringify({ [arguments[0]]: "
                       "{ 'barometer.pressure_hpa': { high: 900 } } }))", example.SECOND)
        browser.driver.refresh()
        browser.shows("is above 900.00 hPa", "#alerts")
        browser.press(Keys.TAB)
        for scheme in ("light", "dark"):
            browser.scheme(scheme)
            browser.settle()
            found = violations(browser)
            assert found == [], (scheme, found)


def the_keyboard_reaches_everything(browser, _):
    with Stage(*example.tags()) as stage:
        stage.remember(example.readings(110, 120))
        show(browser, stage)
        wanted = browser.script("""
            window.wanted = [...document.querySelectorAll('button, input, summary, a, .graph')].filter((node) =>
                node.checkVisibility() && !node.disabled && (node.type !== 'radio' || node.checked));
            window.reached = [];
            document.addEventListener('focusin', ({ target }) => reached.push(target));
            return wanted.length;""")
        assert wanted > 60, wanted
        browser.press(*[Keys.TAB] * (wanted + 2))
        missed = browser.script("return wanted.filter((node) => !reached.includes(node)).map((node) => node.outerHTML)")
        assert missed == [], missed
        order = browser.script("""
            return wanted.every((node, at) => at === 0 || reached.indexOf(wanted[at - 1]) < reached.indexOf(node))""")
        assert order, "the order of the keyboard is not that of the page"
        # Radio buttons, switches and dialogs have the keys that people know.
        browser.script("document.querySelector(arguments[0] + ' .segments input:checked').focus()", TAG)
        browser.press(Keys.ARROW_RIGHT)
        assert browser.script("return document.activeElement.parentElement.textContent") == "1 h"
        browser.script("document.querySelector(arguments[0] + ' input[role=switch]').focus()", TAG)
        browser.press(Keys.SPACE)
        browser.script("document.querySelector(arguments[0] + ' .actions button').focus()", TAG)
        browser.press(Keys.ENTER)
        assert browser.script("return document.activeElement.name") == "Below object_celsius"
        browser.press("5", Keys.ENTER)
        assert browser.script("return document.activeElement.textContent") == "Alert set…"


TESTS = [axe_finds_nothing, the_alert_has_no_violation, the_keyboard_reaches_everything]
