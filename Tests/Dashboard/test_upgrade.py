"""A tab that was opened before the server was upgraded, and loads the rest of itself from the new one."""

import shutil

import pytest
from playwright.sync_api import expect

from gatehouse_server import ROOT
from steps import dialog, kill_switch

UPGRADED = "The server was upgraded, and this tab is still of the version before."
NOTHING_SENT = f"{UPGRADED} Nothing was sent; reload the page."


def upgrade(server, tmp_path, change):
    """Starts the server again with a dashboard of which `change` has altered the files."""
    public = tmp_path / "Public"
    shutil.copytree(ROOT / "Public", public)
    change(public)
    server.stop()
    server.options = [*server.options, "--public", public]
    server.restart()


def gone(name):
    return lambda public: (public / name).unlink()


def without_fitting(name):
    """The file asks another one for something that this tab's copy of it does not have."""
    return lambda public: (public / name).write_text('import { madeLater } from "../store.js";\nmadeLater();\n')


@pytest.mark.parametrize("change", [gone, without_fitting])
def test_a_press_says_that_the_tab_is_to_be_reloaded(windows, own_server, tmp_path, change):
    windows.expected = {404, "lost"}
    page = windows.open(own_server)
    expect(kill_switch(page, "shop/ios")).to_be_visible()
    upgrade(own_server, tmp_path, change("components/dialogs.js"))
    kill_switch(page, "shop/ios").click()
    expect(page.locator(".bar-stale")).to_contain_text(NOTHING_SENT)


@pytest.mark.parametrize("change", [gone, without_fitting])
def test_a_screen_says_so_once_and_offers_it(windows, own_server, tmp_path, change):
    windows.expected = {404, "lost"}
    page = windows.open(own_server)
    expect(kill_switch(page, "shop/ios")).to_be_visible()
    upgrade(own_server, tmp_path, change("views/history.js"))
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/views/history.js") else None)
    page.get_by_role("link", name="History", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text(UPGRADED)
    # Two answers of the server later, nothing has tried again in vain.
    for _ in range(2):
        page.wait_for_event("response", lambda response: "/api/v1/events" in response.url)
    assert len(asked) == 1
    shutil.copy(ROOT / "Public" / "views" / "history.js", tmp_path / "Public" / "views" / "history.js")
    own_server.stop()
    own_server.restart()
    page.get_by_role("button", name="Reload the page").click()
    expect(page.get_by_role("heading", name="History")).to_be_visible()


def test_the_first_steps_that_cannot_be_fetched_are_said_to_be_so_and_come_with_the_next_press(windows, start_server):
    windows.expected = {"lost"}
    server = start_server()
    page = windows.open(server, path=None)
    page.route("**/components/first-run.js", lambda route: route.abort())
    page.goto(f"{server.admin}/#/")
    expect(page.get_by_role("heading", name="Overview could not be shown")).to_be_visible()
    page.unroute("**/components/first-run.js")
    expect(page.get_by_role("heading", name="Welcome to Gatehouse")).to_be_visible()


def test_a_dialog_that_was_loaded_before_does_not_blame_the_server(windows, own_server, tmp_path):
    windows.expected = {404, "lost"}
    page = windows.open(own_server)
    expect(kill_switch(page, "shop/ios")).to_be_visible()
    with page.expect_response("**/components/dialogs.js"):
        page.mouse.move(5, 5)
    page.wait_for_load_state("networkidle")
    upgrade(own_server, tmp_path, gone("components/effects-view.js"))
    kill_switch(page, "shop/ios").click()
    dialog(page).get_by_label("Message").fill("Back at 09:30.")
    expect(dialog(page).locator(".problem")).to_have_text(NOTHING_SENT)


@pytest.mark.parametrize("key, file", [("?", "keys-dialog.js"), ("Control+k", "palette.js")], ids=["keys", "palette"])
def test_a_key_whose_dialog_cannot_be_fetched_says_so(windows, own_server, key, file):
    windows.expected = {"lost"}
    page = windows.open(own_server)
    expect(kill_switch(page, "shop/ios")).to_be_visible()
    page.route(f"**/components/{file}", lambda route: route.abort())
    page.keyboard.press(key)
    expect(page.locator(".bar-stale")).to_contain_text("so the dialog could not be fetched. Nothing was sent; press again.")
    page.unroute(f"**/components/{file}")
    page.keyboard.press(key)
    expect(dialog(page)).to_be_visible()
    expect(page.locator(".bar-stale")).to_be_empty()


def test_a_file_that_a_server_of_the_same_version_lacks_is_no_upgrade(windows, own_server):
    windows.expected = {404}
    page = windows.open(own_server)
    expect(kill_switch(page, "shop/ios")).to_be_visible()
    page.route("**/components/dialogs.js", lambda route: route.fulfill(status=404))
    kill_switch(page, "shop/ios").click()
    expect(page.locator(".bar-stale")).to_contain_text("The server does not answer, so the dialog could not be fetched.")
