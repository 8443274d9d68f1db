"""A plan is what somebody goes by when they press: it is of what is written, and of what is in force, or it is not on the screen."""

import itertools
import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from steps import deaf, dialog

PROBLEM = {"type": "about:blank", "title": "Conflict", "status": 409, "code": "busy", "detail": "Somebody else is writing.", "requestId": "0123456789abcdef"}


def plan(page):
    return page.locator(".dialog-plan")


def minimum(page, version):
    dialog(page).get_by_role("textbox", name="Minimum version").fill(version)
    dialog(page).get_by_role("textbox", name="Message").fill("Please update.")
    dialog(page).get_by_role("checkbox", name="can be downloaded").check()


@pytest.fixture
def kept_out(server, app):
    """An app that nobody on iOS can use."""
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["4.1.0", "4.2.0"]})
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon."}})
    return app


@pytest.fixture
def guarded(protected_server):
    """The key of an app in an environment that wants a reason; nobody on iOS can use it."""
    key = f"bank{next(guarded_numbers)}"
    protected_server.add_app(key, key.capitalize(), "ios", "android")
    protected_server.change(f"{key}/ios", {"killSwitch": {"message": "Back soon."}})
    return key


guarded_numbers = itertools.count(1)


def group(page, name):
    return page.locator(".outcome").filter(has=page.get_by_role("heading", name=name))


def refuse_commits(page, path="changes", problem=PROBLEM):
    """Refuses what would write, and lets what only asks pass; tells of each whether it only asked."""
    asked = []

    def answer(route):
        asked.append(route.request.post_data_json.get("dryRun", False))
        if asked[-1]:
            route.continue_()
        else:
            route.fulfill(status=problem["status"], content_type="application/problem+json", body=json.dumps(problem))

    page.route(f"**/api/v1/{path}", answer)
    return asked


