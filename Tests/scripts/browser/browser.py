"""One headless Chromium with several users, each in a browser context with separate storage."""
import contextlib
import os
import time
import urllib.request

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

PHONE, DESKTOP = (390, 844), (1280, 900)
TIMEOUT = 10
# A name for the server that is not that of this machine, as others open it; without HTTPS.
NAME = "auction.example"
FLAGS = (
    # A test may run as root in a container, where the sandbox cannot start; what it visits is on loopback.
    "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
    # Several windows at once, of which only one can be in front: the others must not fall asleep.
    "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
    f"--host-resolver-rules=MAP {NAME} 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--lang=en-US",
)


# Done in the page at once: a question per element would take most of the test's time.
FIND_ELEMENTS = """
const [css, text, starts] = arguments;
const said = (e) => (e.innerText?.trim() || e.getAttribute('aria-label') || '').replace(/\\s+/g, ' ');
const fits = (e) => text === null || (starts ? said(e).startsWith(text) : said(e).includes(text));
return [...document.querySelectorAll(css)].filter((e) => e.checkVisibility({visibilityProperty: true}) && fits(e));
"""


class Unexpected(AssertionError):
    """The page is not as it should be."""


class Driver(webdriver.ChromeService):
    """The browser's driver at an address rather than a name: a bare system may not know what localhost is."""

    @property
    def service_url(self):
        return f"http://127.0.0.1:{self.port}"

    def is_connectable(self):
        try:
            with urllib.request.urlopen(self.service_url + "/status", timeout=1) as response:
                return response.status == 200
        except OSError:
            return False


