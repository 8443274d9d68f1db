"""Freshness, and the truth about changes whose answer was lost."""

from playwright.sync_api import expect

from steps import dialog, kill_switch


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


def test_a_change_whose_answer_is_lost_is_read_back_and_reported_as_made(own_server, windows):
    windows.expected = {"lost"}
    page = windows.open(own_server)

    def lose(route):
        if route.request.post_data_json.get("dryRun"):
            return route.continue_()
        route.fetch()
        route.abort()

    page.route("**/api/v1/changes", lose)
    kill_switch(page, "shop/ios").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page).get_by_role("button", name="Not confirmed – checking…")).to_be_visible()
    expect(page.get_by_role("region", name="Last change")).to_contain_text("Blocked Shop on iOS", timeout=8000)
    expect(kill_switch(page, "shop/ios")).to_be_checked()


def test_a_change_that_never_arrived_is_reported_as_not_made(own_server, windows):
    windows.expected = {"lost"}
    page = windows.open(own_server)
    page.route("**/api/v1/changes", lambda route: route.continue_() if route.request.post_data_json.get("dryRun") else route.abort())
    kill_switch(page, "shop/ios").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page).get_by_text("The server has not made the change.")).to_be_visible(timeout=8000)
    assert own_server.target("shop/ios")["revision"] == 1
    page.unroute("**/api/v1/changes")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(kill_switch(page, "shop/ios")).to_be_checked()
    assert own_server.target("shop/ios")["revision"] == 2


def test_a_server_that_stops_while_publishing_is_asked_again_when_it_is_back(own_server, windows):
    windows.expected = {"lost"}
    page = windows.open(own_server)

    def stop(route):
        if route.request.post_data_json.get("dryRun"):
            return route.continue_()
        own_server.stop()
        route.continue_()

    page.route("**/api/v1/changes", stop)
    kill_switch(page, "shop/ios").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page).get_by_text("nothing is assumed until it says")).to_be_visible()
    own_server.restart()
    expect(dialog(page).get_by_text("The server has not made the change.")).to_be_visible(timeout=10_000)
    assert own_server.target("shop/ios")["state"] == "open"


def test_what_failed_for_want_of_an_answer_is_read_again_once_there_is_one(windows, server, app):
    windows.expected = {"lost"}
    page = windows.open(server)
    expect(page.locator(".target-row").first).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="That did not work")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="That did not work")).to_have_count(0)
    expect(page.get_by_role("heading", level=1, name="History")).to_be_visible()
    expect(page.locator(".change").first).to_be_visible()