def test_a_draft_that_is_refused_is_not_shown_with_the_plan_of_the_one_before(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/t/{app}/ios/edit/min")
    minimum(page, "4.2.0")
    expect(plan(page)).to_contain_text("versions below 4.2.0")
    dialog(page).get_by_role("textbox", name="Minimum version").fill("four")
    expect(dialog(page).locator("[aria-invalid=true]")).to_have_count(1)
    expect(plan(page)).to_be_empty()
    dialog(page).get_by_role("textbox", name="Minimum version").fill("4.3.0")
    expect(plan(page)).to_contain_text("versions below 4.3.0")


WRONG = "Something above was refused. The field says why."


@pytest.mark.parametrize("size", [(390, 700), (1280, 800)])
def test_a_press_that_is_refused_at_a_field_goes_there_and_says_so(windows, server, app, size):
    windows.expected = {422}
    page = windows.open(server, f"/t/{app}/ios/edit/min", width=size[0], height=size[1])
    minimum(page, "4.2.x")
    version = dialog(page).get_by_role("textbox", name="Minimum version")
    expect(version).to_have_attribute("aria-invalid", "true")
    publish = dialog(page).locator("button[type=submit]")
    dialog(page).get_by_label("Reason").fill("INC-1")
    publish.click()
    expect(version).to_be_focused()
    expect(version).to_be_in_viewport(ratio=1)
    error = dialog(page).locator(".error", has_text="4.2.x")
    expect(error).to_be_in_viewport(ratio=1)
    expect(dialog(page).locator(".problem")).to_have_text(WRONG)
    # What is right again is said to be so, and the plan is there.
    version.fill("4.2.0")
    expect(plan(page)).to_contain_text("OPEN → UPDATE REQUIRED")
    expect(dialog(page).locator(".problem")).to_be_empty()


AT_FIELD = {"type": "about:blank", "title": "Refused", "status": 422, "code": "refused_for_now", "detail": "Not like this.", "requestId": "0123456789abcdef"}


def test_a_change_that_is_refused_at_a_field_goes_there_beside_the_new_plan(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/t/{app}/ios/edit/min", width=390, height=700)
    minimum(page, "4.2.0")
    expect(plan(page)).to_contain_text("OPEN → UPDATE REQUIRED")
    asked = refuse_commits(page, problem=AT_FIELD | {"field": "/set/requiredUpdate/minimumVersion"})
    publish = dialog(page).locator("button[type=submit]")
    expect(publish).to_have_attribute("aria-disabled", "false")
    publish.click()
    version = dialog(page).get_by_role("textbox", name="Minimum version")
    expect(version).to_be_focused()
    expect(version).to_be_in_viewport(ratio=1)
    expect(plan(page)).to_contain_text("OPEN → UPDATE REQUIRED")
    assert asked[-2:] == [False, True]
    expect(dialog(page).get_by_text("Not like this.")).to_be_visible()
    expect(dialog(page).locator(".problem")).to_have_text(WRONG)


def soon(page):
    """A window for tomorrow in the form of the schedule."""
    page.get_by_label("Message").fill("Sale.")
    page.get_by_label("Start").fill("2099-03-30T08:30")
    page.get_by_label("End", exact=True).fill("2099-03-30T09:00")
    expect(page.locator("main").get_by_role("table", name="What changes")).to_be_visible()


@pytest.mark.parametrize("size", [(390, 700), (1280, 800)])
def test_a_start_that_is_past_is_gone_to_by_the_press_and_said_beside_it(windows, server, app, size):
    windows.expected = {422}
    page = windows.open(server, f"/schedule/new?t={app}/ios", width=size[0], height=size[1])
    soon(page)
    # Also where it has passed while the form was open: then its plan is still on the screen.
    past = AT_FIELD | {"detail": "It is past.", "field": "/start"}
    page.route("**/api/v1/windows", lambda route: route.fulfill(status=422, content_type="application/problem+json", body=json.dumps(past)))
    for _ in range(2):
        go = page.get_by_role("button", name="Schedule it on ")
        go.click()
        expect(page.get_by_label("Start")).to_be_focused()
        expect(page.get_by_label("Start")).to_be_in_viewport(ratio=1)
        expect(page.get_by_text("It is past.")).to_be_in_viewport(ratio=1)
        expect(page.locator("main .problem")).to_have_text(WRONG)
        expect(plan(page)).to_be_empty()
        go.focus()
    page.unroute("**/api/v1/windows")
    page.get_by_label("Start").fill("2099-03-30T08:00")
    expect(plan(page)).to_contain_text("OPEN → BLOCKED")
    expect(page.locator("main .problem")).to_be_empty()


def test_a_press_of_the_form_of_the_schedule_says_beside_it_that_something_is_missing(windows, protected_server, guarded):
    page = windows.open(protected_server, f"/schedule/new?t={guarded}/android")
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.get_by_label("Message")).to_be_focused()
    expect(page.locator("main .problem")).to_have_text("Something is missing above.")
    soon(page)
    expect(page.locator("main .problem")).to_be_empty()
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.get_by_label("Reason")).to_be_focused()
    expect(page.locator("main .problem")).to_have_text("Something is missing above.")


@pytest.mark.parametrize("where", ["form", "dialog"])
def test_a_plan_that_found_no_server_is_asked_for_when_it_answers_again(windows, server, app, where):
    windows.expected = {"lost"}
    server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": 1}], "set": {"killSwitch": {"message": "Sale starts at nine."}}, "start": "2099-03-30T09:00:00Z",
    })
    page = windows.open(server, f"/schedule/new?t={app}/android" if where == "form" else "/schedule")
    run_now = page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS").get_by_role("button", name="Run now…")
    expect(page.get_by_label("Message") if where == "form" else run_now).to_be_visible()
    page.route("**/api/v1/**", lambda route: route.abort())
    if where == "form":
        page.get_by_label("Message").fill("Sale.")
        page.get_by_label("Start").fill("2099-03-30T08:30")
        page.get_by_label("End", exact=True).fill("2099-03-30T09:00")
    else:
        run_now.click()
    problem = (page.locator("main") if where == "form" else dialog(page)).locator(".problem")
    expect(problem).to_have_text("The server does not answer. Nothing was sent.")
    page.unroute("**/api/v1/**")
    expect(plan(page)).to_contain_text("OPEN → BLOCKED")
    expect(problem).to_be_empty()


