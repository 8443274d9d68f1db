"""Makes the README's two pictures from the running product: python Tests/Deploy/pictures.py, in the environment that deploy/test made."""
import os
import pathlib
import shutil
import sys
import tempfile

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Dashboard"))

from gatehouse_server import PASSWORD, USERNAME, Server  # noqa: E402


def fill(server):
    """A night at a company with two apps: a sale that has not begun, a version that people must update from, and a notice."""
    server.add_app("shop", "Shop", "ios", "android")
    server.add_app("bank", "Bank", "ios", "android")
    server.change("shop/ios", {"killSwitch": {"message": "The sale starts at nine.", "retryInterval": 30}}, "SALE-7")
    server.change("shop/android", {"alert": {"message": "Card payments are slow today.", "blocking": False}}, "INC-123")
    server.change("bank/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}}, "SEC-4")


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(pathlib.Path(folder), environment="production")
        try:
            fill(server)
            browser = playwright.chromium.launch(executable_path=os.environ.get("CHROME") or shutil.which("chromium-headless-shell") or "/usr/bin/chromium", args=["--no-sandbox"])
            for scheme, path in (("light", "/"), ("dark", "/t/shop/ios")):
                context = browser.new_context(viewport={"width": 1200, "height": 750}, color_scheme=scheme, reduced_motion="reduce", locale="en-GB")
                answer = context.request.post(f"{server.admin}/api/v1/session", data={"username": USERNAME, "password": PASSWORD})
                assert answer.ok, answer.text()
                page = context.new_page()
                page.goto(f"{server.admin}/#{path}")
                page.get_by_text("The sale starts at nine.").first.wait_for()
                page.get_by_text("Asking the server").first.wait_for(state="hidden")
                page.screenshot(path=ROOT / f"deploy/pictures/{scheme}.png")
                context.close()
            browser.close()
        finally:
            server.stop()


main()
