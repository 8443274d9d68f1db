"""A protected environment: reason and typed confirmation, demanded by the server and asked for in the dialog."""

import pytest
from playwright.sync_api import expect

from gatehouse_server import Refused
from steps import block, dialog, kill_switch, open_again


@pytest.fixture(scope="module")
def server(protected_server):
    protected_server.add_app("bank", "Bank", "ios", "android")
    return protected_server


@pytest.fixture
def page(windows, server):
    return windows.open(server)


@pytest.mark.parametrize("colours", ["none", "active"])
@pytest.mark.parametrize("width", [390, 1280])
def test_that_the_environment_is_protected_is_said_at_the_top_of_every_screen(windows, server, own_server, width, colours):
    page = windows.open(server, width=width, forced_colors=colours)
    for path in ("/", "/history", "/settings/apps"):
        page.goto(f"{server.admin}/#{path}")
        mark = page.get_by_role("banner").get_by_text("PROTECTED", exact=True)
        expect(mark).to_be_in_viewport()
        # A shape and a frame beside the word, so that it does not go by colour.
        expect(page.locator(".protected svg")).to_be_visible()
        assert mark.evaluate("(mark) => getComputedStyle(mark.closest('.protected')).borderTopStyle") == "solid"
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    other = windows.open(own_server, width=width)
    expect(other.get_by_role("banner").get_by_text("STAGING")).to_be_visible()
    expect(other.get_by_text("PROTECTED")).to_be_hidden()


def test_a_wrong_confirmation_sends_nothing(server, page):
    sent = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" and request.url.endswith("/changes") and not request.post_data_json.get("dryRun") else None)
    kill_switch(page, "bank/ios").click()
    shown = dialog(page)
    shown.get_by_label("Message").fill("Back soon.")
    shown.get_by_label("Reason").fill("INC-1")
    shown.get_by_label("to confirm").fill("bank/android")
    shown.get_by_role("button", name="Block Bank on iOS in PRODUCTION").press("Enter")
    expect(shown.get_by_label("to confirm")).to_be_focused()
    expect(shown.get_by_text("Type bank/ios exactly to confirm.")).to_be_visible()
    assert sent == []
    assert server.target("bank/ios")["revision"] == 1


def test_a_missing_reason_sends_nothing(server, page):
    kill_switch(page, "bank/ios").click()
    shown = dialog(page)
    shown.get_by_label("Message").fill("Back soon.")
    shown.get_by_label("to confirm").fill("bank/ios")
    shown.get_by_role("button", name="Block Bank").press("Enter")
    expect(shown.get_by_label("Reason")).to_be_focused()
    assert server.target("bank/ios")["revision"] == 1


def test_a_pasted_confirmation_is_taken_trimmed_and_in_any_case(server, page):
    block(page, "bank/ios", "Back soon.", reason="INC-2", confirm="  BANK/IOS ")
    expect(kill_switch(page, "bank/ios")).to_be_checked()
    assert server.feed("bank/ios/bellerophon.json")["apiInactive"] is True
    # Getting people back in never takes typing.
    open_again(page, "bank/ios")
    expect(kill_switch(page, "bank/ios")).not_to_be_checked()
    assert server.feed("bank/ios/bellerophon.json")["apiInactive"] is False


def test_undoing_an_opening_is_a_block_and_asks_like_one(server, page):
    block(page, "bank/android", "Back soon.", reason="INC-3", confirm="bank/android")
    open_again(page, "bank/android")
    page.get_by_role("button", name="Undo").click()
    shown = dialog(page)
    expect(shown.get_by_label("to confirm")).to_be_visible()
    shown.get_by_label("Reason").fill("INC-3")
    shown.get_by_label("to confirm").fill("bank/android")
    shown.get_by_role("button", name="Undo").click()
    expect(kill_switch(page, "bank/android")).to_be_checked()


def test_the_server_itself_refuses_a_block_without_the_typed_target(server):
    target = {"app": "bank", "platform": "ios", "revision": server.target("bank/ios")["revision"]}
    body = {"targets": [target], "set": {"killSwitch": {"message": "Back soon."}}, "reason": "INC-4"}
    with pytest.raises(Refused) as refusal:
        server.call("POST", "/changes", body)
    assert refusal.value.status == 422
    assert "confirmation_required" in str(refusal.value)
    assert server.target("bank/ios")["revision"] == target["revision"]


@pytest.mark.parametrize(("path", "starts", "press"), [
    ("/t/bank/android/edit/min", "required", None),
    ("/t/bank/android/edit/optional", "optional", None),
    ("/schedule/new?t=bank/android", "required", "optional"),
    ("/schedule/new?t=bank/android&do=alert", "optional", "min"),
])
def test_whether_a_reason_is_needed_is_said_before_there_is_a_plan(windows, server, path, starts, press):
    page = windows.open(server, path)
    note = page.locator(".confirmation .note").first
    expect(note).to_have_text(starts)
    if press:
        page.get_by_label("What happens").select_option(press)
        expect(note).to_have_text("optional" if starts == "required" else "required")


@pytest.mark.parametrize("width, height", [(1280, 800), (1440, 900), (390, 664)])
@pytest.mark.parametrize("rule, fields", [
    ("min", {"Minimum version": "4.2.0", "Message": "Update."}), ("optional", {"Version to suggest": "4.2.0", "Message": "Update."}),
    ("alert", {"Message": "Slow."}), ("force", {"Message": "Update."}),
])
def test_what_a_rule_asks_for_stands_directly_below_its_fields(windows, server, width, height, rule, fields):
    page = windows.open(server, f"/t/bank/ios/edit/{rule}", width=width, height=height)
    for label, text in fields.items():
        dialog(page).get_by_role("textbox", name=label).fill(text)
    if rule == "alert":
        dialog(page).get_by_role("checkbox", name="Blocks the app").check()
    expect(dialog(page).get_by_role("table", name="What changes")).to_be_visible()
    if width > 640:
        expect(dialog(page).locator(".phone").first).to_be_visible()
    # Each part begins where the one before it ends, however tall the preview is.
    parts = dialog(page).locator(".dialog-body").evaluate("""(body) => [
        [...body.querySelectorAll(".stack .field")].filter((field) => !field.closest(".preview")).at(-1),
        ...body.querySelectorAll(".dialog-plan, .confirmation"),
    ].map((part) => part.getBoundingClientRect()).filter(({ height }) => height > 0).map(({ top, bottom }) => [top, bottom])""")
    assert len(parts) >= 2
    assert all(0 <= below[0] - above[1] <= 24 for above, below in zip(parts, parts[1:])), parts
    overlong = dialog(page).locator(".dialog-body *").evaluate_all("(all) => all.filter((one) => one.getClientRects().length && !one.closest('.preview') && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1).map((one) => one.className || one.tagName)")
    assert overlong == []