def test_after_a_refused_change_the_plan_is_asked_for_anew_and_the_refusal_stays_said(windows, server, app):
    windows.expected = {409}
    page = windows.open(server, f"/t/{app}/ios/edit/min")
    minimum(page, "4.2.0")
    expect(plan(page)).to_contain_text("OPEN → UPDATE REQUIRED")
    asked = refuse_commits(page)
    # The plan that comes now is another one, by what a colleague has done to the same target meanwhile.
    page.route("**/api/v1/changes", lambda route: with_other_plan(route) if route.request.post_data_json.get("dryRun") else route.fallback())
    dialog(page).locator("button[type=submit]").click()
    expect(dialog(page).locator(".problem")).to_contain_text(PROBLEM["detail"])
    expect(plan(page)).to_contain_text("Only now.")
    expect(dialog(page).locator(".problem")).to_contain_text(PROBLEM["detail"])
    assert asked == [False]


def with_other_plan(route):
    response = route.fetch()
    body = response.json()
    body["plan"]["warnings"] = [{"code": "later", "detail": "Only now.", "versions": []}]
    route.fulfill(response=response, body=json.dumps(body))


def test_beside_a_conflict_stands_no_plan_of_the_state_that_is_gone(windows, server, app):
    windows.expected = {412}
    page = windows.open(server, f"/t/{app}/ios/edit/min")
    minimum(page, "4.2.0")
    expect(plan(page)).to_contain_text("OPEN → UPDATE REQUIRED")
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon."}})
    expect(dialog(page).get_by_text("What you have written is untouched.")).to_be_visible()
    expect(plan(page)).to_be_empty()
    dialog(page).locator("button[type=submit]").press("Enter")
    expect(dialog(page).get_by_role("table", name="Changed meanwhile")).to_be_visible()
    expect(plan(page)).to_be_empty()
    dialog(page).get_by_role("button", name="Review mine again").click()
    expect(plan(page)).to_contain_text("BLOCKED → BLOCKED")


def test_a_refused_run_of_a_window_is_planned_anew(windows, server, app):
    windows.expected = {409}
    server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": 1}], "set": {"killSwitch": {"message": "Sale starts at nine."}}, "start": "2099-03-30T09:00:00Z",
    })
    page = windows.open(server, "/schedule")
    asked = refuse_commits(page, "windows/*/run")
    page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS").get_by_role("button", name="Run now…").click()
    expect(plan(page)).to_contain_text("OPEN → BLOCKED")
    # Another plan from the refusal on: a press looks once more before it sends anything, and a plan that is another one then is not sent.
    page.route("**/api/v1/windows/*/run", lambda route: with_other_plan(route) if False in asked else route.fallback())
    dialog(page).get_by_role("button", name="Run now").click()
    expect(plan(page)).to_contain_text("Only now.")
    expect(dialog(page).locator(".problem")).to_contain_text(PROBLEM["detail"])
    # How often it was asked before depends on when the page hears of the window.
    assert asked == [True] * (len(asked) - 1) + [False]


def test_a_window_that_is_refused_is_not_shown_with_the_plan_of_another(windows, server, app):
    windows.expected = {409, 422}
    page = windows.open(server, f"/schedule/new?t={app}/ios&do=min")
    page.get_by_label("Version", exact=True).fill("4.2.0")
    page.get_by_label("Message").fill("Please update.")
    page.get_by_label("Start").fill("2099-03-30T08:30")
    page.get_by_label("End", exact=True).fill("2099-03-30T09:00")
    expect(plan(page)).to_contain_text("versions below 4.2.0")
    page.get_by_label("Version", exact=True).fill("four")
    expect(page.locator("[aria-invalid=true]")).to_have_count(1)
    expect(plan(page)).to_be_empty()
    page.get_by_label("Version", exact=True).fill("")
    page.get_by_label("Version", exact=True).fill("4.3.0")
    expect(plan(page)).to_contain_text("versions below 4.3.0")
    page.get_by_role("checkbox", name="can be downloaded from the store by then").check()
    refuse_commits(page, "windows")
    page.route("**/api/v1/windows", lambda route: with_other_plan(route) if route.request.post_data_json.get("dryRun") else route.fallback())
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.locator("main .problem")).to_contain_text(PROBLEM["detail"])
    expect(plan(page)).to_contain_text("Only now.")
    expect(page.locator("main .problem")).to_contain_text(PROBLEM["detail"])


