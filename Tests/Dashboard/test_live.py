"""Freshness, and the truth about changes whose answer was lost."""

import re

import pytest
from playwright.sync_api import expect

from steps import Held, block, deaf, dialog, kill_switch, lose_answer


def test_silence_for_thirty_seconds_shows_its_age_and_answers_take_it_away_again(own_server, windows):
    windows.expected = {"lost"}
    page = windows.open(own_server)
    expect(kill_switch(page, "shop/ios")).not_to_be_checked()
    page.clock.install()
    own_server.stop()
    page.clock.run_for(3000)
    expect(page.get_by_text("Reconnecting…")).to_be_visible()
    page.clock.run_for(31_000)
    expect(page.get_by_text("showing last known state")).to_be_visible()
    # Each state says for itself that it is old, and how old.
    age = page.locator(".target-row .stale-mark").first
    expect(age).to_be_visible()
    said = "(mark) => getComputedStyle(mark.querySelector('.stale-age'), '::after').content"
    assert re.fullmatch(r'"3\d\ss old"', age.evaluate(said)), age.evaluate(said)
    own_server.restart()
    own_server.change("shop/ios", {"killSwitch": {"message": "Back soon."}})
    # Retries come up to half a minute apart by now; the page's clock is wound on until one of them is answered.
    for _ in range(80):
        page.clock.run_for(1000)
        if kill_switch(page, "shop/ios").is_checked():
            break
        page.wait_for_timeout(50)
    expect(kill_switch(page, "shop/ios")).to_be_checked()
    expect(page.get_by_text("showing last known state")).to_have_count(0)
    expect(age).to_be_hidden()


def test_a_page_whose_polling_could_not_be_fetched_says_that_it_is_old_and_asks_for_it_again(windows, own_server):
    windows.expected = {"lost"}
    page = windows.open(own_server, path=None)
    page.route("**/live.js", lambda route: route.abort())
    page.goto(f"{own_server.admin}/#/")
    expect(page.get_by_text("showing last known state")).to_be_visible()
    page.unroute("**/live.js")
    own_server.change("shop/ios", {"killSwitch": {"message": "Back soon."}})
    expect(kill_switch(page, "shop/ios")).to_be_checked(timeout=20_000)
    expect(page.get_by_text("showing last known state")).to_have_count(0)


def test_a_first_screen_whose_files_hang_keeps_nobody_from_what_is_new(windows, own_server):
    page = windows.open(own_server, path=None)
    held = []
    page.route("**/views/history.js", lambda route: held.append(route))
    page.goto(f"{own_server.admin}/#/history")
    page.get_by_role("link", name="Overview").click()
    expect(kill_switch(page, "shop/ios")).not_to_be_checked()
    own_server.change("shop/ios", {"killSwitch": {"message": "Back soon."}})
    expect(kill_switch(page, "shop/ios")).to_be_checked()
    assert held
    held[0].continue_()


@pytest.mark.parametrize("left,control", [("/", ".filter-box input"), ("/simulate", "select[name=t]")])
def test_a_screen_that_is_left_does_not_take_the_next_ones_address(windows, own_server, left, control):
    page = windows.open(own_server, left)
    expect(page.locator(control)).to_be_visible()
    page.route("**/views/history.js", lambda route: None)
    page.evaluate("""async (control) => {
        const gone = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
        location.hash = "#/history";
        await gone;
        const field = document.querySelector(control);
        if (field instanceof HTMLInputElement) field.value = "shop";
        for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
    }""", control)
    expect(page.get_by_role("heading", level=1)).to_have_text("Loading…")
    assert page.url.endswith("#/history")


