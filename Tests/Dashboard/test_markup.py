"""Text that is markup stays text, in every field and on every screen, and the policy that would catch it is never needed."""

import json
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import expect

from gatehouse_server import PASSWORD, USERNAME, Refused, Server
from steps import dialog, wait_until

IMAGE = "<img src=x onerror=window.owned=1>"
MARKUP = [IMAGE, "</script><script>window.owned=1</script>", "\"><svg onload=window.owned=1>", "{{constructor.constructor('window.owned=1')()}}", "javascript:window.owned=1"]
TEXT = " ".join(MARKUP)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Markup in every field that takes it."""
    server = Server(tmp_path_factory.mktemp("markup"), environment="staging")
    server.add_app("marked", TEXT[:100], "ios", "android")
    server.change("marked/ios", {
        "killSwitch": {"message": TEXT}, "forceUpdate": {"message": TEXT}, "requiredUpdate": {"minimumVersion": "4.2.0", "message": {"default": TEXT, "de": TEXT}},
        "optionalUpdate": {"optionalVersion": "4.3.0", "message": TEXT}, "alert": {"message": TEXT, "blocking": False},
    }, reason=TEXT)
    server.call("POST", "/windows", {
        "targets": [{"app": "marked", "platform": "android", "revision": 1}], "set": {"killSwitch": {"message": TEXT}}, "start": "2099-03-30T09:00:00Z",
        "end": "2099-03-30T09:30:00Z", "reason": TEXT,
    })
    cancelled = server.call("POST", "/windows", {
        "targets": [{"app": "marked", "platform": "android", "revision": 1}], "set": {"alert": {"message": TEXT, "blocking": False}}, "start": "2099-04-30T09:00:00Z", "reason": TEXT,
    })["window"]["id"]
    server.call("DELETE", f"/windows/{cancelled}", {"reason": TEXT})
    # The token acts once, so that its name stands in the history and in the audit.
    made = server.call("POST", "/tokens", {"name": TEXT[:100]})
    server.token, tests = made["token"], server.token
    server.change("marked/android", {"alert": {"message": TEXT, "blocking": True}}, reason=TEXT)
    server.token = tests
    # What calls itself a browser stands in the list of one's sessions.
    request = urllib.request.Request(
        server.admin + "/api/v1/session", data=json.dumps({"username": USERNAME, "password": PASSWORD}).encode(),
        headers={"Content-Type": "application/json", "User-Agent": IMAGE},
    )
    urllib.request.urlopen(request, timeout=20).close()
    yield server
    server.stop()


def untouched(page):
    """No element came of any text, and none of it ran."""
    assert page.evaluate("window.owned") is None
    assert page.evaluate("[...document.querySelectorAll('img, script:not([src]), svg[onload], [onerror], iframe, a[href^=javascript]')].map((one) => one.outerHTML)") == []


def settle(page):
    page.locator("main h1").first.wait_for()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


SCREENS = {
    "/": 2, "/t/marked/ios": 5, "/t/marked/android": 1, "/schedule": 1, "/schedule/new?t=marked/ios": 0, "/history": 1, "/history/LAST": 1, "/settings/apps": 1,
    "/settings/apps/marked": 0, "/settings/apps/new": 0, "/settings/import": 0, "/settings/tokens": 1, "/settings/people": 0, "/settings/account": 1,
}


@pytest.mark.parametrize("screen", SCREENS)
def test_markup_is_shown_as_the_text_it_is(windows, server, screen):
    page = windows.open(server, screen.replace("LAST", str(server.changes("marked/ios")[0]["sequence"])))
    settle(page)
    untouched(page)
    assert page.locator("main").inner_text().count("<img src=x onerror") >= SCREENS[screen]


@pytest.mark.parametrize("place", [f"/{IMAGE}", f"/t/{IMAGE}/ios", f"/history/{IMAGE}", f"/history?actor={IMAGE}&app={IMAGE}", f"/settings/apps/{IMAGE}", f"/schedule?{IMAGE}", f"/t/marked/ios/edit/{IMAGE}", "/javascript:window.owned=1"])
def test_an_address_with_markup_makes_no_element(windows, server, place):
    windows.expected = {400, 404}
    for quoted in (place, urllib.parse.quote(place, safe="/?=&")):
        page = windows.open(server, quoted)
        settle(page)
        untouched(page)


def test_dialogs_show_markup_as_text(windows, server):
    page = windows.open(server, "/t/marked/ios")
    settle(page)
    for edit in ("kill", "min", "optional", "alert", "force"):
        page.goto(f"{server.admin}/#/t/marked/ios/edit/{edit}")
        expect(dialog(page)).to_be_visible()
        untouched(page)
        page.keyboard.press("Escape")
        expect(dialog(page)).to_have_count(0)


def test_what_is_typed_stays_text_up_to_the_receipt(windows, server):
    """Through the dialog and its plan, the receipt, and the overview of somebody who looks on."""
    server.add_app("typed", "Typed", "ios")
    watching = windows.open(server)
    page = windows.open(server, "/t/typed/ios/edit/alert")
    shown = dialog(page)
    shown.get_by_label("Message").fill(IMAGE)
    shown.get_by_label("Reason").fill(IMAGE)
    untouched(page)
    shown.locator("button[type=submit]").click()
    expect(shown).to_have_count(0)
    expect(page.locator("main")).to_contain_text(IMAGE)
    expect(watching.locator(".target-row").filter(has_text="typed/ios")).to_contain_text(IMAGE)
    untouched(page)
    untouched(watching)


def test_a_file_with_markup_is_refused_in_words(windows, server):
    windows.expected = {422}
    page = windows.open(server, "/settings/import")
    settle(page)
    page.get_by_label("App").first.select_option("marked")
    for document in (json.dumps({"ios": {"requiredUpdate": {"minimumVersion": IMAGE, "message": IMAGE}, IMAGE: {}}}), IMAGE, json.dumps({IMAGE: IMAGE})):
        page.get_by_label("The file’s text").fill(document)
        with page.expect_response("**/api/v1/import") as answer:
            page.get_by_role("button", name="Show what it would do").click()
        assert answer.value.status in (200, 422)
        expect(page.get_by_role("button", name="Show what it would do")).to_be_visible()
        untouched(page)


@pytest.mark.parametrize(("method", "path", "body"), [
    ("POST", "/users", {"username": IMAGE, "role": "viewer", "password": PASSWORD}),
    ("POST", "/apps", {"key": IMAGE, "name": "x"}),
    ("PATCH", "/apps/marked", {"aliases": [{"path": "/" + IMAGE, "feed": "launchgate.json"}]}),
    ("PUT", "/apps/marked/platforms/ios", {"storeURL": "https://store.test/" + IMAGE}),
    ("PUT", "/apps/marked/platforms/ios", {"storeURL": "javascript:window.owned=1"}),
    ("PUT", "/apps/marked/platforms/ios", {"releases": [IMAGE]}),
    ("PUT", "/apps/marked/platforms/" + urllib.parse.quote(IMAGE), {}),
])
def test_where_no_markup_can_be_meant_it_is_refused(server, method, path, body):
    with pytest.raises(Refused) as refusal:
        server.call(method, path, body)
    assert refusal.value.status == 422


def test_a_violation_of_the_policy_would_be_seen(windows, server):
    """Else no test of the dashboard could fail on one: each of them ends with a look at what was reported."""
    page = windows.open(server)
    settle(page)
    assert windows.troubles == []
    page.evaluate("document.body.insertAdjacentElement('beforeend', Object.assign(document.createElement('img'), { src: 'https://elsewhere.test/x.png' }))")
    wait_until(page, "document.images.length === 1")
    with page.expect_console_message(lambda message: "policy violation: img-src" in message.text):
        page.evaluate("document.images[0].src = 'https://elsewhere.test/y.png'")
    assert any("policy violation: img-src" in trouble for trouble in windows.troubles)
    windows.troubles.clear()