@pytest.mark.parametrize("problem", [PROBLEM, PROBLEM | {"status": 422, "code": "refused_for_now", "detail": "Not like this."}])
def test_a_refused_import_is_planned_anew_and_says_why(windows, server, app, problem):
    windows.expected = {problem["status"]}
    page = windows.open(server, f"/settings/import?app={app}")
    page.get_by_label("The file’s text").fill(json.dumps({"android": {"alert": {"message": "Deliveries are late today.", "blocking": False}}}))
    page.get_by_role("button", name="Show what it would do").click()
    take = page.get_by_role("button", name="Take over the file of")
    expect(take).to_be_visible()
    refuse_commits(page, "import", problem)
    page.route("**/api/v1/import", lambda route: with_other_plan(route) if route.request.post_data_json.get("dryRun") else route.fallback())
    take.click()
    expect(page.locator(".import-plan .warnings")).to_contain_text("Only now.")
    expect(page.locator("main .problem").filter(has_text=problem["detail"])).to_be_visible()


def test_an_import_that_somebody_overtook_says_so_beside_the_new_plan(windows, server, app):
    windows.expected = {412}
    page = windows.open(server, f"/settings/import?app={app}")
    page.get_by_label("The file’s text").fill(json.dumps({"android": {"alert": {"message": "Deliveries are late today.", "blocking": False}}}))
    page.get_by_role("button", name="Show what it would do").click()
    take = page.get_by_role("button", name="Take over the file of")
    expect(take).to_be_visible()
    server.change(f"{app}/android", {"alert": {"message": "Something else.", "blocking": False}})
    take.click()
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Something else.")
    expect(page.locator("main .problem").filter(has_text="revision 2")).to_be_visible()


def test_a_lost_answer_promises_no_look_that_nobody_takes(windows, server, app):
    windows.expected = {"lost"}
    server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": 1}], "set": {"killSwitch": {"message": "Sale starts at nine."}}, "start": "2099-03-30T09:00:00Z",
    })
    page = windows.open(server, "/schedule")
    page.route("**/api/v1/windows/*", lambda route: route.abort() if route.request.method == "DELETE" else route.continue_())
    page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS").get_by_role("button", name="Cancel this window…").click()
    dialog(page).locator("button[type=submit]").click()
    expect(dialog(page).locator(".problem")).to_have_text("No answer. It is not known whether it was done: look again before you repeat it.")
    page.goto(f"{server.admin}/#/settings/apps/{app}")
    page.route(f"**/api/v1/apps/{app}/platforms/ios", lambda route: route.abort())
    ios(page).get_by_role("button", name="Save").click()
    expect(ios(page).locator(".problem")).to_have_text("The server does not answer. Nothing was sent.")


# Deleting

LET_IN = "Kept out today, let in afterwards"


def writes(page, path):
    """What is sent to a path, and whether it would write."""
    sent = []
    page.on("request", lambda request: sent.append(request.post_data_json) if request.method not in ("GET", "HEAD") and path in request.url else None)
    return sent


def test_deleting_an_app_says_first_whom_it_lets_in_and_then_asks_as_before(windows, server, kept_out):
    page = windows.open(server, f"/settings/apps/{kept_out}")
    sent = writes(page, f"/apps/{kept_out}")
    page.get_by_role("button", name=f"Delete {kept_out.capitalize()}…").click()
    expect(group(page, LET_IN)).to_contain_text("Bellerophon")
    expect(group(page, LET_IN)).to_contain_text("4.1.0, 4.2.0 and similar ones")
    expect(group(page, LET_IN)).to_contain_text("Before: blocked → After: no feed.")
    expect(page.locator(".headline")).to_have_text([f"BLOCKED → no feed · {kept_out.capitalize()} on iOS", f"OPEN → no feed · {kept_out.capitalize()} on Android"])
    # Who sees nothing today is only named.
    expect(group(page, "Lose their feed").get_by_role("listitem").filter(has_text="Gandalf")).to_have_text(f"Gandalf{kept_out.capitalize()} on Android1 and similar ones")
    expect(dialog(page).locator(".warnings")).to_contain_text("The feeds answer 404 from now on")
    # The long list of what goes is there for whoever wants it.
    expect(dialog(page).get_by_role("table")).to_be_hidden()
    dialog(page).get_by_text("Everything that will be deleted").click()
    expect(dialog(page).get_by_role("table")).to_contain_text("Back soon.")
    expect(dialog(page).get_by_role("row").filter(has_text="Settings: Known releases").filter(has_text="/ios")).to_contain_text("4.1.0, 4.2.0")
    expect(dialog(page).get_by_role("row").filter(has_text="Store address")).to_have_count(0)
    dialog(page).get_by_role("button", name="Delete ").press("Enter")
    expect(dialog(page).get_by_label("to confirm")).to_be_focused()
    assert sent == [{"dryRun": True}]
    dialog(page).get_by_label("to confirm").fill(f"delete {kept_out}")
    dialog(page).get_by_role("button", name="Delete ").click()
    expect(page.get_by_role("heading", level=1, name="Apps")).to_be_visible()
    assert sent == [{"dryRun": True}, {"confirm": f"delete {kept_out}"}]
    assert kept_out not in [item["key"] for item in server.call("GET", "/apps")["items"]]


