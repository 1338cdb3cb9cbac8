"""A headless Chromium that looks at the page."""

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.chrome.service import Service

from programs import wait_until


class Browser:
    """One window."""

    def __init__(self, url, width=1280, height=1000):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.add_argument(f"--window-size={width},{height}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.get(url)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        """The element of a selector, once there is one."""
        return wait_until(lambda: self.all(selector), selector)[0]

    def text(self, selector):
        """The text of the first element, read in one step: the page may replace it at any time."""
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def click(self, selector):
        """Clicks the first visible element."""
        def visible():
            return [node for node in self.all(selector) if node.is_displayed()]
        wait_until(visible, f"{selector} to click")[0].click()

    def button(self, text):
        """Clicks the visible button of this text."""
        def visible():
            found = self.driver.find_elements(By.XPATH, f"//button[normalize-space()='{text}']")
            return [node for node in found if node.is_displayed() and node.is_enabled()]
        wait_until(visible, f"the button {text}")[0].click()

    def slide(self, selector, value):
        """Moves a slider as a hand would: with events."""
        self.script(
            "const s = document.querySelector(arguments[0]); s.value = arguments[1];"
            "s.dispatchEvent(new Event('input', { bubbles: true }))", selector, value)

    def scheme(self, name):
        """Prefers "light" or "dark" from now on."""
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def picture(self, path, width, height=1400):
        """A picture of the whole page at a width."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        wait_until(lambda: self.script("return window.innerWidth") == width, f"a width of {width}")
        self.script("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.driver.save_screenshot(path)

    def complaints(self):
        """What the browser had to complain about, refused connections aside."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE" and "ERR_CONNECTION_REFUSED" not in entry["message"]
                and "ERR_INCOMPLETE_CHUNKED_ENCODING" not in entry["message"]]
