"""What schemathesis is told besides the description; see described.py.

A well-formed request should be accepted. Requests that are refused by a rule that JSON Schema cannot express are listed here and nowhere
else, each with its reason: any other refusal of a request that the description allows is a fault of the description."""
import os
import re

import schemathesis

# The code of the refusal, the field that is refused, a pattern for its sentence, and why no schema can express it.
REFUSALS = [
    # Rules that depend on the stored state.
    ("malformed", "cursor", "", "A cursor is one that an answer gave."),
    ("confirmation_required", "/confirm", "", "What has to be typed follows from what the change would do."),
    ("reason_required", "/reason", "", "Whether a reason is needed follows from what the change would do, and where."),
    ("sequence_required", "/sequence", "", "A trial needs none, and neither does what writes nothing."),
    ("revision_required", "/targets/.*|/revisions.*|/revision", "", "A trial of a creation needs none."),
    ("stale_revision", "/targets/.*|/revisions.*|/revision", "", "Somebody was faster, or the revision never was."),
    ("stale_window", "/revision", "", "As for a target."),
    ("stale_values", "/seen/.*", "", "As for a revision: what was seen is what was there a moment ago."),
    ("stale_sequence", "/sequence", "", "As for a revision; what is applied was planned at one."),
    ("idempotency_key_reused", "", "", "Another request came under the key before."),
    ("wrong_totp", "/code", "", "The code follows from a secret and the clock."),
    ("invalid_expiry", "/expiresAt", "", "It is in the future, and not too far."),
    ("invalid_version", ".*/([a-z]+Version|(blockedVersions|releases)/[0-9]+)", "", "Whether versions are codes is a setting of the platform."),
    # Rules between two members.
    ("malformed", "/at|/revision|/version|/versions|/set", "(A (simulation|draft)|\"revision\" needs) ", "One phone or many, at a moment or at a revision: never both."),
    ("malformed", "/set|/revertTo|/targets(/[0-9]+/set)?", "(A change (has|needs) |\"set\" belongs|Every target needs|revertTo takes)", "One set, one for each target, or one revision."),
    ("malformed", "/set", "A window names at least one rule", "The same edit may be empty in a simulation."),
    ("malformed", "/over", "\"over\" goes with", "It says how slowly a kill switch is lifted, and nothing of any other change."),
    ("malformed", "(/document/windows/[0-9]+)?/targets/[0-9]+", ".* is named twice", "Two of a list are one target, whatever their other members say."),
    ("malformed", "/document/apps/[0-9]+/(key|ownFeeds)", "(The app .* is not in the document|The document has the (app|feed) .* twice)", "Two of a list have one name, or the list is about other apps."),
    ("malformed", "(/document/windows/[0-9]+)?/(start|end)(/zone)?", "A (time|wallTime) ", "A time has an instant, or a clock's time and its zone."),
    ("invalid_alias", ".*/aliases/[0-9]+/(platform|feed)", "", "Some feeds are a platform's, others an app's, and not every app has each."),
    ("invalid_alias", ".*/aliases/[0-9]+/path", ".* is listed twice", "A path is given once, whatever it serves."),
    ("invalid_window", "/end|/then", "", "It ends after it starts, and opens what it has shut."),
    ("invalid_release", "/release", "", "Only Gandalf has releases to choose from."),
    ("invalid_client", "/client", "", "Which libraries read a feed follows from the platform."),
    ("invalid_opening", ".*/killSwitch/opening", "", "It lies before the end, and not long before."),
    # Rules about texts beyond their form.
    ("invalid_document", "/document", "", "The file that is imported is a text here."),
    ("invalid_template", "/template|/document", "", "A template is a language of its own, and a file that becomes one is a document in a text."),
    ("template_too_large", "/document", "", "A file that becomes a template is shorter than one of a library may be."),
    ("invalid_map", "/map", "", "A place of the file and what it means: both follow from the file."),
    ("map_required", "/map", "", "A trial needs none, it proposes one; neither does a library's file."),
    ("map_of_library", "/map", "", "A library's file says itself what it means."),
    ("platform_required", "/platform", "", "Whether a file says whose it is follows from the file."),
    ("own_feed_exists", "/name", "", "It is another's by now, or of another file."),
    ("invalid_own_feed", "/name", "", "Some names are those of the libraries' feeds."),
    ("invalid_sample", "/sample", "", "A document in a text, as above."),
    ("invalid_reason", "/reason", "", "It is counted as people see it, as messages are."),
    ("invalid_message", ".*/message(/.*)?", "", "It is counted as people see it: trimmed and normalised."),
    ("invalid_language", ".*/message/.*", ".* is given twice", "Languages are compared without regard to case."),
    ("invalid_name", ".*/name", "", "It is counted as people see it, and holds no control character."),
    ("invalid_password", "/(newP|p)assword", "", "It is none that anybody would try first."),
    ("invalid_store_url", ".*/storeURL", "", "It names a host, and nobody's name and password."),
    ("invalid_zone", ".*/zone", "", "It is one of the database of time zones."),
    ("invalid_span", "/for", "", "A number and its unit lie between two spans."),
    # What `format` and `integer` leave open.
    ("invalid_time", ".*/(start|end|until|opening|at|wallTime|offset|expiresAt)", "", "It is on a calendar, and lies in the years that can be shown everywhere."),
    ("malformed", "since|until", ".* lies outside the years ", "As for every time that is given."),
    ("malformed", ".*", "[a-zA-Z]+ is an RFC 3339 time", "It has thousandths and nothing smaller."),
    ("malformed", ".*", "(A member of )?[a-zA-Z]+ is a whole number, not -?[0-9]+[.]0*", "A number that is spelled with a point is none here, and is one to a schema."),
    ("invalid_retry_interval", ".*nterval", "", "As for every number that is spelled with a point."),
    # For what has a pace.
    ("too_often", "", "", "More within a minute than one person may make."),
    ("too_much_at_once", "", "", "More than one person may have worked out at the same time."),
    # For requests whose body may be left out.
    ("unsupported_media_type", "", "", "A POST without a body names the type all the same: a form of another page could not."),
]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether it really is a failure: false for a refusal in the list."""
    # A header that is too large is refused before there is a request.
    if response.status_code == 431:
        return False
    # What is invalid may also be stale, and is refused for that; schemathesis knows no 412 for it.
    if response.status_code == 412 and type(failure).__name__ == "AcceptedNegativeData":
        return False
    if type(failure).__name__ != "RejectedPositiveData" or not response.headers.get("content-type", [""])[0].startswith("application/problem+json"):
        return True
    problem = response.json()
    return not any(
        problem["code"] == code and re.fullmatch(field, problem.get("field", "")) and re.match(detail, problem["detail"])
        for code, field, detail, _ in REFUSALS
    )


@schemathesis.hook
def filter_case(context, case):
    """Keeps the token of this run: once revoked, no request would be accepted."""
    return case.operation.label != "DELETE /api/v1/tokens/{id}" or (case.path_parameters or {}).get("id") != os.environ["GATEHOUSE_OWN_TOKEN"]