def test_a_page_that_has_just_been_loaded_does_not_doubt_the_plan_at_its_first_poll(windows, server, kept_out):
    page = windows.open(server, path=None)
    held = []
    page.route("**/api/v1/events*", lambda route: held.append(route))
    page.goto(f"{server.admin}/#/settings/apps/{kept_out}")
    sent = writes(page, f"/apps/{kept_out}")
    with page.expect_request("**/api/v1/events*"):
        page.get_by_role("button", name=f"Delete {kept_out.capitalize()}…").click()
    expect(group(page, LET_IN)).to_contain_text("Bellerophon")
    # The first poll tells how often windows have changed so far, which the page did not know: it reads them again, and they are the same.
    with page.expect_response("**/api/v1/windows*"):
        held.pop().continue_()
        page.unroute("**/api/v1/events*")
    # Of the next poll the first is over, with all that it led to.
    page.wait_for_event("request", lambda request: "/api/v1/events" in request.url)
    assert sent == [{"dryRun": True}]


def test_deleting_a_platform_wants_reason_and_phrase_where_it_is_protected(windows, protected_server, guarded):
    page = windows.open(protected_server, f"/settings/apps/{guarded}")
    page.get_by_role("button", name=f"Delete {guarded.capitalize()} on iOS…").click()
    expect(page.get_by_role("dialog", name=f"Delete {guarded.capitalize()} on iOS in PRODUCTION")).to_be_visible()
    expect(group(page, LET_IN)).to_contain_text("Bellerophon")
    go = dialog(page).get_by_role("button", name="Delete ")
    go.press("Enter")
    expect(dialog(page).get_by_label("Reason")).to_be_focused()
    dialog(page).get_by_label("Reason").fill("INC-9")
    dialog(page).get_by_label("to confirm").fill(f"delete {guarded}/ios")
    go.click()
    expect(dialog(page)).to_have_count(0)
    expect(page.get_by_role("heading", name="iOS ios")).to_have_count(0)
    expect(page.get_by_role("heading", name="Platforms")).to_be_focused()
    receipt = page.get_by_role("region", name="Last change")
    expect(receipt).to_contain_text(f"Deleted {guarded.capitalize()} on iOS")
    # There is nothing left to take back, and no feed that phones could have fetched.
    expect(receipt.get_by_role("button", name="Undo")).to_have_count(0)
    expect(receipt).not_to_contain_text("feed")
    assert list(protected_server.call("GET", f"/apps/{guarded}")["platforms"]) == ["android"]
    assert protected_server.changes(f"{guarded}/ios")[0]["reason"] == "INC-9"


def test_a_platform_that_cannot_go_says_why_and_shows_no_plan(windows, server, app):
    windows.expected = {422}
    server.call("PATCH", f"/apps/{app}", {"aliases": [{"path": f"/{app}.json", "feed": "bellerophon.json", "platform": "ios"}]})
    page = windows.open(server, f"/settings/apps/{app}")
    page.get_by_role("button", name=f"Delete {app.capitalize()} on iOS…").click()
    expect(dialog(page).locator(".problem")).to_contain_text("remove the alias first")
    expect(plan(page)).to_be_empty()
    expect(dialog(page).get_by_role("button", name="Delete ")).to_have_attribute("aria-disabled", "true")
    expect(dialog(page).get_by_label("to confirm")).to_be_hidden()