def test_a_screen_whose_files_are_late_leaves_no_old_one_to_act_upon(windows, own_server):
    page = windows.open(own_server)
    switch = kill_switch(page, "shop/ios")
    expect(switch).not_to_be_checked()
    held = []
    page.route("**/views/history.js", lambda route: held.append(route))
    page.get_by_role("link", name="History").click()
    own_server.change("shop/ios", {"killSwitch": {"message": "Back soon."}})
    expect(page.get_by_role("heading", level=1)).to_have_text("Loading…")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page).to_have_title(re.compile("Loading…"))
    expect(switch).to_have_count(0)
    # Back is no dead end, and shows what is true now.
    page.go_back()
    expect(switch).to_be_checked()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text("Loading…")
    assert held
    held[0].continue_()
    expect(page.get_by_role("heading", level=1)).to_have_text("History")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def test_a_screen_that_is_left_follows_the_polls_until_the_next_one_is_there(windows, own_server):
    page = windows.open(own_server)
    switch = kill_switch(page, "shop/ios")
    expect(switch).not_to_be_checked()
    # The page's timers stand still, but not its requests.
    page.route("**/views/history.js", lambda route: None)
    page.clock.install()
    page.clock.pause_at(page.evaluate("new Date(Date.now() + 1000).toISOString()"))
    page.get_by_role("link", name="History").click()
    own_server.change("shop/ios", {"killSwitch": {"message": "Back soon."}})
    page.evaluate("import(document.querySelector('script[src$=\"app.js\"]').src.replace('app.js', 'store.js')).then(({ store }) => store.reload())")
    expect(switch).to_be_checked()


def test_signing_out_ends_the_polling_also_after_a_set_up_link_was_looked_at(windows, own_server):
    # Without an answer to the sign-out, the page is not loaded anew.
    windows.expected = {"lost"}
    page = windows.open(own_server, path=None)
    page.clock.install()
    page.goto(f"{own_server.admin}/#/")
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/events" in request.url else None)

    def polls():
        """How often the page asks for news in five seconds."""
        asked.clear()
        for _ in range(5):
            page.clock.run_for(1000)
            page.wait_for_load_state("networkidle")
        return len(asked)

    expect(kill_switch(page, "shop/ios")).to_be_visible()
    assert polls() > 0
    page.goto(f"{own_server.admin}/#/setup/AAAA")
    expect(page.get_by_role("link", name="Overview")).to_have_count(0)
    page.go_back()
    expect(kill_switch(page, "shop/ios")).to_be_visible()
    assert polls() > 0
    page.route("**/api/v1/session", lambda route: route.abort() if route.request.method == "DELETE" else route.continue_())
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert polls() == 0


def test_a_change_whose_answer_is_lost_is_read_back_and_reported_as_made(own_server, windows):
    windows.expected = {"lost"}
    page = windows.open(own_server)
    lose_answer(page, "**/api/v1/changes")
    kill_switch(page, "shop/ios").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page).get_by_role("button", name="Not confirmed – checking…")).to_be_visible()
    expect(page.get_by_role("region", name="Last change")).to_contain_text("Blocked Shop on iOS", timeout=8000)
    expect(kill_switch(page, "shop/ios")).to_be_checked()


def is_trial(route):
    return bool(route.request.post_data_json.get("dryRun"))


def press_block(page):
    kill_switch(page, "shop/ios").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    expect(dialog(page).get_by_role("button", name="Block ")).to_have_attribute("aria-disabled", "false")
    dialog(page).get_by_role("button", name="Block ").click()


def test_a_change_that_did_not_arrive_is_sent_again_and_made_once(own_server, windows):
    windows.expected = {"lost"}
    page = windows.open(own_server)
    sent = []

    def lose(route):
        if is_trial(route):
            return route.continue_()
        sent.append(route.request.headers["idempotency-key"])
        return route.abort() if len(sent) == 1 else route.continue_()

    page.route("**/api/v1/changes", lose)
    press_block(page)
    expect(dialog(page).get_by_text("nothing is assumed until it says")).to_be_visible()
    expect(page.get_by_role("region", name="Last change")).to_contain_text("Blocked Shop on iOS", timeout=8000)
    assert len(sent) == 2 and len(set(sent)) == 1
    assert own_server.target("shop/ios")["revision"] == 2


