"""A headless Chromium that looks at the page."""

import os
import tempfile

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.chrome.service import Service

from programs import wait_until


class Browser:
    """A browser, which the tests share: its start takes longer than most of them. Each page has a port of its own, so
    that the browser keeps nothing of one for another."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--window-size=1280,1000"):
            options.add_argument(argument)
        self.folder = tempfile.TemporaryDirectory()
        options.add_experimental_option("prefs", {"download.default_directory": self.folder.name})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))

    def close(self):
        self.driver.quit()
        self.folder.cleanup()

    def visit(self, url, script=None):
        """Shows a page in a new tab, and closes all others. A script runs before those of the page."""
        before = self.driver.window_handles
        tab = self.add_tab(None)
        for handle in before:
            self.driver.switch_to.window(handle)
            self.driver.close()
        self.driver.switch_to.window(tab)
        if script:
            self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        self.driver.get_log("browser")
        self.driver.get(url)

    def add_tab(self, url):
        """Shows a page in one more tab; returns the tab."""
        self.driver.switch_to.new_window("tab")
        if url:
            self.driver.get(url)
        return self.driver.current_window_handle

    def tab(self, tab):
        self.driver.switch_to.window(tab)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        """The element of a selector, once there is one."""
        return wait_until(lambda: self.all(selector), selector)[0]

    def text(self, selector):
        """The text of the first element, read in one step: the page may replace it at any time."""
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def attribute(self, selector, name):
        """An attribute of the first element; None without one."""
        return self.script("return document.querySelector(arguments[0])?.getAttribute(arguments[1])", selector, name)

    def shows(self, text, selector):
        """Waits until the first element has a text in it."""
        wait_until(lambda: text in self.text(selector), f"{text} in {selector}, which has {self.text(selector)}")

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def promise(self, text, *arguments):
        """The result of a script's asynchronous function."""
        return self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            f"(async (...arguments) => {{ {text} }})(...arguments)"
            ".then(done, (error) => done(String(error)))", *arguments)

    def visible(self, selector):
        return [node for node in self.all(selector) if node.is_displayed()]

    def click(self, selector):
        """Clicks the first visible element."""
        wait_until(lambda: self.visible(selector), f"{selector} to click")[0].click()

    def button(self, text):
        """Clicks the visible button of this text."""
        def visible():
            found = self.driver.find_elements(By.XPATH, f"//button[normalize-space()='{text}']")
            return [node for node in found if node.is_displayed() and node.is_enabled()]
        wait_until(visible, f"the button {text}")[0].click()

    def choose(self, text):
        """Chooses a radio button by its text."""
        self.script("[...document.querySelectorAll('.segments label')]"
                    ".find((label) => label.textContent === arguments[0]).querySelector('input').click()", text)

    def press(self, *keys):
        """Presses keys, whatever has the focus."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def slide(self, selector, value):
        """Moves a slider as a hand would: with events."""
        self.script(
            "const s = document.querySelector(arguments[0]); s.value = arguments[1];"
            "s.dispatchEvent(new Event('input', { bubbles: true }))", selector, value)

    def download(self):
        """The text of the only file that was downloaded, which is removed, and its name."""
        def files():
            # The browser takes the name with an empty file before it moves the whole one there.
            return [entry.name for entry in os.scandir(self.folder.name)
                    if entry.name.endswith(".csv") and entry.stat().st_size > 0]
        name = wait_until(files, "a download")[0]
        path = os.path.join(self.folder.name, name)
        with open(path) as file:
            text = file.read()
        os.remove(path)
        return text, name

    def scheme(self, name):
        """Prefers "light" or "dark" from now on."""
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def resize(self, width, height=1000):
        """Has a window of this size, on a telephone if it is narrow."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        wait_until(lambda: self.script("return window.innerWidth") == width, f"a width of {width}")

    def settle(self):
        """Waits until the graphs are drawn: they are at most 150 ms late."""
        self.promise("await new Promise((done) => setTimeout(() => requestAnimationFrame(done), 300))")

    def picture(self, path, width):
        """A picture of the whole page at a width."""
        self.resize(width)
        self.settle()
        self.resize(width, self.script("return document.documentElement.scrollHeight"))
        self.settle()
        self.driver.save_screenshot(path)

    def complaints(self):
        """What the browser had to complain about, refused connections aside."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE" and "ERR_CONNECTION_REFUSED" not in entry["message"]
                and "ERR_INCOMPLETE_CHUNKED_ENCODING" not in entry["message"]]
