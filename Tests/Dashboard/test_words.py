"""Words on buttons: each says what it does and to what, for whoever hears it alone, out of the page around it."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from gatehouse_server import Server
from steps import block, dialog

# What says nothing without the thing it is done to. The dialog's own Cancel and Close are about the dialog that is named around them.
BARE = re.compile(
    r"(open|block|cancel|cancel (this|the) window|remove|leave out|delete|edit|duplicate|run|run now|end|end now|extend|keep|revoke|save|clear|set|change|undo"
    r"|revert|revert to before this|take back|add|copy|copy link|copy as gatectl|details|more|schedule a change|show|try again|dismiss|publish)[ …:.]*",
    re.IGNORECASE,
)

ROUTES = [
    "/", "/schedule", "/schedule/new?t=words/ios,words/android", "/t/words/ios", "/t/words/android", "/t/words/tvos", "/history", "/history/LAST",
    "/settings/apps", "/settings/apps/words", "/settings/apps/new", "/settings/import", "/settings/tokens", "/settings/people", "/settings/account", "/nowhere",
]

EVERYTHING_OPEN = """() => { for (const details of document.querySelectorAll("details")) details.open = true; }"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Something of every kind that has a button of its own."""
    server = Server(tmp_path_factory.mktemp("words"), environment="staging")
    server.add_app("words", "Words", "ios", "android", "tvos")
    server.add_app("other", "Other", "ios")
    server.call("PATCH", "/apps/words", {"aliases": [{"path": "/config.json", "feed": "launchgate.json"}]})
    server.change("words/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}, "alert": {"message": "Slow today.", "blocking": False}})
    server.change("words/ios", {"killSwitch": {"message": "Back at nine."}}, reason="INC-1")
    day = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    for platform, message, hours in (("tvos", "Sale.", 0), ("android", "Sale.", 1), ("tvos", "Later.", 48), ("tvos", "Called off.", 96)):
        start, end = (day + datetime.timedelta(hours=hours + more) for more in (0, 1))
        made = server.call("POST", "/windows", {
            "targets": [{"app": "words", "platform": platform, "revision": server.target(f"words/{platform}")["revision"]}], "set": {"killSwitch": {"message": message}},
            "start": {"at": f"{start:%Y-%m-%dT%H:%M:%SZ}"}, "end": {"at": f"{end:%Y-%m-%dT%H:%M:%SZ}"},
        })["window"]
        if platform == "android":
            server.call("POST", f"/windows/{made['id']}/run", {})
        if message == "Called off.":
            server.call("DELETE", f"/windows/{made['id']}", {})
    server.call("POST", "/users", {"username": "mara", "password": "quite a long password", "role": "operator"})
    server.call("POST", "/tokens", {"name": "pipeline", "role": "operator"})
    yield server
    server.stop()


def names(page):
    """What can be pressed, as the browser names it to assistive technology; what is folded away included."""
    page.evaluate(EVERYTHING_OPEN)
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    return [node["name"]["value"].strip() for node in tree["nodes"] if not node["ignored"] and node["role"]["value"] in ("button", "link", "DisclosureTriangle")]


def go(page, server, route):
    path = route.replace("LAST", str(server.changes("words/ios")[0]["sequence"]))
    page.goto(f"{server.admin}/#{path}")
    page.locator(f"main[data-screen='{path.split('?')[0]}'] h1").first.wait_for()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def test_point_10_no_button_or_link_on_any_screen_is_a_verb_alone(windows, server):
    page = windows.open(server)
    bare, seen = {}, set()
    for route in ROUTES:
        go(page, server, route)
        if route == "/schedule":
            page.get_by_role("button", name="Show past windows").click()
            page.get_by_role("heading", name="Past windows").wait_for()
        if route.startswith("/schedule/new"):
            page.get_by_role("button", name="Add another app").click()
            expect(page.get_by_role("button", name="Leave out")).to_be_visible()
        found = names(page)
        seen.update(found)
        # A new window of the schedule's own screen is for any target.
        bare[route] = sorted({name for name in found if BARE.fullmatch(name)} - ({"Schedule a change…"} if route == "/schedule" else set()))
    assert {route: found for route, found in bare.items() if found} == {}
    # The walk has met what it is about.
    for part in ("Run now… Words on tvOS, ", "Cancel this window… Words on tvOS, ", "Open Words on iOS", "Edit: Alert of Words on iOS", "Save mara", "Revoke pipeline"):
        assert any(part in name for name in seen), part


def test_point_10_of_two_windows_of_one_target_every_button_tells_which(windows, server):
    page = windows.open(server, "/schedule")
    go(page, server, "/schedule")
    page.get_by_role("button", name="Show past windows").click()
    page.get_by_role("heading", name="Past windows").wait_for()
    found = [name for name in names(page) if "Words" in name]
    assert len(found) > 8
    assert sorted({name for name in found if found.count(name) > 1}) == []
    # What asks before it acts says it too, in its title and on the button that acts.
    page.get_by_role("button", name=re.compile(r"^Cancel this window… Words on tvOS, .+")).first.click()
    named = re.compile(r"^Cancel the window of Words on tvOS, .*\d\d:\d\d .+ in STAGING$")
    expect(page.get_by_role("dialog", name=named)).to_be_visible()
    expect(dialog(page).get_by_role("button", name=named)).to_be_visible()
    dialog(page).get_by_role("button", name="Keep it", exact=True).click()
    page.get_by_role("button", name=re.compile(r"^Run now… Words on tvOS, .+")).first.click()
    expect(page.get_by_role("dialog", name=re.compile(r"^Run now: .+ on Words on tvOS in STAGING$"))).to_be_visible()
    expect(dialog(page).get_by_role("button", name="Run now on Words on tvOS in STAGING", exact=True)).to_be_visible()


def test_point_10_what_is_done_with_a_change_names_it(windows, server):
    page = windows.open(server)
    block(page, "words/tvos", "For a while.")
    receipt = page.get_by_role("region", name="Last change")
    expect(receipt.get_by_role("button", name="Undo the change of Words on tvOS")).to_be_visible()
    for route in ("/t/words/tvos", "/"):
        go(page, server, route)
        assert [name for name in names(page) if BARE.fullmatch(name)] == []
