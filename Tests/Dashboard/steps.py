"""What a person does, in the words of the screen."""

import datetime
import time

import pyotp

PASSWORD = "a long enough password"


def kill_switch(page, target):
    return page.locator(".target-row").filter(has_text=target).get_by_role("switch", name="Kill switch")


def dialog(page):
    return page.get_by_role("dialog")


def sign_in(page, username, password=PASSWORD):
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()


def block(page, target, message, *, reason=None, confirm=None):
    """Blocks a target from the overview, by mouse."""
    kill_switch(page, target).click()
    shown = dialog(page)
    shown.get_by_label("Message").fill(message)
    if reason:
        shown.get_by_label("Reason").fill(reason)
    if confirm:
        shown.get_by_label("to confirm").fill(confirm)
    shown.get_by_role("button", name="Block ").click()
    shown.wait_for(state="detached")


def begin_second_factor(page):
    """Starts a second factor on the account's screen. Its code is written, and not sent yet."""
    page.get_by_role("button", name="Set up an authenticator").click()
    authenticator = pyotp.parse_uri(page.get_by_role("link", name="Open in an authenticator").get_attribute("href"))
    page.get_by_label("Its code").fill(authenticator.now())
    return authenticator


def lose_answer(page, path, method="POST"):
    """The first write is made, but its answer is lost."""
    lost = []

    def lose(route):
        if lost or route.request.method != method or route.request.post_data_json.get("dryRun"):
            return route.continue_()
        lost.append(route.fetch())
        route.abort()

    page.route(path, lose)


class Held:
    """The first answer to a request of the page: the server gives it, but it comes only when it is released. Trials are let through."""

    def __init__(self, page, path):
        self.page, self.held = page, []
        page.route(path, self._hold)

    def _hold(self, route):
        if self.held or route.request.method != "GET" and route.request.post_data_json.get("dryRun"):
            return route.continue_()
        self.held.append(route)
        self.answer = route.fetch()

    def wait(self):
        """Waits until the server has answered."""
        for _ in range(200):
            if hasattr(self, "answer"):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("the page did not ask within 10 s")

    def release(self):
        self.held[0].fulfill(response=self.answer)


def deaf(page):
    """From now on the page hears of nothing but what it asks for itself: as if somebody else were faster by less than a poll."""
    # A poll that is under way already would still be answered.
    with page.expect_event("requestfailed", lambda request: "/api/v1/events" in request.url):
        page.route("**/api/v1/events*", lambda route: route.abort())


def open_again(page, target):
    kill_switch(page, target).click()
    dialog(page).get_by_role("button", name="Open ").click()
    dialog(page).wait_for(state="detached")


def later(page, *, minutes):
    """Lets the server's clock, as this page hears of it, run ahead from now on."""

    def told(route):
        answer = route.fetch().json()
        ahead = datetime.datetime.fromisoformat(answer["serverTime"].replace("Z", "+00:00")) + datetime.timedelta(minutes=minutes)
        route.fulfill(json=answer | {"serverTime": ahead.isoformat(timespec="milliseconds").replace("+00:00", "Z")})

    page.route("**/api/v1/events*", told)


def moment_in_utc(at):
    """A moment as a British reader is told of it: with its day, if that is not today, and with its year, if that is not this one."""
    now = datetime.datetime.now(datetime.timezone.utc)
    day = "" if at.date() == now.date() else f"{at:%a} {at.day} {at:%b}{'' if at.year == now.year else f' {at.year}'}, "
    return f"{day}{at:%H:%M} UTC"


def eventually(question, what, *, seconds=30):
    """Asks until the answer is yes."""
    deadline = time.monotonic() + seconds
    while not question():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.05)


def wait_until(page, expression, arg=None, *, seconds=30):
    """Waits until the expression, or the function of `arg`, is true. Playwright's own `wait_for_function` evaluates a text inside the page
    once more when it was not true at first, which the dashboard's policy forbids."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(expression, arg):
        assert time.monotonic() < deadline, f"not within {seconds} s: {expression}"
        page.wait_for_timeout(20)
