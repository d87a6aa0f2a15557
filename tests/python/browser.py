"""Pages in a real browser, and what tests do with them."""

import os
import shutil
import time
import warnings

import pytest

FLAGS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-compositing",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def find_browser():
    named = os.environ.get("CHROMIUM")
    names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    return named or next((p for p in map(shutil.which, names) if p), None)


@pytest.fixture(scope="session")
def browser():
    path = find_browser()
    if path is None:
        words = "NO BROWSER: pages were not looked at (apt install chromium, or set CHROMIUM)"
        warnings.warn(words)
        pytest.skip(words)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class Looked:
    """A page that is open, with all that its console said."""

    def __init__(self, browser, path, size=(1100, 700)):
        self.page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        self.said = []
        self.page.on("console", self.heard)
        self.page.on("pageerror", lambda e: self.said.append(f"error: {e}"))
        self.page.on("dialog", lambda d: (self.said.append(f"dialog: {d.message}"), d.dismiss()))
        self.page.on("request", self.asked)
        began = time.time()
        self.page.goto(path.as_uri())
        assert self.page.evaluate("typeof window.linkwork") == "object", self.said
        self.seconds = time.time() - began
        self.settle()

    def heard(self, message):
        # what software rendering has to say about its speed is not the page's business
        if "GL Driver Message" not in message.text:
            self.said.append(f"{message.type}: {message.text}")

    def asked(self, request):
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.said.append(f"request: {request.url}")

    def settle(self):
        """Until the frames that are due have been drawn."""
        self.page.evaluate(
            "() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))"
        )

    def api(self, call):
        return self.page.evaluate(f"linkwork.{call}")

    def picture(self):
        """The pixels of the canvas, as the browser encodes them."""
        return self.api("picture()")

    def colours(self):
        """How many different colours the picture has: 1 if it is blank."""
        return self.page.evaluate(
            """async () => {
                const image = new Image();
                image.src = linkwork.picture();
                await image.decode();
                const copy = document.createElement('canvas');
                [copy.width, copy.height] = [200, 130];
                const pen = copy.getContext('2d');
                pen.drawImage(image, 0, 0, 200, 130);
                return new Set(new Uint32Array(pen.getImageData(0, 0, 200, 130).data.buffer)).size;
            }"""
        )

    def close(self):
        self.page.close()
        assert self.said == []


@pytest.fixture
def look(browser, tmp_path):
    opened = []

    def open_page(name="page.html", **options):
        opened.append(Looked(browser, tmp_path / name, **options))
        return opened[-1]

    yield open_page
    for page in opened:
        page.close()


def exit_code(linkwork, *words):
    """Runs a command that may end with doubts."""
    try:
        linkwork(*words)
    except AssertionError:
        linkwork(*words, expect=1)


def many_bodies(count):
    """Pendulums side by side, each with its own start angle."""
    side = int(count**0.5)
    parts = ['[model]\ngravity = [0, -9.81]\n\n[simulation]\nt_end = 1\nrtol = 1e-3\n']
    for i in range(count):
        x, y = (i % side) * 1.2, (i // side) * 1.2
        parts.append(
            f'[[body]]\nname = "b{i}"\nmass = 1\ninertia = 0.02\nposition = [{x + 0.5}, {y}]\n'
            f'[[joint]]\nname = "j{i}"\nkind = "revolute"\nbody_b = "b{i}"\nat = [{x}, {y}]\n'
        )
    return "\n".join(parts)