@pytest.mark.parametrize("waits", [True, False], ids=["still open", "cancelled"])
def test_a_change_that_cannot_be_settled_is_called_open_and_told_when_it_arrives(own_server, windows, waits):
    windows.expected = {"lost"}
    page = windows.open(own_server, path=None)
    page.clock.install()
    page.goto(f"{own_server.admin}/#/")
    sent = []

    def lose(route):
        if is_trial(route):
            return route.continue_()
        sent.append(route.request)
        route.abort()

    page.route("**/api/v1/changes", lose)
    press_block(page)
    expect(dialog(page).get_by_text("nothing is assumed until it says")).to_be_visible()
    page.clock.run_for(70_000)
    expect(dialog(page).get_by_text("Not confirmed: no answer came, and the change may still be made.")).to_be_visible()
    expect(dialog(page)).not_to_contain_text("has not made")
    asked = len(sent)
    page.clock.run_for(10_000)
    # Whoever comes back to the page later is not surprised by it.
    assert len(sent) == asked > 1
    if not waits:
        dialog(page).get_by_role("button", name="Cancel").click()
        expect(dialog(page)).to_have_count(0)
    assert own_server.target("shop/ios")["revision"] == 1
    # Now the first one arrives after all.
    page.unroute("**/api/v1/changes")
    late = sent[0]
    names = ("content-type", "x-gatehouse-csrf", "x-gatehouse-source", "idempotency-key")
    answer = page.context.request.post(late.url, data=late.post_data, headers={name: late.headers[name] for name in names})
    assert answer.ok, answer.text()
    told = page.get_by_role("region", name="Last change")
    # With the clock wound on by a minute at once, polls that were on their way are late, and retries come up to half a minute apart.
    for _ in range(80):
        page.clock.run_for(1000)
        if told.is_visible():
            break
        page.wait_for_timeout(50)
    expect(told).to_contain_text("Blocked Shop on iOS")
    expect(dialog(page)).to_have_count(0)
    assert own_server.target("shop/ios")["revision"] == 2


PAGE = "<!doctype html><title>Network</title><h1>Backend fetch failed</h1>"


@pytest.mark.parametrize("status", [200, 503, 520, 524])
def test_a_proxys_page_is_not_taken_for_the_servers_word(own_server, windows, status):
    windows.expected = {status}
    page = windows.open(own_server)
    told = []

    def alter(route):
        if is_trial(route) or told:
            return route.continue_()
        told.append(route.fetch())
        route.fulfill(status=status, content_type="text/html", body=PAGE)

    page.route("**/api/v1/changes", alter)
    press_block(page)
    expect(page.get_by_role("region", name="Last change")).to_contain_text("Blocked Shop on iOS", timeout=8000)
    expect(dialog(page)).to_have_count(0)
    assert own_server.target("shop/ios")["revision"] == 2


def test_what_a_proxy_refuses_is_not_told_as_the_servers_refusal(own_server, windows):
    windows.expected = {413}
    page = windows.open(own_server)
    page.route("**/api/v1/changes", lambda route: route.continue_() if is_trial(route) else route.fulfill(status=413, content_type="text/html", body=PAGE))
    press_block(page)
    problem = dialog(page).locator(".dialog-foot .problem")
    expect(problem).to_contain_text("Not the server, but something on the way to it, such as a proxy, refused this (HTTP 413).")
    expect(problem).to_contain_text("as large as this")
    assert own_server.target("shop/ios")["revision"] == 1


def apply(server, document):
    """Applies a document of everything there is to be, as `gatectl apply` does."""
    answer = server.call("POST", "/apply", {"document": document, "dryRun": True})
    confirm = {"confirm": answer["plan"]["confirm"]} if answer["plan"]["confirm"] else {}
    server.call("POST", "/apply", {"document": document, "sequence": answer["sequence"], **confirm})


