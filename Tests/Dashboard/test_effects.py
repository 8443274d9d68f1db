"""What a plan does to the people in front of a gate, said before anything is published; and the libraries that it is worked out for."""

import datetime
import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from steps import dialog

LET_IN = "Let in although the gate means to keep them out"
KEPT_OUT = "Kept out beyond what is meant"
DIFFERS = "Shown something other than meant"
AS_MEANT = "Who sees something new"

TEXT_ORDER = {
    "client": "launchgate", "versions": ["2.0.0", "9.9.0"], "before": "nothing", "after": "nothing", "meant": "required",
    "detail": "LaunchGate orders versions as text: \"9.9.0\" is not below \"10.0.0\".",
}
ROWS = [
    TEXT_ORDER,
    {"client": "gandalf", "versions": ["41"], "before": "nothing", "after": "crash", "meant": "nothing", "detail": "Gandalf 1.4.0 throws."},
    {"client": "prince-of-versions", "versions": ["1.0"], "before": "nothing", "after": "alert", "meant": "optional", "detail": "It is another one."},
    {"client": "bellerophon", "versions": ["1.0"], "before": "nothing", "after": "required", "meant": "required", "detail": ""},
]


@pytest.fixture
def planned(app):
    """Puts effects into every plan that a window is told, whatever rules they came of."""
    def put(page, rows, *, path="changes", omitted=None):
        def answer(route):
            response = route.fetch()
            body = response.json()
            if "plan" in body:
                body["plan"]["effects"] = [{"app": app, "platform": "ios"} | row for row in rows]
                if omitted:
                    body["plan"]["omitted"] = {"diff": 0, "apps": 0, "warnings": 0, "effects": omitted}
            route.fulfill(response=response, body=json.dumps(body))
        page.route(f"**/api/v1/{path}", answer)
    return put


def minimum(page, version):
    dialog(page).get_by_role("textbox", name="Minimum version").fill(version)
    dialog(page).get_by_role("textbox", name="Message").fill("Please update.")


def group(page, name):
    return page.locator(".outcome").filter(has=page.get_by_role("heading", name=name))


def test_a_required_update_that_text_order_lets_past_is_said_in_red_before_anything_else(windows, server, app):
    """The whole way, from the release to the row."""
    windows.expected = {422}
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["9.9.0", "10.0.0"]})
    page = windows.open(server, f"/t/{app}/ios/edit/min")
    minimum(page, "10.0.0")
    override = dialog(page).get_by_role("checkbox", name="Publish it all the same")
    red = group(page, LET_IN)
    # LaunchGate's order of texts refuses it until somebody insists.
    override.check()
    expect(red).to_contain_text("LaunchGate")
    expect(red).to_contain_text("9.9.0")
    expect(red).to_contain_text("Meant: must update.")
    expect(page.locator(".outcome").first).to_contain_text(LET_IN)


def test_groups_stand_the_worst_first_under_the_state_it_leads_to(windows, server, app, planned):
    page = windows.open(server, f"/t/{app}/ios/edit/min")
    planned(page, ROWS[::-1])
    minimum(page, "4.2.0")
    expect(page.locator(".outcome h3")).to_have_text([LET_IN, KEPT_OUT, DIFFERS, AS_MEANT])
    expect(page.locator(".outcomes > *").first).to_have_text(f"OPEN → UPDATE REQUIRED · {app.capitalize()} on iOS · versions below 4.2.0")
    red = group(page, LET_IN)
    expect(red).to_contain_text("LaunchGate")
    expect(red).to_contain_text("2.0.0, 9.9.0 and similar ones")
    expect(red).to_contain_text("Before and after: nothing shown.")
    expect(red).to_contain_text("Meant: must update.")
    expect(red).to_contain_text(TEXT_ORDER["detail"])
    expect(group(page, KEPT_OUT)).to_contain_text("After: app crashes.")
    expect(group(page, AS_MEANT)).not_to_contain_text("Meant:")
    # Before the table of fields.
    assert page.evaluate("document.querySelector('.outcomes').compareDocumentPosition(document.querySelector('dialog .diff')) & Node.DOCUMENT_POSITION_FOLLOWING")
    colour = lambda element: element.evaluate("(one) => getComputedStyle(one).color")
    assert colour(red.get_by_role("heading")) != colour(group(page, AS_MEANT).get_by_role("heading"))


