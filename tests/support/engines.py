"""Browsers other than Chromium, as Debian has them: Firefox by Marionette, WebKit by its own driver.

Playwright drives builds of its own, which aren't in the registries. Both are told everything as JavaScript.
"""

import contextlib
import os
import secrets
import shutil
import subprocess
import time

from browsers import absent
from jupyter_pages import free_port

# both drivers wait for a call of the last argument
ASYNC = """const done = arguments[arguments.length - 1];
Promise.resolve((%s)(...arguments[0])).then(done, problem => done(`${problem}`))"""


class EnginePage:
    """A page of another engine, in which functions of JavaScript are called."""

    def __init__(self, run):
        self.run = run

    def call(self, function, *given):
        return self.run(ASYNC % function, [given])

    def wait(self, condition, *given):
        end = time.monotonic() + 400
        while self.call(f"(...given) => Boolean(({condition})(...given))", *given) is not True:
            assert time.monotonic() < end, condition
            time.sleep(0.2)


@contextlib.contextmanager
def firefox(address):
    from marionette_driver.marionette import Marionette

    binary = shutil.which("firefox-esr") or absent("no Firefox (apt-get install firefox-esr)")
    # "-": it deletes a file that it is told to write its log to, even /dev/null
    client = Marionette(bin=binary, headless=True, port=free_port(), app="fxdesktop", gecko_log="-")
    client.start_session()
    client.timeout.script = client.timeout.page_load = 180
    try:
        client.navigate(address)
        yield EnginePage(lambda script, given: client.execute_async_script(script, given, sandbox=None))
    finally:
        client.quit()


@contextlib.contextmanager
def webkit(address):
    """WebKitGTK, on a screen that no one sees."""
    from selenium import webdriver

    driver = shutil.which("WebKitWebDriver") or absent("no WebKit (apt-get install webkit2gtk-driver xvfb)")
    options = webdriver.WebKitGTKOptions()
    options.binary_location = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
    options.add_argument("--automation")
    display = f":{90 + secrets.randbelow(100)}"
    environment = os.environ | {
        "DISPLAY": display,
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
    }
    with subprocess.Popen(
        ["Xvfb", display, "-screen", "0", "1280x1000x24"], stderr=subprocess.DEVNULL
    ) as screen:
        try:
            service = webdriver.WebKitGTKService(driver, env=environment)
            with webdriver.WebKitGTK(options=options, service=service) as browser:
                browser.set_script_timeout(300)
                browser.get(address)
                yield EnginePage(lambda script, given: browser.execute_async_script(script, *given))
        finally:
            screen.terminate()