def test_an_app_that_comes_or_is_renamed_by_apply_is_on_the_overview_at_once(own_server, windows):
    page = windows.open(own_server)
    expect(page.get_by_role("heading", level=2, name="Shop", exact=True)).to_be_visible()
    document = own_server.call("GET", "/export")
    shop = document["apps"][0]
    apply(own_server, document | {"apps": [shop, shop | {"key": "bank", "name": "Savings bank"}]})
    expect(page.locator(".target-row").filter(has_text="bank/ios")).to_be_visible()
    expect(page.get_by_role("heading", level=2, name="Savings bank")).to_be_visible()
    gate = {"alert": {"message": "Slow today.", "blocking": False}}
    platforms = {key: platform | {"gate": gate} for key, platform in shop["platforms"].items()}
    apply(own_server, document | {"apps": [shop | {"name": "Boutique", "platforms": platforms}]})
    expect(page.get_by_role("heading", level=2, name="Boutique")).to_be_visible()
    expect(page.locator(".target-row").filter(has_text="shop/ios")).to_contain_text("NOTICE")


def publish_after(page, server, other, *, arrives):
    """Publishes a block whose answer is lost; before anybody looks, another tab of the same person publishes an alert."""
    sent = []

    def lose(route):
        if route.request.post_data_json.get("dryRun"):
            return route.continue_()
        sent.append(route.request.headers["idempotency-key"])
        if len(sent) > 1:
            return route.continue_()
        if arrives:
            route.fetch()
        other.goto(f"{server.admin}/#/t/shop/ios/edit/alert")
        dialog(other).get_by_label("Message").fill("Slow today.")
        dialog(other).get_by_role("button", name="Publish ").click()
        expect(dialog(other)).to_have_count(0)
        route.abort()

    # This tab hears of nothing meanwhile, as one in the background.
    deaf(page)
    page.route("**/api/v1/changes", lose)
    kill_switch(page, "shop/ios").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    return sent


def test_a_list_that_comes_late_does_not_take_a_block_off_the_screen(windows, own_server):
    page = windows.open(own_server)
    expect(kill_switch(page, "shop/ios")).to_be_visible()
    late = Held(page, "**/api/v1/targets")
    # A change of more than a gate has everything read again.
    own_server.call("PATCH", "/apps/shop", {"name": "Boutique"})
    late.wait()
    block(page, "shop/ios", "Back soon.")
    expect(kill_switch(page, "shop/ios")).to_be_checked()
    page.locator(".target-row").evaluate("""(row) => {
        row.states = [];
        new MutationObserver(() => row.states.push(row.dataset.state)).observe(row, { attributes: true });
    }""")
    late.release()
    expect(page.get_by_role("heading", level=2, name="Boutique")).to_be_visible()
    page.wait_for_timeout(1500)
    assert "open" not in page.locator(".target-row").evaluate("(row) => row.states")


def test_two_changes_of_a_target_at_once_are_announced_as_what_they_led_to(windows, own_server):
    windows.expected = {"lost"}
    page = windows.open(own_server)
    expect(kill_switch(page, "shop/ios")).not_to_be_checked()
    deaf(page)
    own_server.change("shop/ios", {"alert": {"message": "Slow today.", "blocking": False}})
    own_server.change("shop/ios", {"killSwitch": {"message": "Back soon."}})
    page.unroute("**/api/v1/events*")
    said = page.get_by_role("status").filter(has_text="Shop on iOS is now")
    expect(said).to_have_text("Shop on iOS is now blocked, changed by tests.")


def test_a_lost_change_is_not_mistaken_for_what_another_tab_of_the_same_person_did(own_server, windows):
    windows.expected = {"lost", 412}
    page, other = windows.open(own_server), windows.open(own_server)
    sent = publish_after(page, own_server, other, arrives=False)
    expect(dialog(page).get_by_text("Changed by admin (dashboard)")).to_be_visible()
    expect(dialog(page).get_by_label("Message")).to_have_value("Back soon.")
    assert len(sent) == 2 and len(set(sent)) == 1
    assert "killSwitch" not in own_server.target("shop/ios")["gate"]