def test_a_refused_deletion_is_planned_anew(windows, server, kept_out):
    windows.expected = {409}
    page = windows.open(server, f"/settings/apps/{kept_out}")
    asked = refuse_commits(page, f"apps/{kept_out}")
    page.get_by_role("button", name=f"Delete {kept_out.capitalize()}…").click()
    dialog(page).get_by_label("to confirm").fill(f"delete {kept_out}")
    expect(group(page, LET_IN)).to_be_visible()
    # Meanwhile a colleague lets them in.
    windows.expected.add("lost")
    deaf(page)
    server.change(f"{kept_out}/ios", {"killSwitch": None})
    dialog(page).get_by_role("button", name="Delete ").click()
    expect(dialog(page).locator(".problem")).to_contain_text(PROBLEM["detail"])
    expect(group(page, LET_IN)).to_have_count(0)
    expect(group(page, "Lose their feed")).to_contain_text("Bellerophon")
    assert asked == [True, False, True]


def test_a_deletion_whose_answer_is_lost_is_reported_as_what_became_of_it(windows, server, app):
    # It is read back, and is not there.
    windows.expected = {404, "lost"}
    page = windows.open(server, f"/settings/apps/{app}")

    def lose(route):
        if route.request.post_data_json.get("dryRun"):
            return route.continue_()
        route.fetch()
        route.abort()

    page.route(f"**/api/v1/apps/{app}", lose)
    page.get_by_role("button", name=f"Delete {app.capitalize()}…").click()
    dialog(page).get_by_label("to confirm").fill(f"delete {app}")
    dialog(page).get_by_role("button", name="Delete ").click()
    expect(page.get_by_role("heading", level=1, name="Apps")).to_be_visible()


def test_what_a_colleague_does_meanwhile_is_in_the_plan_of_a_deletion(windows, server, app):
    page = windows.open(server, f"/settings/apps/{app}")
    page.get_by_role("button", name=f"Delete {app.capitalize()}…").click()
    expect(page.locator(".headline").filter(has_text="iOS")).to_contain_text("OPEN → no feed")
    dialog(page).get_by_label("to confirm").fill(f"delete {app}")
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon."}})
    expect(page.locator(".headline").filter(has_text="iOS")).to_contain_text("BLOCKED → no feed")
    expect(group(page, LET_IN)).to_be_visible()
    expect(dialog(page).get_by_label("to confirm")).to_have_value(f"delete {app}")


# Saving settings

OUTSIDE = "Let in although the gate means to keep them out"


def ios(page):
    return page.locator(".panel").filter(has=page.get_by_role("heading", name="iOS ios"))


def test_removing_an_alias_that_keeps_people_out_asks_with_its_plan_and_goes_on(windows, protected_server, guarded):
    alias = {"path": f"/{guarded}.json", "feed": "bellerophon.json", "platform": "ios"}
    protected_server.call("PATCH", f"/apps/{guarded}", {"aliases": [alias]})
    page = windows.open(protected_server, f"/settings/apps/{guarded}")
    sent = writes(page, f"/apps/{guarded}")
    remove = page.get_by_role("button", name=f"Remove the alias /{guarded}.json")
    remove.click()
    expect(page.get_by_role("dialog", name=f"Remove the alias /{guarded}.json in PRODUCTION")).to_be_visible()
    expect(group(page, OUTSIDE)).to_contain_text("Bellerophon")
    expect(dialog(page).locator(".warnings")).to_contain_text(f"phones that poll /{guarded}.json get 404")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    expect(remove).to_be_focused()
    assert protected_server.call("GET", f"/apps/{guarded}")["aliases"] == [alias]
    remove.click()
    go = dialog(page).get_by_role("button", name="Remove the alias")
    go.press("Enter")
    expect(dialog(page).get_by_label("Reason")).to_be_focused()
    dialog(page).get_by_label("Reason").fill("INC-7")
    dialog(page).get_by_label("to confirm").fill(f"{guarded}/ios")
    go.click()
    expect(dialog(page)).to_have_count(0)
    expect(page.locator(".alias-list")).to_contain_text("No aliases.")
    expect(page.locator(".alias-list")).to_be_focused()
    edit = {"aliases": [], "seen": {"aliases": [alias]}}
    assert sent == [edit | {"dryRun": True}, edit | {"dryRun": True}, edit | {"reason": "INC-7", "confirm": f"{guarded}/ios"}]
    assert protected_server.call("GET", f"/apps/{guarded}")["aliases"] == []