def test_more_rows_than_a_dialog_has_room_for_are_one_press_away(windows, server, app, planned):
    page = windows.open(server, f"/t/{app}/ios/edit/alert")
    planned(page, [TEXT_ORDER | {"versions": [f"2.{number}"]} for number in range(15)], omitted=1200)
    dialog(page).get_by_role("textbox", name="Message").fill("Hello.")
    expect(group(page, LET_IN).get_by_role("listitem")).to_have_count(12)
    group(page, LET_IN).get_by_text("and 3 more").click()
    expect(group(page, LET_IN).get_by_role("listitem")).to_have_count(15)
    expect(page.locator(".outcomes")).to_contain_text("1200 more of these")


def test_a_server_that_tells_no_effects_leaves_the_state_alone_at_the_top(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios/edit/kill")
    page.route("**/api/v1/changes", without_effects)
    dialog(page).get_by_role("textbox", name="Message").fill("Back soon.")
    expect(page.locator(".headline")).to_have_text(f"OPEN → BLOCKED · {app.capitalize()} on iOS · everyone")
    expect(page.locator(".outcome")).to_have_count(0)


def without_effects(route):
    response = route.fetch()
    body = response.json()
    body.get("plan", {}).pop("effects", None)
    route.fulfill(response=response, body=json.dumps(body))


def test_a_file_that_is_taken_over_is_compared_with_what_is_hosted_today(windows, server, app, planned):
    page = windows.open(server, f"/settings/import?app={app}")
    planned(page, [TEXT_ORDER | {"before": "required"}], path="import")
    rule = {"requiredUpdate": {"minimumVersion": "2.1", "message": "Please update."}}
    page.get_by_label("The file’s text").fill(json.dumps({"ios": rule}))
    page.get_by_role("button", name="Show what it would do").click()
    expect(page.locator(".headline")).to_have_text(f"This feed tomorrow: UPDATE REQUIRED · {app.capitalize()} on iOS · versions below 2.1")
    expect(group(page, LET_IN)).to_contain_text("Hosted file today: must update → This feed tomorrow: nothing shown")


def test_a_window_says_what_it_will_do_where_it_is_made_and_where_it_is_run(windows, server, app, planned):
    leads = f"OPEN → BLOCKED · {app.capitalize()} on iOS · everyone"
    day = (datetime.date.today() + datetime.timedelta(days=2)).isoformat()
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    for path in ("windows", "windows/*/run"):
        planned(page, [TEXT_ORDER], path=path)
    page.get_by_label("Message").fill("Sale starts at nine.")
    page.get_by_label("Start").fill(f"{day}T08:30")
    page.get_by_label("End", exact=True).fill(f"{day}T09:00")
    expect(page.locator(".headline")).to_have_text(leads)
    expect(group(page, LET_IN)).to_contain_text("LaunchGate")
    page.get_by_role("button", name="Schedule it on ").click()
    page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS").get_by_role("button", name="Run now…").click()
    expect(dialog(page).locator(".headline")).to_have_text(leads)
    expect(group(page, LET_IN)).to_contain_text("LaunchGate")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_effects_and_nothing_scrolls_sideways(windows, server, app, planned, width, scheme):
    page = windows.open(server, f"/t/{app}/ios/edit/min", width=width, height=844, color_scheme=scheme)
    planned(page, [row | {"versions": [*row["versions"], "2026.11.22.123456789012345678901234567890"]} for row in ROWS])
    minimum(page, "4.2.0")
    expect(page.locator(".outcome")).to_have_count(4)
    found = Axe().run(page, options={"rules": {"target-size": {"enabled": True}}}).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
    assert page.evaluate("[document.documentElement, ...document.querySelectorAll('.dialog-body, .outcome')].every((one) => one.scrollWidth <= one.clientWidth)")


def clients(page):
    ios = page.locator(".panel").filter(has=page.get_by_role("heading", name="iOS ios"))
    return ios, ios.get_by_role("group", name="Libraries in the app")


def test_the_libraries_in_an_app_are_saved(windows, server, app):
    page = windows.open(server, f"/settings/apps/{app}")
    ios, group = clients(page)
    expect(group.get_by_role("radio", name="Not known")).to_be_checked()
    expect(group.get_by_role("checkbox")).to_have_count(0)
    group.get_by_role("radio", name="Only these").check()
    ios.get_by_role("button", name="Save").click()
    expect(group.get_by_role("alert")).to_contain_text("at least one")
    group.get_by_role("checkbox", name="LaunchGate").check()
    group.get_by_role("checkbox", name="GateKit").check()
    ios.get_by_role("button", name="Save").click()
    expect(ios.get_by_text("Saved")).to_be_visible()
    assert server.target(f"{app}/ios")["settings"]["clients"] == ["launchgate", "gatekit"]
    page.reload()
    expect(group.get_by_role("checkbox", name="LaunchGate")).to_be_checked()
    group.get_by_role("radio", name="Not known").check()
    ios.get_by_role("button", name="Save").click()
    expect(ios.get_by_text("Saved")).to_be_visible()
    assert server.target(f"{app}/ios")["settings"]["clients"] is None


@pytest.mark.parametrize("start, chosen, sent", [(None, [], "left out"), (None, ["Gandalf", "OpenFeature"], ["gandalf", "openfeature"]), (["launchgate"], ["GateKit"], ["launchgate", "gatekit"])])
def test_what_a_form_sends_of_the_libraries(windows, server, app, start, chosen, sent):
    def with_clients(route):
        response = route.fetch()
        body = response.json()
        for one in body["items"]:
            for settings in one["platforms"].values():
                settings["clients"] = start
        route.fulfill(response=response, body=json.dumps(body))

    page = windows.open(server, path=None)
    page.route("**/api/v1/apps*", with_clients)
    requests = []

    def keep(route):
        body = route.request.post_data_json
        requests.append(body.pop("clients", "left out"))
        # The server has others than the form was shown.
        body.get("seen", {}).pop("clients", None)
        route.continue_(post_data=json.dumps(body))

    page.route(f"**/api/v1/apps/{app}/platforms/ios", keep)
    page.goto(f"{server.admin}/#/settings/apps/{app}")
    ios, group = clients(page)
    if chosen:
        group.get_by_role("radio", name="Only these").check()
    for name in chosen:
        group.get_by_role("checkbox", name=name).check()
    ios.get_by_role("button", name="Save").click()
    expect(ios.get_by_text("Saved")).to_be_visible()
    # Once for the plan, once to be saved.
    assert requests == [sent, sent]


def test_known_releases_stand_before_versions_that_nobody_may_have_and_all_are_in_order(windows, server, app, planned):
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["9.9.0", "10.0.0"]})
    page = windows.open(server)
    planned(page, [TEXT_ORDER | {"versions": ["10.0.0", "9.10.0", "2.0.0", "9.9.0"]}])
    page.goto(f"{server.admin}/#/t/{app}/ios/edit/alert")
    dialog(page).get_by_role("textbox", name="Message").fill("Slow.")
    expect(group(page, LET_IN)).to_contain_text("9.9.0, 10.0.0, 2.0.0, 9.10.0 and similar ones")


def test_a_warning_about_several_targets_is_said_once(windows, server):
    for number in range(3):
        server.add_app(f"twin{number}", f"Twin {number}", "ios")
    page = windows.open(server, "/?q=twin")
    for number in range(3):
        page.get_by_role("checkbox", name=f"Pick Twin {number} on iOS").check()
    page.get_by_role("button", name="Block 3 targets…").click()
    dialog(page).get_by_label("Message").fill("Down.")
    warning = dialog(page).locator(".warnings li").filter(has_text="Prince of Versions knows no kill switch")
    expect(warning).to_have_count(1)
    expect(warning).to_contain_text("apps on twin0/ios that use it")
    expect(warning).to_contain_text("The same on Twin 1 on iOS, Twin 2 on iOS.")