class Browser:
    def __init__(self, address, shots=None, text_size=16):
        """A browser whose user has chosen a size of texts, in pixels."""
        options = webdriver.ChromeOptions()
        for flag in FLAGS:
            options.add_argument(flag)
        options.add_experimental_option("prefs", {"webkit.webprefs.default_font_size": text_size})
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        # User contexts are BiDi's; everything else is plain WebDriver.
        options.enable_bidi = True
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = Driver(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
        self.driver = webdriver.Chrome(options=options, service=service)
        # The rules of axe-core take a while on a busy machine.
        self.driver.set_script_timeout(120)
        self.address, self.shots, self.text_size, self.front = address, shots, text_size, None
        self.people, self.home = [], self.driver.current_window_handle

    def person(self, name, size=DESKTOP, language="en-US", dark=False, path="/", beside=None):
        return Person(self, name, size, language, dark, path, beside)

    @contextlib.contextmanager
    def named(self):
        """Meanwhile everyone who comes opens the server by its name."""
        usual, self.address = self.address, self.address.replace("127.0.0.1", NAME)
        try:
            yield
        finally:
            self.address = usual

    def close(self):
        self.driver.quit()


class Person:
    """A window in a context of its own, or in that of the person it is `beside`. Every call brings it to the front first."""

    def __init__(self, browser, name, size, language, dark, path, beside=None):
        self.browser, self.driver, self.name = browser, browser.driver, name
        self.context = beside.context if beside else self.driver.browser.create_user_context()
        self.window = self.driver.browsing_context.create(type="window", user_context=self.context)
        self.driver.switch_to.window(self.window)
        browser.front = self
        agent = self.driver.execute_script("return navigator.userAgent")
        self.cdp("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=language)
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.resize(size)
        browser.people.append(self)
        self.open(path)

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def to_front(self):
        if self.browser.front is not self:
            self.driver.switch_to.window(self.window)
            self.browser.front = self

    def close(self):
        self.to_front()
        self.driver.close()
        self.browser.people.remove(self)
        self.browser.front = None
        self.driver.switch_to.window(self.browser.home)

    def open(self, path):
        self.to_front()
        self.driver.get(self.browser.address + path)

    def resize(self, size):
        self.to_front()
        self.cdp("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=size[0] < 600)

    def scheme(self, name, *more):
        self.to_front()
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}, *more])
        # Colours fade from one to the other.
        time.sleep(0.3)

    @contextlib.contextmanager
    def offline(self):
        self.to_front()
        self.cdp("Network.enable")
        conditions = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.cdp("Network.emulateNetworkConditions", offline=True, **conditions)
        yield
        self.to_front()
        self.cdp("Network.emulateNetworkConditions", offline=False, **conditions)

    # Finding, by what a person sees or a screen reader hears.

    def script(self, source, *arguments):
        self.to_front()
        return self.driver.execute_script(source, *arguments)

    def all(self, css, text=None, starts=False):
        """The shown elements (that say the text)."""
        return self.script(FIND_ELEMENTS, css, text, starts)

    def see(self, css, text=None, timeout=TIMEOUT):
        """The first shown element, once there is one (that has the text)."""
        def missing():
            return f"{self.name}: {css} with {text!r}; there: {[text_of(each) for each in self.all(css)][:5]}"
        return eventually(lambda: next(iter(self.all(css, text)), None), missing, timeout)

    def sees(self, css, text=None):
        return bool(self.all(css, text))

    def gone(self, css, text=None, timeout=TIMEOUT):
        eventually(lambda: not self.sees(css, text), f"{self.name}: still sees {css} with {text!r}", timeout)

    def text(self, css):
        return text_of(self.see(css))

    def button(self, text):
        return self.see("button, a", text)

    # Doing.

    def press(self, text, css="button, a, summary, label"):
        return self._retrying(lambda: self._click(self.see(css, text)))

    def tap(self, css):
        return self._retrying(lambda: self._click(self.see(css)))

    def _click(self, element):
        """Scrolls the element into view and clicks it."""
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        # What has just taken the place of another control takes no press yet.
        while self.driver.execute_script("return arguments[0].classList.contains('settling')", element):
            time.sleep(0.05)
        element.click()

    def _retrying(self, act):
        """Retries, because a list may be rendered again between finding and clicking."""
        for attempt in range(4):
            try:
                return act()
            except (StaleElementReferenceException, NoSuchElementException):
                if attempt == 3:
                    raise
                time.sleep(0.1)

    def fill(self, label, value):
        """The field with this label."""
        def find():
            found = self.all("label[for]", label, True)
            return found and self.driver.find_element(By.ID, found[0].get_attribute("for"))
        return self._type(eventually(find, f"{self.name}: a field {label!r}"), value)

    def fill_search(self, label, value):
        """The field that has this name instead of a label."""
        self._type(self.see(f"input[aria-label='{label}']"), value)

    def _type(self, control, value):
        control.send_keys(Keys.CONTROL, "a")
        control.send_keys(Keys.DELETE)
        control.send_keys(value)
        return control

    def order(self, menu, order):
        """Chooses from a menu in a dialog."""
        self.tap(f"[aria-label='{menu}']")
        self.press(order, "dialog button")

    def escape(self):
        """Closes the dialog."""
        self.keys(Keys.ESCAPE)
        self.gone("dialog")

    def give(self, folder, name, content=None):
        """Gives the open dialog a file, as a phone's camera roll or a folder does; with these bytes."""
        path = os.path.join(folder, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content)
        self.to_front()
        self.driver.find_element(By.CSS_SELECTOR, "dialog input[type=file]").send_keys(path)

    def download(self, folder, name, button, css="button, a, summary, label"):
        """Presses what saves this file; returns its text."""
        self.cdp("Page.setDownloadBehavior", behavior="allow", downloadPath=folder)
        self.press(button, css)
        path = os.path.join(folder, name)
        eventually(lambda: os.path.exists(path), f"{self.name}: there is no {name}")
        with open(path, encoding="utf-8-sig") as file:
            return file.read()

    def select(self, label, option):
        """Chooses from the list with this label."""
        control = self.see("label[for]", label).get_attribute("for")
        Select(self.driver.find_element(By.ID, control)).select_by_visible_text(option)

    def keys(self, *keys):
        self.to_front()
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def drag(self, box, distance):
        """Presses in the middle of a box on the page, and lets go further down."""
        self.to_front()
        top = self.script("return scrollY")
        x, y = (int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] / 2 - top))
        chain = webdriver.ActionChains(self.driver, duration=50)
        chain.w3c_actions.pointer_action.move_to_location(x, y).pointer_down().move_to_location(x, y + int(distance / 2))
        chain.w3c_actions.pointer_action.move_to_location(x, y + int(distance)).pointer_up()
        chain.perform()

    def fingers(self, css, *places, times=1):
        """Fingers that go over an element: each of the `places` has those of all fingers, from its middle. One after the other at once."""
        box = self.script("return arguments[0].getBoundingClientRect()", self.see(css))
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        points = [[{"x": middle[0] + x, "y": middle[1] + y, "id": index} for index, (x, y) in enumerate(place)] for place in places]
        for kind, now in times * (("touchStart", points[0]), *(("touchMove", each) for each in points[1:]), ("touchEnd", [])):
            self.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=now)

    def focused(self):
        return self.script("return document.activeElement.innerText || document.activeElement.getAttribute('aria-label')"
                           " || document.activeElement.tagName")

    def become(self, nickname):
        self.fill("Nickname", nickname)
        self.press("Continue", "dialog button")
        self.gone("dialog label", "Nickname")

    def shot(self, name):
        """Saves a screenshot if PAGE_SHOTS is set."""
        if not self.browser.shots:
            return
        self.to_front()
        time.sleep(0.35)
        self.driver.save_screenshot(os.path.join(self.browser.shots, f"{name}.png"))

    def complaints(self):
        """What the browser's console says about errors of the page."""
        self.to_front()
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]


def text_of(element):
    try:
        return " ".join((element.text or element.get_attribute("aria-label") or "").split())
    except (StaleElementReferenceException, WebDriverException):
        return ""


def eventually(condition, what, timeout=TIMEOUT):
    until = time.monotonic() + timeout
    while True:
        try:
            found = condition()
        except StaleElementReferenceException:
            found = None
        if found:
            return found
        if time.monotonic() > until:
            raise Unexpected(f"not within {timeout} s: {what() if callable(what) else what}")
        time.sleep(0.05)