def test_a_release_that_everybody_must_update_to_is_confirmed(windows, protected_server, guarded):
    protected_server.call("PUT", f"/apps/{guarded}/platforms/ios", {"releases": ["4.1.0"]})
    protected_server.change(f"{guarded}/ios", {"killSwitch": None, "forceUpdate": {"message": "Please update."}})
    page = windows.open(protected_server, f"/settings/apps/{guarded}")
    ios(page).get_by_label("Known releases").fill("4.1.0\n5.0.0")
    ios(page).get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog", name=f"Save the settings of {guarded.capitalize()} on iOS in PRODUCTION")).to_be_visible()
    expect(dialog(page).get_by_role("row").filter(has_text="Settings: Known releases")).to_contain_text("5.0.0")
    dialog(page).get_by_label("Reason").fill("Release day")
    dialog(page).get_by_label("to confirm").fill(f"{guarded}/ios")
    dialog(page).get_by_role("button", name="Save").click()
    expect(ios(page).get_by_text("Saved")).to_be_visible()
    expect(ios(page).get_by_role("button", name="Save")).to_be_focused()
    assert protected_server.target(f"{guarded}/ios")["settings"]["releases"] == ["4.1.0", "5.0.0"]
    assert protected_server.changes(f"{guarded}/ios")[0]["reason"] == "Release day"


def test_a_save_that_does_nothing_to_anybody_stays_one_press(windows, protected_server):
    protected_server.add_app("calm", "Calm", "ios")
    page = windows.open(protected_server, "/settings/apps/calm")
    sent = writes(page, "/platforms/ios")
    ios(page).get_by_label("Known releases").fill("4.1.0")
    ios(page).get_by_role("button", name="Save").click()
    expect(ios(page).get_by_text("Saved")).to_be_visible()
    expect(dialog(page)).to_have_count(0)
    assert [body.get("dryRun", False) for body in sent] == [True, False]


def test_a_save_whose_effects_are_not_what_is_meant_is_looked_at_first(windows, server, app):
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["9.9.0"], "clients": ["launchgate"]})
    server.change(f"{app}/ios", {"requiredUpdate": {"minimumVersion": "9.9.0", "message": "Please update."}})
    page = windows.open(server, f"/settings/apps/{app}")
    # As a text it is below 9.9.0, so that those who have it would be told to update.
    ios(page).get_by_label("Known releases").fill("9.9.0\n10.0.0")
    ios(page).get_by_role("button", name="Save").click()
    expect(group(page, "Kept out beyond what is meant")).to_contain_text("10.0.0")
    expect(dialog(page).get_by_label("to confirm")).to_be_hidden()
    dialog(page).get_by_role("button", name="Cancel").click()
    expect(ios(page).get_by_label("Known releases")).to_have_value("9.9.0\n10.0.0")
    expect(ios(page).get_by_text("Saved")).to_have_count(0)
    assert server.target(f"{app}/ios")["settings"]["releases"] == ["9.9.0"]
    ios(page).get_by_role("button", name="Save").click()
    dialog(page).get_by_role("button", name="Save").click()
    expect(ios(page).get_by_text("Saved")).to_be_visible()
    assert server.target(f"{app}/ios")["settings"]["releases"] == ["9.9.0", "10.0.0"]


