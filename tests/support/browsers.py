"""The chromium that browser tests drive, and which letters it has."""

import os
import shutil
import subprocess

import pytest

# the one without a window first: it works less
KNOWN = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, KNOWN)), None)
# a browser without sandbox or graphics card, as in a container; no calls home
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
]
# Fontconfig's settings under which one family is all that the machine has.
ONE_FAMILY = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <cachedir>{cache}</cachedir>
  <selectfont>
    <rejectfont><pattern/></rejectfont>
    <acceptfont><pattern><patelt name="family"><string>{family}</string></patelt></pattern></acceptfont>
  </selectfont>
</fontconfig>
"""


def open_chromium(playwright, environment=None):
    """A running chromium; without one on this machine the test is skipped, or fails where CI is set."""
    if CHROMIUM is None:
        absent("no chromium or google-chrome on the path (Debian: apt-get install chromium-headless-shell)")
    own = os.environ | (environment or {})
    return playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS, env=own)


def absent(what):
    (pytest.fail if os.environ.get("CI") else pytest.skip)(what)  # CI must not pass without it


def only_family(family, folder):
    """The environment in which a browser finds the letters of one family alone."""
    config = folder / "fonts.conf"
    config.write_text(ONE_FAMILY.format(family=family, cache=folder / "cache"), "utf-8")
    environment = {"FONTCONFIG_FILE": str(config)}
    listed = shutil.which("fc-list") and subprocess.run(
        ["fc-list", ":", "family"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    if not listed or family not in listed.stdout:
        absent(f"no letters of {family} (.ci/run installs the package)")
    return environment