def test_a_lost_answer_is_repeated_even_where_another_tab_of_the_same_person_came_after_it(own_server, windows):
    windows.expected = {"lost"}
    page, other = windows.open(own_server), windows.open(own_server)
    publish_after(page, own_server, other, arrives=True)
    expect(page.get_by_role("region", name="Last change")).to_contain_text("Blocked Shop on iOS")
    assert own_server.target("shop/ios")["revision"] == 3


def test_a_server_that_stops_while_publishing_is_asked_again_when_it_is_back(own_server, windows):
    windows.expected = {"lost"}
    page = windows.open(own_server)

    stopped = []

    def stop(route):
        if is_trial(route) or stopped:
            return route.continue_()
        stopped.append(route)
        own_server.stop()
        route.continue_()

    page.route("**/api/v1/changes", stop)
    kill_switch(page, "shop/ios").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page).get_by_text("nothing is assumed until it says")).to_be_visible()
    own_server.restart()
    expect(page.get_by_role("region", name="Last change")).to_contain_text("Blocked Shop on iOS", timeout=10_000)
    assert own_server.target("shop/ios")["revision"] == 2


def test_what_failed_for_want_of_an_answer_is_read_again_once_there_is_one(windows, server, app):
    windows.expected = {"lost"}
    page = windows.open(server)
    expect(page.locator(".target-row").first).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="could not be shown")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="could not be shown")).to_have_count(0)
    expect(page.get_by_role("heading", level=1, name="History")).to_be_visible()
    expect(page.locator(".change").first).to_be_visible()


FAILING = [
    ("/history?app=shop&platform=ios&actor=on call", "changes?*", "History", "gatectl history shop ios '--actor=on call'"),
    ("/history/7", "changes/7", "Change 7", "gatectl api GET /changes/7"),
    ("/t/shop/ios", "changes?*", "Last changes", "gatectl history shop ios"),
    ("/settings/tokens", "tokens", "Tokens", "gatectl tokens list"),
    ("/settings/people", "users", "People", "gatectl users list"),
    ("/schedule/new?w=12", "windows/12", "Edit window 12", "gatectl schedule show 12"),
]


def test_what_failed_says_what_it_is_and_how_a_terminal_shows_it(windows, own_server):
    windows.expected = {500}
    page = windows.open(own_server)
    problem = {"title": "Internal Server Error", "status": 500, "code": "internal", "detail": "The disk is full.", "requestId": "r4711"}
    for route, path, what, line in FAILING:
        page.route(f"**/api/v1/{path}", lambda route: route.fulfill(status=500, content_type="application/problem+json", json=problem))
        page.goto(f"{own_server.admin}/#{route}")
        said = page.get_by_role("alert").filter(has_text=f"{what} could not be shown")
        for text in ("The disk is full.", "Request r4711", f"The same from a terminal: {line}"):
            expect(said).to_contain_text(text)
        expect(said.get_by_role("button", name="Try again")).to_be_visible()
        page.unroute(f"**/api/v1/{path}")


def test_a_tab_that_is_older_than_the_servers_files_says_so(own_server, windows):
    """After an upgrade a file that is loaded late may need what the files loaded before do not have."""
    page = windows.open(own_server)

    def newer(route):
        text = route.fetch().text()
        assert 'store } from "../store.js";' in text
        route.fulfill(content_type="text/javascript", body=text.replace('store } from "../store.js";', 'store, newThing } from "../store.js"; void newThing;'))

    for file in ("components/block-dialog.js", "views/schedule.js"):
        page.route(f"**/{file}", newer)
    kill_switch(page, "shop/ios").click()
    expect(page.locator(".bars")).to_contain_text("this tab is still of the version before. Nothing was sent; reload the page.")
    page.get_by_role("link", name="Schedule", exact=True).click()
    expect(page.get_by_role("alert").get_by_role("button", name="Reload the page")).to_be_visible()
    for file in ("components/block-dialog.js", "views/schedule.js"):
        page.unroute(f"**/{file}")
    page.get_by_role("button", name="Reload the page").click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()


