"""Long names break nothing: forty letters without a space, on every screen."""

import pytest
from playwright.sync_api import expect

LONG = "Donaudampfschifffahrtsgesellschaftsapp4u"
SCREENS = [
    "/", "/t/LONG/ios", "/t/LONG/ios/edit/kill", "/schedule", "/schedule/new?t=LONG/ios", "/history", "/settings/apps", "/settings/apps/LONG",
    "/settings/import?app=LONG", "/settings/tokens", "/settings/people",
]


@pytest.fixture(scope="module")
def long_server(server):
    assert len(LONG) == 40
    server.add_app(LONG.lower(), LONG, "ios", "android")
    server.change(f"{LONG.lower()}/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}}, reason=LONG)
    server.call("POST", "/windows", {
        "targets": [{"app": LONG.lower(), "platform": "android", "revision": 1}], "set": {"killSwitch": {"message": LONG}}, "start": "2099-03-30T09:00:00Z",
    })
    server.call("POST", "/users", {"username": LONG.lower(), "password": "a long enough password", "role": "viewer"})
    return server


@pytest.mark.parametrize("width, text", [(1280, 100), (390, 100), (320, 200)])
def test_no_screen_is_pushed_aside_by_a_long_name(windows, long_server, width, text):
    page = windows.open(long_server, path=None, width=width, height=800)
    found = {}
    for screen in SCREENS:
        page.goto("about:blank")
        page.goto(f"{long_server.admin}/#{screen.replace('LONG', LONG.lower())}")
        page.locator("main h1").first.wait_for()
        page.evaluate("(size) => { document.documentElement.style.fontSize = `${size}%`; }", text)
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        if "/edit/" in screen:
            expect(page.get_by_role("dialog")).to_be_visible()
        wide = page.evaluate("""() => {
            const boxes = [document.scrollingElement, ...document.querySelectorAll("dialog, .dialog-body, .dialog-foot, main .panel, .target-row, .gate-row, .state-card, .change")];
            return boxes.filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.className || box.tagName);
        }""")
        if wide:
            found[screen] = wide
    assert found == {}
