"""A gate on a real phone: begun beside a preview, altered while the phone polls, seen as it polls, ended."""

import datetime
import http.client
import json
import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from gatehouse_server import PASSWORD
from steps import dialog, eventually, later, lose_answer
from test_accessibility import SIZES, violations


def begun(page, app):
    """Begins a rehearsal beside the target's preview, and opens its page."""
    page.get_by_role("button", name="Try on a phone: ").click()
    link = page.get_by_role("link", name="addresses and polls")
    expect(link).to_be_visible()
    page.goto(page.url.split("#")[0] + link.get_attribute("href"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rehearsal of")


def address(page):
    return page.locator(".rehearsal-address code").text_content()


def ask(url, version="4.1.0"):
    request = urllib.request.Request(f"{url}?version={version}", headers={"User-Agent": "Shop/41 CFNetwork"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.headers["Cache-Control"] == "no-store"
        return json.loads(answer.read())


def test_a_draft_is_shown_to_a_phone_and_altered_while_it_polls(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios/edit/min")
    dialog(page).get_by_role("textbox", name="Minimum version").fill("5.0.0")
    dialog(page).get_by_role("textbox", name="Message").fill("Please update.")
    dialog(page).get_by_role("button", name="Try on a phone: ").click()
    link = dialog(page).get_by_role("link", name="addresses and polls")
    expect(link).to_be_visible()
    with page.context.expect_page() as opened:
        link.click()
    other = opened.value
    other.locator("select[name=feed]").select_option("bellerophon")
    feed = address(other)
    assert re.fullmatch(rf"{re.escape(server.feeds)}/rehearsals/[A-Za-z0-9_-]{{43}}/{app}/ios/bellerophon\.json", feed)
    assert ask(feed)["forceUpdate"] is True
    assert server.feed(f"{app}/ios/bellerophon.json")["forceUpdate"] is False
    row = other.locator(".rehearsal-polls tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("ios/bellerophon.json")
    expect(row).to_contain_text("4.1.0")
    expect(row).to_contain_text("Shop/41 CFNetwork")
    # The draft goes on, and so does the phone.
    dialog(page).get_by_role("textbox", name="Minimum version").fill("4.0.0")
    dialog(page).get_by_role("button", name="Try on a phone: ").click()
    expect(dialog(page).get_by_text("The phone has it with its next poll.")).to_be_visible()
    assert ask(feed)["forceUpdate"] is False
    expect(row).to_have_count(2)
    expect(other.locator(".tried")).to_contain_text("4.0.0")
    assert server.target(f"{app}/ios")["revision"] == 1
    # The one poll is that of this test.
    assert server.target(f"{app}/ios")["reach"]["fetched"] == 1


def test_it_is_ended_by_a_press_and_then_there_is_nothing(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    begun(page, app)
    feed = address(page)
    ask(feed)
    page.get_by_role("button", name="End the rehearsal").click()
    dialog(page).get_by_role("button", name="End the rehearsal").click()
    expect(page.get_by_text("This rehearsal has ended. Its addresses answer 404.")).to_be_visible()
    windows.expected = {404}
    page.reload()
    expect(page.get_by_text("There is no such rehearsal, or not any more.")).to_be_visible()
    with pytest.raises(urllib.error.HTTPError) as refused:
        ask(feed)
    assert refused.value.code == 404
    assert refused.value.headers["Content-Type"] == "text/plain; charset=utf-8"
    page.get_by_role("link", name="All rehearsals").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rehearsals")
    expect(page.get_by_role("link", name=re.compile(f"{app.capitalize()} · iOS"))).to_have_count(0)


def test_what_was_in_force_once_is_tried_from_the_history(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back at nine."}})
    sequence = server.changes(f"{app}/ios")[0]["sequence"]
    server.change(f"{app}/ios", {"killSwitch": None})
    page = windows.open(server, f"/history/{sequence}")
    begun(page, app)
    expect(page.locator(".tried")).to_contain_text("Back at nine.")
    assert ask(address(page))["apiInactive"] is True
    assert server.feed(f"{app}/ios/bellerophon.json")["apiInactive"] is False


def test_a_kill_switch_whose_end_has_come_is_tried_as_it_was(windows, server, app):
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=2)
    server.change(f"{app}/ios", {"killSwitch": {"message": "For a moment.", "until": end.isoformat(timespec="milliseconds")}})
    sequence = server.changes(f"{app}/ios")[0]["sequence"]
    eventually(lambda: not server.feed(f"{app}/ios/bellerophon.json")["apiInactive"], "the kill switch has lifted itself")
    page = windows.open(server, f"/history/{sequence}")
    begun(page, app)
    expect(page.locator(".tried")).to_contain_text("For a moment.")
    assert ask(address(page))["apiInactive"] is True


def test_its_address_is_in_no_log_and_no_metric(windows, start_server):
    server = start_server()
    server.add_app("shop", "Shop", "ios")
    page = windows.open(server, "/t/shop/ios")
    begun(page, "shop")
    feed = address(page)
    secret = feed.split("/")[4]
    ask(feed)
    # What a client does wrong at it, too.
    connection = http.client.HTTPConnection(server.feeds.split("//")[1], timeout=20)
    connection.request("POST", feed[len(server.feeds):], body=b"x")
    connection.getresponse().read()
    connection.close()
    with urllib.request.urlopen(server.admin + "/metrics", timeout=20) as answer:
        assert secret not in answer.read().decode()
    assert page.evaluate("document.referrer") == ""
    windows.close()
    server.stop()
    assert secret not in (server.folder / "server.log").read_text()
    for file in server.folder.rglob("*"):
        if file.is_file():
            assert secret.encode() not in file.read_bytes(), file


def test_a_viewer_is_not_asked(windows, server, app):
    server.call("POST", "/users", {"username": f"vi-{app}", "password": "a long enough password", "role": "viewer"})
    windows.expected = {401}
    page = windows.open(server, f"/t/{app}/ios", signed_in=False)
    page.get_by_label("Username").fill(f"vi-{app}")
    page.get_by_label("Password", exact=True).fill("a long enough password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".preview-says")).to_be_visible()
    expect(page.get_by_role("button", name="Try on a phone: ")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_at_a_rehearsal(windows, server, app, size):
    width, height = SIZES[size]
    one = server.call("POST", "/rehearsals", {"app": app, "platform": "ios", "gate": {"killSwitch": {"message": "Back at nine."}}, "for": "2h"})
    page = windows.open(server, f"/rehearsals/{one['id']}", width=width, height=height)
    expect(page.get_by_role("img", name="QR code of the address")).to_be_visible()
    ask(server.feeds + one["feeds"]["bellerophon"])
    expect(page.locator(".rehearsal-polls tbody tr")).to_have_count(1)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.goto(f"{server.admin}/#/rehearsals")
    expect(page.get_by_role("link", name=re.compile("iOS"))).not_to_have_count(0)
    assert violations(page) == []


def test_an_answer_that_is_lost_is_told_and_an_end_is_seen(windows, server, app):
    windows.expected = {404, "lost"}
    page = windows.open(server, f"/t/{app}/ios")
    begun(page, app)
    lose_answer(page, "**/api/v1/rehearsals/*", method="PUT")
    longer = page.get_by_role("button", name="Run until two hours from now")
    longer.click()
    expect(page.get_by_role("alert").filter(has_text="It is not known whether it was done")).to_be_visible()
    longer.click()
    expect(page.get_by_role("alert").filter(has_text="It is not known")).to_have_count(0)
    server.call("DELETE", f"/rehearsals/{page.url.split('/')[-1]}")
    expect(page.get_by_text("This rehearsal has ended. Its addresses answer 404.")).to_be_visible()


def test_until_when_a_rehearsal_goes_on_is_said_where_it_was_asked_for(windows, server, app):
    made = server.call("POST", "/rehearsals", {"app": app, "platform": "ios", "gate": {}, "for": "1h"})
    page = windows.open(server, f"/rehearsals/{made['id']}", width=390, height=600)
    page.get_by_role("button", name="Run until two hours from now").press("Enter")
    expect(page.get_by_text("It goes on until ")).to_have_text(re.compile(r"UTC · in\s(1\sh\s59\smin|2\sh)\.$"))
    expect(page.get_by_text("It goes on until ")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Run until two hours from now")).to_be_focused()


@pytest.mark.parametrize("one", [False, True])
def test_a_viewer_is_told_which_role_sees_rehearsals(windows, server, app, one):
    windows.expected = {403}
    made = server.call("POST", "/rehearsals", {"app": app, "platform": "ios", "gate": {}, "for": "1h"})
    name = f"viewer-{app}"
    server.call("POST", "/users", {"username": name, "role": "viewer", "password": PASSWORD})
    page = windows.open(server, f"/rehearsals/{made['id']}" if one else "/rehearsals", signed_in=False)
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("This needs the operator role.")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


def test_how_long_it_goes_on_is_counted_down(windows, server, app):
    one = server.call("POST", "/rehearsals", {"app": app, "platform": "ios", "gate": {"killSwitch": {"message": "Back soon."}}, "for": "2h"})
    for path in (f"/rehearsals/{one['id']}", "/rehearsals"):
        page = windows.open(server, path)
        until = page.locator("main gh-said").first
        expect(until).to_contain_text(re.compile("in.[12].h"))
        later(page, minutes=75)
        expect(until).to_contain_text(re.compile(r"in.4\d.min"))


def test_a_server_that_is_slow_is_asked_by_one_question_at_a_time(windows, server, app):
    one = server.call("POST", "/rehearsals", {"app": app, "platform": "ios", "gate": {}, "for": "1h"})
    page = windows.open(server, f"/rehearsals/{one['id']}")
    expect(page.locator(".rehearsal-polls")).to_be_visible()
    page.clock.install()
    held = []
    with page.expect_request("**/api/v1/rehearsals/*"):
        page.route("**/api/v1/rehearsals/*", lambda route: held.append(route))
        page.reload()
    page.clock.run_for(8000)
    assert len(held) == 1
    held.pop().continue_()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rehearsal of")
    with page.expect_request("**/api/v1/rehearsals/*"):
        page.clock.run_for(2000)
    for route in held:
        route.continue_()
