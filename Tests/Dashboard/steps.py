"""What a person does, in the words of the screen."""


def kill_switch(page, target):
    return page.locator(".target-row").filter(has_text=target).get_by_role("switch", name="Kill switch")


def dialog(page):
    return page.get_by_role("dialog")


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


def open_again(page, target):
    kill_switch(page, target).click()
    dialog(page).get_by_role("button", name="Open ").click()
    dialog(page).wait_for(state="detached")
