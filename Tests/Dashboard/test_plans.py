"""A plan is what somebody goes by when they press: it is of what is written, and of what is in force, or it is not on the screen."""

import json

import pytest
from playwright.sync_api import expect

from steps import dialog

PROBLEM = {"type": "about:blank", "title": "Conflict", "status": 409, "code": "busy", "detail": "Somebody else is writing.", "requestId": "0123456789abcdef"}


def plan(page):
    return page.locator(".dialog-plan")


def minimum(page, version):
    dialog(page).get_by_role("textbox", name="Minimum version").fill(version)
    dialog(page).get_by_role("textbox", name="Message").fill("Please update.")
    dialog(page).get_by_role("checkbox", name="can be downloaded").check()


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