def test_a_save_that_turns_out_graver_than_planned_is_confirmed_and_not_lost(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/settings/apps/{app}")
    grave = {
        "tier": 2, "confirm": f"{app}/ios", "reasonRequired": True, "diff": [], "effects": [],
        "warnings": [{"code": "later", "detail": "Only now.", "versions": []}],
    }
    refusals = [{"title": "Unprocessable Content", "status": 422, "code": "reason_required", "detail": "Say why.", "field": "/reason", "requestId": "x", "plan": grave}]
    sent = []

    def refuse_once(route):
        sent.append(route.request.post_data_json)
        if "dryRun" not in sent[-1] and refusals:
            return route.fulfill(status=422, content_type="application/problem+json", json=refusals.pop())
        route.continue_()

    page.route(f"**/api/v1/apps/{app}/platforms/ios", refuse_once)
    ios(page).get_by_role("button", name="Save").click()
    expect(dialog(page).locator(".warnings")).to_contain_text("Only now.")
    dialog(page).get_by_label("Reason").fill("INC-8")
    dialog(page).get_by_label("to confirm").fill(f"{app}/ios")
    dialog(page).get_by_role("button", name="Save").click()
    expect(ios(page).get_by_text("Saved")).to_be_visible()
    assert (sent[-1]["reason"], sent[-1]["confirm"]) == ("INC-8", f"{app}/ios")


def test_a_warning_that_wants_to_be_read_is_overridden_only_by_hand(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/settings/apps/{app}")
    refusal = {
        "title": "Unprocessable Content", "status": 422, "code": "text_order", "detail": 'It would wrongly tell 10.0.0 to update. To publish it all the same, accept "text_order".',
        "overridable": True, "requestId": "x",
    }
    sent = []

    def refuse_unread(route):
        sent.append(route.request.post_data_json)
        if sent[-1].get("accept") != ["text_order"]:
            return route.fulfill(status=422, content_type="application/problem+json", json=refusal)
        route.continue_()

    page.route(f"**/api/v1/apps/{app}/platforms/ios", refuse_unread)
    ios(page).get_by_role("button", name="Save").click()
    expect(dialog(page).locator(".problem")).to_contain_text("10.0.0")
    go = dialog(page).get_by_role("button", name="Save")
    expect(go).to_have_attribute("aria-disabled", "true")
    # How a program would accept it is not said to people, who have the box.
    expect(dialog(page)).not_to_contain_text("accept \"")
    dialog(page).get_by_role("checkbox", name="Publish it all the same").check()
    expect(go).to_have_attribute("aria-disabled", "false")
    go.click()
    expect(ios(page).get_by_text("Saved")).to_be_visible()
    assert [("dryRun" in body, body.get("accept")) for body in sent] == [(True, None), (True, ["text_order"]), (False, ["text_order"])]


def test_what_is_wrong_with_a_setting_is_still_said_beside_its_field(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/settings/apps/{app}")
    ios(page).get_by_label("Known releases").fill("four")
    ios(page).get_by_role("button", name="Save").click()
    expect(ios(page).get_by_label("Known releases")).to_have_attribute("aria-invalid", "true")
    expect(ios(page).get_by_label("Known releases")).to_be_focused()
    expect(dialog(page)).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_what_asks_before_deleting_and_saving_and_nothing_scrolls_sideways(windows, protected_server, guarded, width, scheme):
    path = f"/a-long-path-that-somebody-chose-years-ago/for-the-app/and-nobody-can-change/{guarded}.json"
    protected_server.call("PUT", f"/apps/{guarded}/platforms/ios", {"releases": ["4.1.0", "2026.11.22"]})
    protected_server.call("PATCH", f"/apps/{guarded}", {"aliases": [{"path": path, "feed": "launchgate.json"}]})
    page = windows.open(protected_server, f"/settings/apps/{guarded}", width=width, height=844, color_scheme=scheme)

    def look():
        expect(dialog(page).locator(".outcome").first).to_be_visible()
        for summary in dialog(page).locator("summary").all():
            summary.click()
        # Pressed too early, so that errors are on show too.
        dialog(page).locator("button[type=submit]").press("Enter")
        expect(dialog(page).locator("[aria-invalid=true]")).to_have_count(2)
        found = Axe().run(page, options={"rules": {"target-size": {"enabled": True}}}).response["violations"]
        assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
        assert page.evaluate("[document.documentElement, ...document.querySelectorAll('dialog, dialog *')].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline').map((one) => one.className)") == []
        page.keyboard.press("Escape")
        expect(dialog(page)).to_have_count(0)

    page.get_by_role("button", name=f"Delete {guarded.capitalize()}…").click()
    look()
    page.get_by_role("button", name=f"Delete {guarded.capitalize()} on iOS…").click()
    look()
    page.get_by_role("button", name="Remove the alias").click()
    look()