def test_a_screen_that_could_not_be_loaded_has_a_heading_with_the_focus(windows, own_server):
    windows.expected = {"lost"}
    page = windows.open(own_server)
    expect(page.locator(".target-row")).to_be_visible()
    page.route("**/views/history.js", lambda route: route.abort())
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("That did not work")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_the_clock_tells_the_time_of_the_place_that_it_names(windows, server, app):
    """A laptop travels, and the page stays open: the times of its formats are those of the zone in which it was loaded."""
    page = windows.open(server, timezone_id=None)
    clock = page.locator(".clock")
    expect(clock).to_contain_text("UTC")
    session = page.context.new_cdp_session(page)
    for zone in ("Asia/Tokyo", "America/New_York"):
        session.send("Emulation.setTimezoneOverride", {"timezoneId": zone})
        page.reload()
        expect(clock).to_contain_text(zone.split("/")[1].replace("_", " "))
    session.send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    page.wait_for_timeout(1500)
    hours = clock.evaluate("""(clock) => {
        const [utc, own] = clock.textContent.split(" UTC / ").map((text) => Number(text.slice(0, 2)));
        return (own - utc + 24) % 24;
    }""")
    assert (hours, clock.inner_text().split(" / ")[1].split(" ", 1)[1]) in ((19, "New York"), (20, "New York"))


def test_an_app_that_is_renamed_is_called_so_by_the_screens_that_are_about_it(windows, own_server):
    page = windows.open(own_server, "/t/shop/ios")
    settings = windows.open(own_server, "/settings/apps/shop")
    settings.get_by_label("Name", exact=True).fill("Shop & more")
    expect(page.get_by_role("heading", level=1)).to_have_text("Shop · iOS")
    own_server.call("PATCH", "/apps/shop", {"name": "Boutique"})
    expect(page.get_by_role("heading", level=1)).to_have_text("Boutique · iOS")
    expect(page).to_have_title(re.compile("^Boutique · iOS"))
    expect(settings.get_by_role("heading", level=1)).to_have_text("Boutique")
    expect(settings).to_have_title(re.compile("^Boutique "))
    expect(settings.get_by_role("button", name="Delete ")).to_have_text(["Delete Boutique on iOS…", "Delete Boutique…"])
    expect(settings.get_by_label("Name", exact=True)).to_have_value("Shop & more")


def test_a_plan_that_got_no_answer_is_asked_for_again_once_there_is_one(windows, own_server):
    windows.expected = {"lost"}
    page = windows.open(own_server)
    kill_switch(page, "shop/ios").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    expect(dialog(page).get_by_role("button", name="Block ")).to_have_attribute("aria-disabled", "false")
    page.context.set_offline(True)
    dialog(page).get_by_label("Message").fill("Back very soon.")
    problem = dialog(page).locator(".dialog-foot .problem")
    expect(problem).to_contain_text("The server does not answer.")
    page.context.set_offline(False)
    expect(problem).to_be_empty()
    expect(dialog(page).get_by_role("region", name="What people see")).to_be_visible()


def test_of_two_who_block_at_once_each_sees_the_same_interval(windows, own_server):
    windows.expected = {"lost", 412}
    page = windows.open(own_server)
    kill_switch(page, "shop/ios").click()
    dialog(page).get_by_label("Message").fill("Mine.")
    expect(dialog(page).get_by_role("button", name="Block ")).to_have_attribute("aria-disabled", "false")
    deaf(page)
    own_server.change("shop/ios", {"killSwitch": {"message": "Theirs."}})
    dialog(page).get_by_role("button", name="Block ").click()
    row = dialog(page).get_by_role("table", name="Changed meanwhile").get_by_role("row").filter(has_text="Check again every")
    expect(row.get_by_role("cell")).to_have_text(["–", "15 seconds", "15 seconds"])
